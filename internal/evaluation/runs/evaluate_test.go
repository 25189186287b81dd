package runs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// files writes judgements and a run: q1 has its one relevant document at rank 2, q2 its
// one at rank 1, and q3 is not in the run.
func files(t *testing.T) (qrels, run string) {
	t.Helper()
	dir := t.TempDir()
	qrels, run = filepath.Join(dir, "qrels.txt"), filepath.Join(dir, "run.txt")
	if err := errors.Join(
		os.WriteFile(qrels, []byte("q1 0 a 1\nq2 0 b 2\nq3 0 c 1\n"), 0o600),
		os.WriteFile(run, []byte("q1 Q0 x 1 3 r\nq1 Q0 a 2 2 r\nq2 Q0 b 1 9 r\n"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	return qrels, run
}

// A run is evaluated as it is asked, and printed so.
func TestEvaluate(t *testing.T) {
	qrels, run := files(t)
	for _, c := range []struct {
		name   string
		change func(e *Evaluation)
		want   string
	}{
		{"averages", func(*Evaluation) {}, "recip_rank all 0.7500\n"},
		{"of all judged queries", func(e *Evaluation) { e.Options.Complete = true }, "recip_rank all 0.5000\n"},
		{"by query", func(e *Evaluation) { e.PerQuery = true }, "recip_rank q1 0.5000\nrecip_rank q2 1.0000\nrecip_rank all 0.7500\n"},
		{"by query alone", func(e *Evaluation) { e.PerQuery, e.NoSummary = true, true }, "recip_rank q1 0.5000\nrecip_rank q2 1.0000\n"},
		{"a higher grade", func(e *Evaluation) { e.Level = 2 }, "recip_rank all 0.5000\n"},
		{"two measures", func(e *Evaluation) { e.Measures = []string{"P.1", "num_ret"} }, "num_ret all 3\nP_1 all 0.5000\n"},
	} {
		e := Evaluation{Qrels: qrels, Run: run, Measures: []string{"recip_rank"}, Level: 1}
		c.change(&e)
		found, err := e.Evaluate(t.Context(), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var printed strings.Builder
		if err := e.Print(&printed, found); err != nil {
			t.Fatal(err)
		}
		got := strings.NewReplacer(" \t", " ", "\t", " ").Replace(printed.String())
		for strings.Contains(got, "  ") {
			got = strings.ReplaceAll(got, "  ", " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What makes no sense is the question's fault, and a file that cannot be used the
// input's; judgements without subtopics are remarked upon.
func TestEvaluateRefuses(t *testing.T) {
	qrels, run := files(t)
	for name, c := range map[string]struct {
		change func(e *Evaluation)
		kind   error
	}{
		"no run":                 {func(e *Evaluation) { e.Run = "" }, fault.Query},
		"level 0":                {func(e *Evaluation) { e.Level = 0 }, fault.Query},
		"a level too high":       {func(e *Evaluation) { e.Level = 1 << 31 }, fault.Query},
		"documents below 0":      {func(e *Evaluation) { e.Options.Collection = -1 }, fault.Query},
		"no such measure":        {func(e *Evaluation) { e.Measures = []string{"luck"} }, fault.Query},
		"judgements for a run":   {func(e *Evaluation) { e.Run = qrels }, fault.Input},
		"a run for judgements":   {func(e *Evaluation) { e.Qrels = run }, fault.Input},
		"a file that is missing": {func(e *Evaluation) { e.Run = filepath.Join(t.TempDir(), "none") }, fault.Input},
	} {
		e := Evaluation{Qrels: qrels, Run: run, Level: 1}
		c.change(&e)
		if _, err := e.Evaluate(t.Context(), nil); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var told strings.Builder
	e := Evaluation{Qrels: qrels, Run: run, Level: 1, Measures: []string{"alpha_nDCG@10"}, Options: trec.Options{}}
	if _, err := e.Evaluate(t.Context(), console.New(&told)); err != nil || !strings.Contains(told.String(), "more than one subtopic") {
		t.Errorf("%v, told %q", err, told.String())
	}
}
