package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// reviews is a folder with SST-2's files, filled with texts of our own. The other tasks' files are missing.
func reviews(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	words := [2][]string{{"dull", "slow", "stale"}, {"warm", "witty", "bright"}}
	var train, dev strings.Builder
	for i := range 60 {
		fmt.Fprintf(&train, "%d the film is %s , scene %d\n", i%2, words[i%2][i%3], i)
		fmt.Fprintf(&dev, "%d a %s story , part %d\n", i%2, words[i%2][i%3], i)
	}
	for name, text := range map[string]string{"stsa.binary.train.txt": train.String(), "stsa.binary.dev.txt": dev.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// eval pgra prints tables, writes them in every form with a reader's input and templates,
// and gives the same figures again.
func TestEvalPGRA(t *testing.T) {
	dir, data := t.TempDir(), reviews(t)
	args := []string{"eval", "pgra", data, "--task", "sst-2", "--k", "20", "--d", "5", "--rows", "30", "--seed", "7"}
	r := must(t, dir, append(args, "--json", "out.json", "--csv", "out.csv", "--markdown", "out.md", "--latex", "out.tex", "--fid", "reader", "--templates", "mine")...)
	for _, want := range []string{"seed 7", "k-NN, vantage-static-en (dot)", "ICL (OPT-13b)", "label consistency", "No --reranker", "Matthews' correlation"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in the tables:\n%s", want, r.stdout)
		}
	}
	if !strings.Contains(r.stderr, "embed: ") || !strings.Contains(r.stderr, "rank: 30 rankings") || !strings.Contains(r.stderr, "mine: the paper's templates") {
		t.Errorf("progress: %s", r.stderr)
	}
	var figures struct {
		Seed       uint64
		Tasks      []struct{ Test, Evidence int }
		Retrievers []struct {
			Tasks []struct{ First struct{ Vote float64 } }
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "out.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &figures); err != nil {
		t.Fatal(err)
	}
	if figures.Seed != 7 || figures.Tasks[0].Test != 30 || figures.Tasks[0].Evidence != 52 || figures.Retrievers[0].Tasks[0].First.Vote < .8 {
		t.Errorf("%+v", figures)
	}
	for name, want := range map[string]string{"out.csv": "pgra-table2,", "out.md": "| FiD |", "out.tex": `\toprule`,
		"reader/sst-2.test.jsonl": `"ctxs":[{"id":"train-`, "reader/sst-2.train.jsonl": `"target":"positive"`, "mine/sentiment.txt": "label 0 = negative"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: no %q: %v", name, want, err)
		}
	}
	if again := must(t, dir, append(args, "--json", "-")...); again.stdout != string(b) {
		t.Error("the same call gave other figures")
	}
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{usage, []string{"eval", "pgra"}, "DATA is missing"},
		{usage, []string{"eval", "pgra", data, "--task", "SST-3"}, "--task SST-3 is not known"},
		{usage, []string{"eval", "pgra", data, "--d", "200"}, "--d 200"},
		{usage, []string{"eval", "pgra", data, "--task", "SST-2", "--score", "euclid"}, "euclid"},
		{input, []string{"eval", "pgra", data}, "stsa.fine.train.txt"},
	} {
		fails(t, c.code, dir, c.args, c.says)
	}
	model := shared.Path(t, "data/golden/opt-tiny")
	short := "label 0 = bad\nlabel 1 = good\n---\n{text}\nIt is {label}."
	if err := os.WriteFile(filepath.Join(dir, "mine", "sentiment.txt"), []byte(short), 0o600); err != nil {
		t.Fatal(err)
	}
	r = must(t, dir, append(args, "--templates", "mine", "--reranker", model, "--shots", "2")...)
	for _, want := range []string{"ICL, calibrated, opt-tiny", "k-NN of PGRA's evidence, vantage-static-en (dot) → opt-tiny (cosine)", "k 16", "d 4", "2 demonstrations"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in the tables:\n%s", want, r.stdout)
		}
	}
	row := func(table, name string) string {
		_, after, _ := strings.Cut(table, "\n"+name)
		line, _, _ := strings.Cut(after, "\n")
		return line
	}
	const second = "k-NN of PGRA's evidence, vantage-static-en (dot) → "
	// In a child process the model gives the same vectors, and no answers by ICL.
	child := must(t, dir, append(args, "--templates", "mine", "--reranker", model, "--shots", "2", "--device", "process")...)
	if got, want := row(child.stdout, second), row(r.stdout, second); got != want || want == "" || !strings.HasPrefix(strings.TrimSpace(row(child.stdout, "ICL, opt-tiny ")), "n/a") {
		t.Errorf("a child process: %q, want %q:\n%s", got, want, child.stdout)
	}
	if again := must(t, dir, append(args, "--templates", "mine", "--reranker", model, "--shots", "2")...); again.stdout != r.stdout || !strings.Contains(again.stderr, "opt-tiny: vectors of ") {
		t.Errorf("the second run does not go on with the first one's vectors: %s", again.stderr)
	}
}
