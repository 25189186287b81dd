package trec

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// TestReferenceOutput compares with the output of trec_eval 9.0.8, line by line.
func TestReferenceOutput(t *testing.T) {
	folder := shared.Path(t, "data/trec")
	want, err := os.ReadFile(filepath.Join(folder, "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	e := evaluateFiles(t, folder, nil, Options{})
	compareLines(t, e.AppendLines(nil, Lines{Queries: true, Summary: true}), want)
}

// TestRecordedOutput compares with the output of trec_eval 9.0.8 for a run of our own
// with features that the reference run lacks: ties, scores that differ beyond 32 bits,
// lines out of order, grades up to 11, documents pooled and not judged, queries without
// relevant documents, without results, without judgements.
func TestRecordedOutput(t *testing.T) {
	for _, c := range []struct {
		name     string
		measures []string
		options  Options
	}{
		{"default", nil, Options{}},
		{"complete", nil, Options{Complete: true}},
		{"level2", []string{"all_trec"}, Options{Level: 2}},
		{"params", []string{"success.2", "P.7,1", "P.3", "ndcg.1=3.5,2=9.0,11=7.0", "11pt_avg.0.2,0.5,0.8", "G.1=0.5", "Rndcg.3=1.5",
			"ndcg_rel.1=2", "utility.1,-0.5,-0.25,0", "set_F.0.5", "relstring.20", "iprec_at_recall.0.33,1", "Rprec_mult.0.5"}, Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := evaluateFiles(t, "testdata", c.measures, c.options)
			want, err := os.ReadFile(filepath.Join("testdata", c.name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, e.AppendLines(nil, Lines{Queries: true, Summary: true}), want)
		})
	}
}

// evaluateFiles evaluates run.txt against qrels.txt of a folder.
func evaluateFiles(t *testing.T, folder string, names []string, o Options) *Evaluation {
	t.Helper()
	open := func(name string) *os.File {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	qrels, err := ReadQrels(open("qrels.txt"), "qrels.txt")
	if err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun(open("run.txt"), "run.txt")
	if err != nil {
		t.Fatal(err)
	}
	measures, err := ParseMeasures(names)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(qrels, run, measures, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func compareLines(t *testing.T, got, want []byte) {
	t.Helper()
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	differ := 0
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			t.Fatalf("line %d is missing: %q", i+1, w[i])
		case i >= len(w):
			t.Fatalf("line %d is too many: %q", i+1, g[i])
		case !bytes.Equal(g[i], w[i]):
			t.Errorf("line %d is %q, want %q", i+1, g[i], w[i])
			if differ++; differ == 20 {
				t.Fatal("and so on")
			}
		}
	}
}
