package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A result of an evaluation takes the place of an earlier one, but of nothing else in a folder of data.
func TestResultsSpareData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"data/corpus.jsonl":   `{"_id": "1", "title": "", "text": "night trains"}` + "\n" + `{"_id": "2", "title": "", "text": "zoos"}` + "\n",
		"data/queries.jsonl":  `{"_id": "a", "text": "trains"}` + "\n" + `{"_id": "b", "text": "zoos"}` + "\n",
		"data/qrels/test.tsv": "query-id\tcorpus-id\tscore\na\t1\t1\nb\t2\t1\n",
		"data/TREC.test.txt":  "NUM:date When?\n",
	}
	for name, content := range files {
		write(t, dir, name, content)
	}
	for i, call := range []string{
		"eval beir data -r bm25", "eval pir data --retriever bm25", "eval rag data --retriever bm25", "eval berds data", "eval mvrag data --domain law",
		"eval pcas data", "eval pgra data", "eval sides --model pack data", "bench methods data",
	} {
		for name := range files {
			flag := []string{"--csv", "--json", "--markdown", "--latex"}[i%4]
			r := try(t, dir, append(strings.Fields(call), flag, name)...)
			if r.code != usage || !strings.Contains(r.stderr, filepath.Base(name)+" is in data, which is read") {
				t.Fatalf("%s %s %s exits with %d: %s", call, flag, name, r.code, r.stderr)
			}
		}
	}
	if r := try(t, dir, "eval", "beir", "data", "-r", "bm25", "--run-out", "data/queries.jsonl"); r.code != usage {
		t.Errorf("--run-out exits with %d: %s", r.code, r.stderr)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s is now %q (%v)", name, got, err)
		}
	}
	results := []string{"eval", "beir", "data", "-r", "bm25", "--run-out", "data/x.run", "--json", "data/x.json", "--csv", "data/x.csv", "--latex", "data/x.tex", "--markdown", "data/x.md"}
	must(t, dir, results...)
	must(t, dir, results...)
}
