package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// beirFigures is the output of `vantage eval beir --json`.
type beirFigures struct {
	Dataset, Judgements, Part string
	Documents, Queries        int
	Systems                   []struct {
		Name, About      string
		Dropped, Missing int
		Means            map[string]float64
	}
	QueryIDs    []string `json:"query_ids"`
	Values      map[string][][]float64
	Comparisons []struct {
		Measure string
		Pairs   []struct {
			A, B       string
			Difference float64
			PRHolm     float64 `json:"p_randomization_holm"`
		}
	}
}

func evalBEIR(t *testing.T, dir string, args ...string) beirFigures {
	t.Helper()
	return readFigures(t, must(t, dir, append([]string{"eval", "beir"}, append(args, "--json", "-")...)...).stdout)
}

func readFigures(t *testing.T, text string) (f beirFigures) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// If the runs on the bundled corpus are written and read back, the figures are the same to the
// last digit.
func TestEvalBEIRDebates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := filepath.Join(root(t), "examples", "debates")
	f := evalBEIR(t, dir, folder, "--run-out", "out.run")
	if f.Dataset != "debates" || f.Judgements != "qrels/test.tsv" || f.Documents != 1157 || f.Queries != 203 || len(f.Systems) != 4 || f.Systems[3].Name != "auto" || len(f.QueryIDs) != 203 {
		t.Fatalf("%+v", f)
	}
	if len(f.Comparisons) != 2 || len(f.Comparisons[0].Pairs) != 6 {
		t.Fatalf("comparisons %+v", f.Comparisons)
	}
	back := evalBEIR(t, dir, folder, "--run", "out.bm25.run", "--run", "out.static.run", "--run", "out.hybrid.run", "--run", "out.auto.run")
	for i, s := range f.Systems {
		if s.Missing != 0 || s.Means["nDCG@10"] < .35 || s.Means["R@100"] < .75 {
			t.Errorf("%+v", s)
		}
		if got := back.Systems[i].Means; got["nDCG@10"] != s.Means["nDCG@10"] || got["R@100"] != s.Means["R@100"] {
			t.Errorf("%s: %v, after reading the run back %v", s.Name, s.Means, got)
		}
		for m, values := range f.Values {
			for q, v := range values[i] {
				if back.Values[m][i][q] != v {
					t.Errorf("%s, %s, query %s: %v came back as %v", s.Name, m, f.QueryIDs[q], v, back.Values[m][i][q])
				}
			}
		}
	}
	// The points alone, from a run over everything.
	points := evalBEIR(t, dir, folder, "--run", "out.static.run", "--only", "kind=point")
	if points.Documents != 576 || points.Queries != 147 || points.Part != "only kind=point" || !(points.Systems[0].Means["nDCG@10"] > .3) {
		t.Errorf("points: %d documents, %d queries, %q, %+v", points.Documents, points.Queries, points.Part, points.Systems[0])
	}
	fails(t, usage, dir, []string{"eval", "beir", folder, "--only", "kind"}, "field=value")
	fails(t, input, dir, []string{"eval", "beir", folder, "--without", "colour=red"}, "without colour=red", "no document has")
	// bm25 writes the same file again.
	must(t, dir, "eval", "beir", folder, "-r", "bm25", "--run-out", "again.run")
	if read(t, filepath.Join(dir, "again.run")) != read(t, filepath.Join(dir, "out.bm25.run")) {
		t.Error("two runs of bm25 differ")
	}
}

// The report in every format; a run of `vantage search` has the same figures as the retriever with
// the same ranking.
func TestEvalBEIRReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := filepath.Join(root(t), "examples", "debates")
	must(t, dir, "index", "--encoder", "light", filepath.Join(folder, "corpus.jsonl"), "-o", "c", "--quantize", "f32")
	must(t, dir, "search", "c", "--queries", filepath.Join(folder, "queries.jsonl"), "--run", "search.run", "--method", "none", "-k", "1000")
	r := must(t, dir, "eval", "beir", folder, "-r", "static", "--run", "search.run", "-m", "nDCG@10",
		"--json", "f.json", "--csv", "f.csv", "--markdown", "f.md", "--latex", "f.tex")
	f := readFigures(t, read(t, filepath.Join(dir, "f.json")))
	if a, b := f.Systems[0].Means["nDCG@10"], f.Systems[1].Means["nDCG@10"]; a != b || a == 0 {
		t.Errorf("the encoder reaches %v, the search with it %v", a, b)
	}
	for _, text := range []string{r.stdout, read(t, filepath.Join(dir, "f.md")), read(t, filepath.Join(dir, "f.tex")), read(t, filepath.Join(dir, "f.csv"))} {
		if !strings.Contains(text, "debates, qrels/test.tsv: 203 queries, 1157 documents") || !strings.Contains(text, "search.run") {
			t.Errorf("a report lacks its caption or a row:\n%.400s", text)
		}
	}
}

// TestEvalBEIRCranfield evaluates Cranfield's own folder and a run of another BM25, and compares
// with the output of trec_eval 9.0.8.
func TestEvalBEIRCranfield(t *testing.T) {
	t.Parallel()
	data := filepath.Dir(shared.Path(t, "data/trec"))
	shared.Path(t, "data/cranfield")
	expected, err := os.ReadFile(filepath.Join(data, "trec", "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(data, "trec", "run.txt")
	dir := t.TempDir()
	r := must(t, dir, "eval", "beir", filepath.Join(data, "cranfield"), "-r", "bm25", "-r", "okapi", "--run", run, "-m", "nDCG@10")
	at := strings.Index(string(expected), "ndcg_cut_10           \tall\t")
	want := string(expected[at+27:][:6])
	if !strings.Contains(r.stdout, run+"   "+want+"\n") || !strings.Contains(r.stdout, "cranfield, qrels.txt: 225 queries, 1400 documents") {
		t.Errorf("not %s in\n%s", want, r.stdout)
	}
	graded := filepath.Join(data, "cranfield", "qrels_graded.txt")
	f := evalBEIR(t, dir, filepath.Join(data, "cranfield"), "--run", run, "--qrels", graded, "-m", "nDCG@10", "-m", "ERR@20", "-m", "nDCG(dcg='exp-log2')@10")
	trec := must(t, dir, "eval", "trec", "--qrels", graded, "--run", run, "-c", "-m", "nDCG@10").stdout
	if got := f.Systems[0].Means; got["nDCG@10"] == 0 || got["ERR@20"] == 0 || !strings.HasSuffix(trec, "\t"+four(got["nDCG@10"])+"\n") {
		t.Errorf("%v, and eval trec has %s", got, trec)
	}
}

func TestEvalBEIRFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "b/corpus.jsonl", `{"_id": "d1", "text": "cats"}`+"\n"+`{"_id": "d 2", "text": "cats and dogs"}`+"\n")
	write(t, dir, "b/queries.jsonl", `{"_id": "d1", "text": "cats"}`+"\n"+`{"_id": "q2", "text": "zebra"}`+"\n")
	write(t, dir, "b/qrels/test.tsv", "query-id\tcorpus-id\tscore\nd1\td 2\t1\nq2\td1\t1\n")
	write(t, dir, "b/qrels/bad.tsv", "query-id\tcorpus-id\tscore\nd1\td3\t1\n")
	write(t, dir, "run.txt", "d1 Q0 d1 1 2 x\n")
	write(t, dir, "unknown.txt", "d1 Q0 d1 1 2 x\nd1 Q0 d7 1 2 x\n")
	eval := func(flags ...string) []string { return append([]string{"eval", "beir", "b"}, flags...) }
	r := must(t, dir, eval("-r", "bm25", "-m", "RR")...)
	if !strings.Contains(r.stdout, "\nbm25              0.5000\n") || !strings.Contains(r.stderr, "bm25 has no results for 1 of 2 queries") {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
	if r := must(t, dir, eval("-r", "bm25", "-m", "RR", "--keep-same-id")...); !strings.Contains(r.stdout, "\nbm25              0.2500\n") {
		t.Errorf("the query's own document kept:\n%s", r.stdout)
	}
	fails(t, usage, dir, []string{"eval", "beir"}, "DIR is missing")
	fails(t, usage, dir, eval("-m", "nap"), `unknown measure "nap"`, "alpha_nDCG", "map_cut")
	fails(t, usage, dir, eval("-m", "alpha_nDCG@10"), "over subtopics")
	fails(t, usage, dir, eval("-k", "0"), "-k is 0")
	fails(t, usage, dir, eval("-r", "bm25", "-r", "bm25"), "bm25 is given twice")
	fails(t, usage, dir, eval("-r", "hybrid:bm25"), "hybrid:bm25")
	fails(t, usage, dir, eval("--run", "run.txt", "--run-out", "x"), "--run-out writes the rankings of retrievers")
	fails(t, usage, dir, eval("--run-out", "-"), "--run-out")
	fails(t, usage, dir, eval("--split", "../x"), "--split")
	fails(t, usage, dir, eval("--k1", "-1"), "k1 is -1")
	fails(t, usage, dir, eval("-r", "okapi", "-r", "static", "--k1", "5"), "--k1 is a parameter of bm25, and no retriever ranks by it", "add -r bm25")
	fails(t, usage, dir, eval("--run", "run.txt", "--b", "0"), "--b is a parameter of bm25")
	fails(t, usage, dir, eval("-r", "bm25", "-r", "auto", "--fusion", "min-max"), "--fusion belongs to hybrid, and no retriever is one")
	fails(t, usage, dir, eval("-r", "bm25", "-r", "pap:static", "--words-weight", "0.3"), "--words-weight belongs to hybrid")
	for _, takes := range []string{"bm25", "hybrid", "hybrid:pap:static", "auto:static"} {
		must(t, dir, eval("-r", takes, "--k1", "2", "--b", "0.5")...)
	}
	must(t, dir, eval("-r", "hybrid:static", "--fusion", "min-max", "--words-weight", "0.3")...)
	fails(t, usage, dir, eval("--json", "f", "--csv", "f"), "both write f")
	fails(t, usage, dir, eval("--run", "run.txt", "--json", "run.txt"), "run.txt is read")
	fails(t, usage, dir, eval("--qrels", "b/qrels/test.tsv", "--csv", "b/qrels/test.tsv"), "test.tsv is read")
	fails(t, usage, dir, eval("-r", "bm25", "--qrels", "b/qrels/test.tsv", "--run-out", "b/qrels/test.tsv"), "test.tsv is read")
	fails(t, failed, dir, []string{"eval", "beir", "nothing", "--json", "none/f"}, "none/f: cannot be written")
	fails(t, usage, dir, eval("--rounds", "0"), "--rounds is 0")
	fails(t, input, dir, []string{"eval", "beir", "nothing"}, "nothing")
	fails(t, input, dir, eval("-r", "nomodel"), "nomodel", "hybrid:MODEL")
	fails(t, input, dir, eval("--split", "dev"), "b/qrels/dev.tsv: there is no such file")
	fails(t, input, dir, eval("--split", "bad"), `bad.tsv:2: there is no document "d3"`)
	fails(t, input, dir, eval("--run", "unknown.txt"), `unknown.txt:2: there is no document "d7"`)
	fails(t, input, dir, eval("-r", "bm25", "--run-out", "out"), `"d 2" has white space`)
	fails(t, input, dir, eval("--run", "run.txt"), "run.txt: no query has both")
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a run that failed left a file")
	}
}

func four(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// If the command is interrupted while it searches, it ends, and writes neither run nor report.
func TestInterruptEvalBEIR(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "b/corpus.jsonl", longCorpus(longDocuments, "Lisbon"))
	var queries, qrels strings.Builder
	qrels.WriteString("query-id\tcorpus-id\tscore\n")
	for i := range 5000 {
		fmt.Fprintf(&queries, "{\"_id\": \"q%d\", \"text\": \"a document about Lisbon and the number %d\"}\n", i, i)
		fmt.Fprintf(&qrels, "q%d\td0\t1\n", i)
	}
	write(t, dir, "b/queries.jsonl", queries.String())
	write(t, dir, "b/qrels/test.tsv", qrels.String())
	interruptAfter(t, command(dir, "eval", "beir", "b", "-r", "hybrid", "--run-out", "out.run", "--json", "out.json"), "index: ")
	for _, name := range []string{"out.run", "out.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// Vectors of transformers are kept between runs, which give the same figures.
func TestEvalBEIRKeeps(t *testing.T) {
	dir := t.TempDir()
	newTransformer(t, dir, 1)
	partOfDebates(t, filepath.Join(dir, "debates"))
	run := func(retriever string) (figures, stderr string) {
		t.Helper()
		cmd := command(dir, "eval", "beir", "debates", "-r", retriever, "--json", "-")
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
		r := finish(t, cmd)
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		return r.stdout, r.stderr
	}
	first, told := run("bert")
	if strings.Contains(told, "earlier run") {
		t.Error(told)
	}
	again, told := run("bert")
	if again != first || !strings.Contains(told, "vantage: bert: vectors of 265 texts from an earlier run") { // 145 documents, 120 queries
		t.Errorf("the same figures: %v; told %s", again == first, told)
	}
	if _, told := run("bert,query-model=bert"); !strings.Contains(told, "vectors of 145 texts") || !strings.Contains(told, "vectors of 120 texts") {
		t.Errorf("with an encoder for each role: %s", told)
	}
}
