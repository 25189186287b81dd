package command

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// TestEvalTrec compares the command's output with that of trec_eval 9.0.8.
func TestEvalTrec(t *testing.T) {
	t.Parallel()
	folder := shared.Path(t, "data/trec")
	want, err := os.ReadFile(filepath.Join(folder, "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if got := must(t, folder, "eval", "trec", "--qrels", "qrels.txt", "--run", "run.txt", "-q").stdout; got != string(want) {
		t.Error("the output differs from trec_eval's")
	}
}

func TestEvalTrecFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "qrels.txt", "1 0 a 1\n1 0 b 2\n2 0 a 1\n")
	write(t, dir, "run.txt", "1 Q0 a 1 2 mine\n1 Q0 c 2 3 mine\n")
	both := []string{"eval", "trec", "--qrels", "qrels.txt", "--run", "run.txt"}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"-m", "recip_rank", "-m", "runid", "-m", "P.2,1"},
			"runid                 \tall\tmine\nrecip_rank            \tall\t0.5000\nP_1                   \tall\t0.0000\nP_2                   \tall\t0.5000\n"},
		{[]string{"-m", "recip_rank", "-c", "-q"}, "recip_rank            \t1\t0.5000\nrecip_rank            \tall\t0.2500\n"},
		{[]string{"-m", "P(rel=2)@1", "-m", "R@2"}, "P(rel=2)@1            \tall\t0.0000\nR@2                   \tall\t0.5000\n"},
		{[]string{"-m", "num_rel", "-l", "2"}, "num_rel               \tall\t1\n"},
		{[]string{"-m", "num_ret", "-J"}, "num_ret               \tall\t1\n"},
		{[]string{"-m", "num_ret", "-M", "1", "-q", "-n"}, "num_ret               \t1\t1\n"},
		{[]string{"-m", "utility.0,0,0,1", "-N", "10"}, "utility_0,0,0,1       \tall\t7.0000\n"},
	} {
		if got := must(t, dir, append(both, c.flags...)...).stdout; got != c.want {
			t.Errorf("%v printed\n%swant\n%s", c.flags, got, c.want)
		}
	}
}

// BEIR's judgements and gzipped files evaluate like TREC's.
func TestEvalTrecReadsBEIR(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	zipped := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const (
		judged = "1 0 a 1\n1 0 b 2\n2 0 a 1\n"
		beir   = "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t2\n2\ta\t1\n"
		ranked = "1 Q0 a 1 2 mine\n1 Q0 c 2 3 mine\n2 Q0 a 1 2 mine\n"
	)
	write(t, dir, "qrels.txt", judged)
	write(t, dir, "qrels.tsv", beir)
	write(t, dir, "qrels.tsv.gz", zipped(beir))
	write(t, dir, "run.txt", ranked)
	write(t, dir, "run.gz", zipped(ranked))
	write(t, dir, "other.txt", "1 Q0 b 1 2 other\n2 Q0 c 1 2 other\n")
	want := must(t, dir, "eval", "trec", "--qrels", "qrels.txt", "--run", "run.txt", "-q").stdout
	compared := must(t, dir, "eval", "compare", "run.txt", "other.txt", "--qrels", "qrels.txt", "-m", "nDCG@10").stdout
	for _, qrels := range []string{"qrels.tsv", "qrels.tsv.gz"} {
		if got := must(t, dir, "eval", "trec", "--qrels", qrels, "--run", "run.gz", "-q").stdout; got != want {
			t.Errorf("%s:\n%swant\n%s", qrels, got, want)
		}
		if got := must(t, dir, "eval", "compare", "run.txt", "other.txt", "--qrels", qrels, "-m", "nDCG@10").stdout; got != compared {
			t.Errorf("compare with %s:\n%swant\n%s", qrels, got, compared)
		}
	}
	write(t, dir, "bad.tsv.gz", zipped(beir+"2\tb\tgood\n"))
	write(t, dir, "cut.gz", zipped(beir)[:40])
	fails(t, input, dir, []string{"eval", "trec", "--qrels", "bad.tsv.gz", "--run", "run.txt"}, "bad.tsv.gz:5:", `the score "good"`)
	fails(t, input, dir, []string{"eval", "trec", "--qrels", "cut.gz", "--run", "run.txt"}, "cut.gz:", "damaged gzip")
	fails(t, input, dir, []string{"eval", "trec", "--qrels", "qrels.tsv", "--run", "run.txt", "-m", "alpha_nDCG@10"}, "qrels.tsv:2:", "no subtopics")
}

func TestEvalTrecErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "qrels.txt", "1 0 a 1\n")
	write(t, dir, "other.txt", "2 0 a 1\n")
	write(t, dir, "run.txt", "1 Q0 a 1 2 mine\n")
	write(t, dir, "twice.txt", "1 Q0 a 1 2 mine\n1 Q0 a 2 1 mine\n")
	write(t, dir, "empty.txt", "")
	eval := func(qrels, run string, flags ...string) []string {
		return append([]string{"eval", "trec", "--qrels", qrels, "--run", run}, flags...)
	}
	fails(t, usage, dir, []string{"eval", "trek"}, `unknown evaluation "trek"`)
	fails(t, usage, dir, []string{"eval", "trec", "--run", "run.txt"}, "qrels")
	fails(t, usage, dir, eval("qrels.txt", "run.txt", "-m", "nap"), `unknown measure "nap"`)
	fails(t, usage, dir, eval("qrels.txt", "run.txt", "-l", "0"), "--level")
	fails(t, input, dir, eval("missing.txt", "run.txt"), "missing.txt")
	fails(t, input, dir, eval("qrels.txt", "qrels.txt"), "qrels.txt:1:", "6 fields")
	fails(t, input, dir, eval("qrels.txt", "twice.txt"), "twice.txt:2:", `"a" is listed twice`)
	fails(t, input, dir, eval("qrels.txt", "empty.txt"), "empty.txt: the run is empty")
	fails(t, input, dir, eval("other.txt", "run.txt"), "run.txt against other.txt", "no query has both")
}

// TestEvalCompare: run b finds the one relevant document of every query first, run a second, and a lacks query 6. The
// reciprocal ranks differ by ½ five times and by 1 once: with signs drawn, 2 of 2⁶ sums are as far from 0.
func TestEvalCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var qrels, a, b strings.Builder
	for q := 1; q <= 6; q++ {
		fmt.Fprintf(&qrels, "%d 0 good 1\n", q)
		if q < 6 {
			fmt.Fprintf(&a, "%d Q0 good 2 1 a\n%d Q0 bad 1 2 a\n", q, q)
		}
		fmt.Fprintf(&b, "%d Q0 good 1 2 b\n%d Q0 bad 2 1 b\n", q, q)
	}
	write(t, dir, "qrels.txt", qrels.String())
	write(t, dir, "a.txt", a.String())
	write(t, dir, "b.txt", b.String())
	compare := []string{"eval", "compare", "a.txt", "b.txt", "--qrels", "qrels.txt", "-m", "RR"}
	r := must(t, dir, append(compare, "--json")...)
	if !strings.Contains(r.stderr, "a.txt lacks 1 of 6 queries") {
		t.Errorf("stderr: %s", r.stderr)
	}
	got := decode[[]struct {
		Measure string
		Queries int
		Runs    []struct{ Mean float64 }
		Pairs   []struct {
			Difference, T  float64
			Better, Worse  int
			TTest          float64 `json:"p_t_test"`
			Randomized     float64 `json:"p_randomization"`
			RandomizedHolm float64 `json:"p_randomization_holm"`
		}
	}](t, r.stdout)
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }
	if len(got) != 1 || got[0].Measure != "RR" || got[0].Queries != 6 || !near(got[0].Runs[0].Mean, 2.5/6) || !near(got[0].Runs[1].Mean, 1) {
		t.Fatalf("%+v", got)
	}
	// Mean 7/12, squares of deviations 5/144 + 25/144 = 30/144; t = 7/12 / √(30/144/5/6) = 7.
	p := got[0].Pairs[0]
	if !near(p.Difference, 3.5/6) || !near(p.T, 7) || p.Better != 6 || p.Worse != 0 || !near(p.Randomized, 2./64) || !near(p.RandomizedHolm, 2./64) {
		t.Errorf("%+v", p)
	}
	if p.TTest < 9e-4 || p.TTest > 1e-3 { // t of 5 degrees of freedom at 7: 0.00092
		t.Errorf("t-test: p = %v", p.TTest)
	}
	if text := must(t, dir, compare...).stdout; !strings.Contains(text, "a.txt → b.txt") || !strings.Contains(text, "  0.5833  ") {
		t.Errorf("printed\n%s", text)
	}
	// Nothing has grade 2, so there is no difference.
	if text := must(t, dir, append(compare, "-l", "2")...).stdout; !strings.Contains(text, "  0.0000  ") || strings.Contains(text, "0.5833") {
		t.Errorf("printed\n%s", text)
	}
	fails(t, usage, dir, append(compare, "-l", "0"), "--level is 0, must be 1 or greater")
	fails(t, usage, dir, compare[:3], "at least two runs are needed, not 1")
	fails(t, usage, dir, compare[:6], "name a measure")
	fails(t, input, dir, append(compare, "-m", "runid"), "runid has no value for each query")
}
