package javascript

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

func TestConstantsAreUpToDate(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("../../static/src", FileName))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Constants() {
		t.Errorf("static/src/%s differs from Go's: run `make generate scripts`", FileName)
	}
}

func TestUnicodeIsUpToDate(t *testing.T) {
	want, err := Unicode()
	if err != nil {
		t.Skip(err)
	}
	got, err := os.ReadFile(filepath.Join("../../static/src", filepath.FromSlash(UnicodeName)))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("static/src/%s differs from Go's: run `make generate scripts`", UnicodeName)
	}
}

func TestConstantsAreNamedOnceAndExplained(t *testing.T) {
	names := map[string]bool{}
	for _, c := range constants {
		if names[c.name] || !regexp.MustCompile(`^[A-Z0-9_]+$`).MatchString(c.name) {
			t.Errorf("%s is not a valid name, or occurs twice", c.name)
		}
		names[c.name] = true
		if c.doc == "" || c.doc[len(c.doc)-1] != '.' {
			t.Errorf("%s has no sentence of documentation", c.name)
		}
	}
}

func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{1.0, "1"}, {0.9999, "0.9999"}, {1<<31 - 1, "2147483647"}, {true, "true"}, {"a > b", "'a > b'"},
		{"the root's", `"the root's"`}, {`a "b"`, `"a \"b\""`}, {"λ", "'λ'"}, {[]string{}, "[]"}, {[]string{"a", "b"}, "['a', 'b']"},
		{pairs{{"one", 1}}, "/* @__PURE__ */ Object.freeze({\n  one: 1,\n})"},
	} {
		if got := literal(c.value); got != c.want {
			t.Errorf("literal(%v) = %s, want %s", c.value, got, c.want)
		}
	}
}
