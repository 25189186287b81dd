// Package benefits_test checks the demonstration corpus with contexts: its form, and that some
// questions have several answers.
package benefits_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pcas"
)

var words = regexp.MustCompile(`[a-z]+`)

func wordsOf(text string) []string { return words.FindAllString(strings.ToLower(text), -1) }

func TestCorpus(t *testing.T) {
	set, err := pcas.Open(t.Context(), ".", 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Documents) != 60 || len(set.Validation) != 24 || len(set.Test) != 24 {
		t.Errorf("%d passages, %d and %d questions", len(set.Documents), len(set.Validation), len(set.Test))
	}
	seen := map[string]bool{}
	for i, text := range set.Documents {
		if n := len(wordsOf(text)); n < 20 || n > 60 || seen[text] || !strings.HasSuffix(text, ".") {
			t.Errorf("%s: %d words, or there twice, or without an end", set.IDs[i], n)
		}
		seen[text] = true
	}
	asked := map[string]map[int]bool{} // answers of each wording
	for _, q := range append(set.Validation, set.Test...) {
		if len(q.Gold) != 1 || q.Right < 0 || len(q.Contexts) != 6 || !strings.HasSuffix(q.Text, "?") {
			t.Errorf("%s: %d answers, right is %d of %d contexts", q.ID, len(q.Gold), q.Right, len(q.Contexts))
		}
		if asked[q.Text] == nil {
			asked[q.Text] = map[int]bool{}
		}
		asked[q.Text][q.Gold[0]] = true
	}
	several := 0
	for _, answers := range asked {
		if len(answers) > 1 {
			several++
		}
	}
	if several < 9 {
		t.Errorf("only %d wordings have several answers", several)
	}
	examples, err := os.ReadFile("examples.txt") // what the search page offers
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(examples)), "\n") {
		if len(asked[line]) < 2 {
			t.Errorf("example %q: it has %d answers", line, len(asked[line]))
		}
	}
}
