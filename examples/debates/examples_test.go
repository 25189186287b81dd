package debates_test

import (
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/perspective"
)

// The queries that the demonstration's search page offers ask from a point of view, and
// for what the corpus has texts on.
func TestExamples(t *testing.T) {
	content, err := os.ReadFile("examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := os.ReadFile("corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	if len(lines) < 3 {
		t.Errorf("only %q", lines)
	}
	for _, line := range lines {
		read := perspective.Read(line)
		if read.Perspective == "" || read.Root == "" {
			t.Errorf("%q is read as %+v", line, read)
		}
		words := strings.Fields(read.Root)
		if topic := words[len(words)-1]; !strings.Contains(strings.ToLower(string(corpus)), topic) {
			t.Errorf("%q: no text has %q", line, topic)
		}
	}
}
