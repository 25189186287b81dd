package sides

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/everyday"
	"github.com/vantage-search/vantage/internal/testing/reads"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/perspective"
)

// TestReadsDocument reads the wordings of docs/embed.md: the readers of both encoders and the grammar read them as its table
// says, and the readers leave whole what the list below it has.
func TestReadsDocument(t *testing.T) {
	e, light := reads.Open(t, Files()), reads.Open(t, builtin.Builtin().Reader)
	table, ordinary := 0, 0
	for _, line := range everyday.Lines(t, "../docs/embed.md") {
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
				"the reader": reads.Read(t, e, before+root+after), "the light reader": reads.Read(t, light, before+root+after), "the grammar": perspective.Read(before + root + after),
			} {
				if everyday.Plain(got.Root) != everyday.Plain(root) || string(got.Kind) != kind || got.Side != side || got.Both != strings.Contains(cells[4], "`both`") {
					t.Errorf("%s reads %q as %+v", by, example, got)
				}
			}
		}
	}
	text, err := os.ReadFile("../docs/embed.md")
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
			for by, got := range map[string]perspective.Reading{"the reader": reads.Read(t, e, query), "the light reader": reads.Read(t, light, query)} {
				if got != (perspective.Reading{}) {
					t.Errorf("%s reads %q as %+v", by, query, got)
				}
			}
		}
	}
	if table < 65 || ordinary < 20 {
		t.Errorf("only %d wordings and %d ordinary questions", table, ordinary)
	}
}

// TestDownloadsDocument compares the table of downloads in docs/publish.md with the pack.
func TestDownloadsDocument(t *testing.T) {
	description, err := fs.ReadFile(Files(), pack.FileName)
	if err != nil {
		t.Fatal(err)
	}
	m := reads.Open(t, Files()).Manifest()
	row := func(what string, first, files int, names ...string) string {
		bytes := first
		for _, name := range names {
			for _, f := range m.Section(name).Files {
				info, err := fs.Stat(Files(), f.Path)
				if err != nil {
					t.Fatal(err)
				}
				files, bytes = files+1, bytes+int(info.Size())
			}
		}
		return fmt.Sprintf("| %s, %d files", what, files) + "|" + fmt.Sprintf("| %.1f |", float64(bytes)/1e6)
	}
	want := map[string]bool{
		row("the encoder: its description, vocabulary, trunk, and reader of queries", len(description), 1, pack.Vocabulary, pack.Trunk, pack.ReaderSection): true,
		row("the encoder's branch", 0, 0, pack.BranchSection): true,
	}
	for _, line := range everyday.Lines(t, "../docs/publish.md") {
		for row := range want {
			begin, end, _ := strings.Cut(row, "||")
			if strings.Contains(line, begin) && strings.HasSuffix(line, "|"+end) {
				delete(want, row)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("docs/publish.md lacks the rows %v", want)
	}
}
