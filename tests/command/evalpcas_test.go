package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// eval pcas prints tables, writes them in every form, shows its progress and its seed, and
// gives the same figures again.
func TestEvalPCAS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, err := filepath.Abs("../../examples/benefits")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"eval", "pcas", data, "--retriever", "static", "--rounds", "50", "--seed", "7"}
	r := must(t, dir, append(args, "--json", "out.json", "--csv", "out.csv", "--markdown", "out.md", "--latex", "out.tex")...)
	for _, want := range []string{"seed 7", "B3", "PCAS, K 5, λ 0.60 (the paper's on test)", "(chosen)", "contexts"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in the tables:\n%s", want, r.stdout)
		}
	}
	if !strings.Contains(r.stderr, "embed: ") || !strings.Contains(r.stderr, "rank: 48 rankings") {
		t.Errorf("progress: %s", r.stderr)
	}
	var figures struct {
		Documents  int
		Seed       uint64
		Retrievers []struct {
			Splits []struct {
				Questions int
				Systems   []struct{ Name string }
			}
			Sweep []struct{ K int }
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "out.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &figures); err != nil {
		t.Fatal(err)
	}
	if f := figures.Retrievers[0]; figures.Documents != 60 || figures.Seed != 7 || len(f.Sweep) != 95 || f.Splits[1].Questions != 24 || len(f.Splits[1].Systems) < 5 {
		t.Errorf("%+v", figures)
	}
	for name, want := range map[string]string{"out.csv": "pcas-test,", "out.md": "| B2 |", "out.tex": `\toprule`} {
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
		{usage, []string{"eval", "pcas"}, "DATA is missing"},
		{usage, []string{"eval", "pcas", data, "--retriever", "bm25"}, "words do not compare"},
		{usage, []string{"eval", "pcas", data, "--rounds", "0"}, "--rounds"},
		{input, []string{"eval", "pcas", dir}, "contexts.jsonl"},
	} {
		fails(t, c.code, dir, c.args, c.says)
	}
}

// Vectors of transformers are kept between runs, which give the same figures.
func TestEvalPCASKeeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newTransformer(t, dir, 1)
	data, err := filepath.Abs("../../examples/benefits")
	if err != nil {
		t.Fatal(err)
	}
	run := func() (figures, stderr string) {
		t.Helper()
		cmd := command(dir, "eval", "pcas", data, "--retriever", "bert", "--rounds", "50", "--json", "-")
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
		r := finish(t, cmd)
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		return r.stdout, r.stderr
	}
	first, told := run()
	if strings.Contains(told, "earlier run") {
		t.Error(told)
	}
	if again, told := run(); again != first || !strings.Contains(told, "vantage: bert: vectors of ") || !strings.Contains(told, " texts from an earlier run") {
		t.Errorf("the same figures: %v; told %s", again == first, told)
	}
}
