package command

import (
	"os"
	"path/filepath"
	"testing"
)

// TestEvalTrec compares the command's output with that of trec_eval 9.0.8.
func TestEvalTrec(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "data", "trec")
	want, err := os.ReadFile(filepath.Join(folder, "expected.txt"))
	if err != nil {
		t.Skipf("trec_eval's reference output is not here: %v", err)
	}
	if got := must(t, folder, "eval", "trec", "--qrels", "qrels.txt", "--run", "run.txt", "-q").stdout; got != string(want) {
		t.Error("the output differs from trec_eval's")
	}
}

func TestEvalTrecFlags(t *testing.T) {
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

func TestEvalTrecErrors(t *testing.T) {
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
