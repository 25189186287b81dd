package sides

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/everyday"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// TestDownloadsDocument compares the table of downloads in docs/publish.md with the pack.
func TestDownloadsDocument(t *testing.T) {
	description, err := fs.ReadFile(Files(), pack.FileName)
	if err != nil {
		t.Fatal(err)
	}
	m, err := pack.Parse(description)
	if err != nil {
		t.Fatal(err)
	}
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
		row("the encoder: its description, vocabulary and trunk", len(description), 1, pack.Vocabulary, pack.Trunk): true,
		row("the encoder's branch", 0, 0, pack.BranchSection):                                                       true,
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
