package file

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Figures, tables and runs may lie beside the data and be replaced. Anything else that is there is data.
func TestCheckResult(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"data/corpus.jsonl": `{"_id": "1", "text": "one"}`, "data/qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\t1\t1\n", "data/pool.json": `[{"pId": 1}]`,
		"data/notes.txt": "mine", "data/x.json": "{\n  \"dataset\": 1\n}\n", "data/x.csv": "table,caption,section,row,group,column,value\n",
		"data/x.tex": "% \\usepackage{booktabs}\n", "data/x.md": "**Table**\n", "data/x.run": "1 Q0 1 1 0.5 bm25\n", "data/none": "", "other/corpus.jsonl": "{}",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for output, refused := range map[string]bool{
		"data/corpus.jsonl": true, "data/qrels/../qrels/test.tsv": true, "data/pool.json": true, "data/notes.txt": true, "other/../data/corpus.jsonl": true,
		"data/x.json": false, "data/x.csv": false, "data/x.tex": false, "data/x.md": false, "data/x.run": false, "data/none": false,
		"data/new.json": false, "other/corpus.jsonl": false, "-": false, os.DevNull: false,
	} {
		if err := CheckResult(output, "-", "nowhere", "data"); (err != nil) != refused || refused && !errors.Is(err, fault.Query) {
			t.Errorf("%s: %v", output, err)
		}
	}
	if err := CheckResult("data/x.json", "data", "data/x.json"); !errors.Is(err, fault.Query) {
		t.Errorf("an input: %v", err)
	}
	t.Chdir("data")
	if err := CheckResult("corpus.jsonl", "."); !errors.Is(err, fault.Query) {
		t.Errorf("in the folder itself: %v", err)
	}
}
