package static

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// static/types/index.ts uses every public member of Vantage.
func TestTypesUseEveryMember(t *testing.T) {
	read := func(name string) string {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	_, class, _ := strings.Cut(read("lib/index.d.ts"), "\nexport class Vantage {\n")
	class, _, _ = strings.Cut(class, "\n}\n")
	members := regexp.MustCompile(`(?m)^  (?:static |readonly |get )*(\w+)(?:<.*>)?[(:]`).FindAllStringSubmatch(class, -1)
	if len(members) < 25 {
		t.Fatalf("only %d members: the test reads something else", len(members))
	}
	uses := read("types/index.ts")
	for _, m := range members {
		if !regexp.MustCompile(`\.` + m[1] + `\b`).MatchString(uses) {
			t.Errorf("static/types/index.ts does not use %s of Vantage: add a line", m[1])
		}
	}
}
