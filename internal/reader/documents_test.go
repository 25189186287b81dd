package reader

import (
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/everyday"
	"github.com/vantage-search/vantage/internal/testing/reads"
	"github.com/vantage-search/vantage/perspective"
)

// TestReadsDocument reads the wordings of docs/embed.md: the reader and the grammar read them as its table
// says, and the reader leaves whole what the list below it has.
func TestReadsDocument(t *testing.T) {
	e := reads.Open(t, Files)
	table, ordinary := 0, 0
	for _, line := range everyday.Lines(t, "../../docs/embed.md") {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !strings.Contains(cells[2], "[") {
			continue
		}
		kind, side := strings.TrimSpace(cells[3]), map[string]int{"for": 1, "against": -1}[strings.TrimSpace(cells[4])]
		for _, example := range strings.Split(cells[2], ";") {
			before, after, _ := strings.Cut(strings.TrimSpace(example), "[")
			root, after, ok := strings.Cut(after, "]")
			if table++; !ok {
				t.Errorf("%q names no root", example)
			}
			for by, got := range map[string]perspective.Reading{
				"the reader": reads.Read(t, e, before+root+after), "the grammar": perspective.Read(before + root + after),
			} {
				if everyday.Plain(got.Root) != everyday.Plain(root) || string(got.Kind) != kind || got.Side != side || got.Both != strings.Contains(cells[4], "`both`") {
					t.Errorf("%s reads %q as %+v", by, example, got)
				}
			}
		}
	}
	text, err := os.ReadFile("../../docs/embed.md")
	if err != nil {
		t.Fatal(err)
	}
	_, whole, ok := strings.Cut(string(text), "These stay whole on purpose:\n")
	whole, _, end := strings.Cut(whole, "A perspective such as")
	if !ok || !end {
		t.Fatal("the list of what stays whole has moved")
	}
	for i, part := range strings.Split(whole, `"`) {
		if query := strings.Join(strings.Fields(part), " "); i%2 == 1 {
			ordinary++
			if got := reads.Read(t, e, query); got != (perspective.Reading{}) {
				t.Errorf("the reader reads %q as %+v", query, got)
			}
		}
	}
	if table < 65 || ordinary < 20 {
		t.Errorf("only %d wordings and %d ordinary questions", table, ordinary)
	}
}
