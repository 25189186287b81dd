package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/resident"

	"github.com/viterin/vek"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// Documents and queries of our own test collection, by their numbers.
var (
	evalDocuments = []string{"night trains help people", "school uniforms cost people", "the work week", "an argument that opposes school uniforms", "trains cost work", "a claim that supports night trains", "people work: a week!"}
	evalQueries   = []string{"night trains", "find the school argument", "people that work"}
)

// newEvalFolder writes the collection as "b" in BEIR's layout, and three models:
// bert, question and other/bert. The gold of query i is document i and the next one.
func newEvalFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	newTransformer(t, dir, 1)
	for name, seed := range map[string]uint64{"question": 2, "other/bert": 3} {
		if err := modeltest.Write(filepath.Join(dir, name), seed); err != nil {
			t.Fatal(err)
		}
	}
	writeBEIR(t, dir, evalDocuments, evalQueries)
	return dir
}

func writeBEIR(t *testing.T, dir string, documents, queries []string) {
	t.Helper()
	var d, q, judged strings.Builder
	for i, text := range documents {
		fmt.Fprintf(&d, "{\"_id\": \"d%d\", \"text\": %q}\n", i, text)
	}
	judged.WriteString("query-id\tcorpus-id\tscore\n")
	for i, text := range queries {
		fmt.Fprintf(&q, "{\"_id\": \"q%d\", \"text\": %q, \"root\": %q, \"perspective\": \"that supports\", \"label\": \"l%d\"}\n", i, text, text[:6], i%2)
		fmt.Fprintf(&judged, "q%d\td%d\t1\nq%d\td%d\t1\n", i, i, i, i+1)
	}
	write(t, dir, "b/corpus.jsonl", d.String())
	write(t, dir, "b/queries.jsonl", q.String())
	write(t, dir, "b/qrels/test.tsv", judged.String())
}

// runScores returns the scores of a run by query and document.
func runScores(t *testing.T, path string) map[string]map[string]float64 {
	t.Helper()
	scores := map[string]map[string]float64{}
	for line := range strings.Lines(read(t, path)) {
		f := strings.Fields(line)
		score, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		if scores[f[0]] == nil {
			scores[f[0]] = map[string]float64{}
		}
		scores[f[0]][f[2]] = score
	}
	return scores
}

func length(v []float32) float64 { return vek.Norm(vek.FromFloat32(v)) }

func inner(a, b []float32) float64 { return vek.Dot(vek.FromFloat32(a), vek.FromFloat32(b)) }

// Several models run together, each with its own pooling and query encoder. The
// scores are the cosines of the package's vectors, rows have the names that were
// given, and every pair is tested.
func TestEvalBEIRSeveralModels(t *testing.T) {
	t.Parallel()
	dir := newEvalFolder(t)
	retrievers := []string{"bm25", "bert,pooling=cls,query-model=question", "static", "hybrid:bert,pooling=max", "bert", "bert,pooling=max", "other/bert"}
	args := []string{"b", "--run-out", "out.run"}
	for _, r := range retrievers {
		args = append(args, "-r", r)
	}
	f := evalBEIR(t, dir, args...)
	if len(f.Systems) != len(retrievers) || len(f.Comparisons[0].Pairs) != 21 || f.Documents != len(evalDocuments) {
		t.Fatalf("%+v", f)
	}
	for i, s := range f.Systems {
		if s.Name != retrievers[i] {
			t.Errorf("system %d is called %s", i, s.Name)
		}
	}
	if about := f.Systems[1].About; !strings.Contains(about, "bert@") || !strings.Contains(about, "cls pooling") || !strings.Contains(about, "queries by question@") {
		t.Errorf("about: %s", about)
	}
	for _, c := range []struct {
		run, documents, queries string
		pooling                 model.Pooling
	}{
		{"bert-pooling-cls-query-model-question", "bert", "question", model.CLS},
		{"bert", "bert", "bert", ""},
		{"bert-pooling-max", "bert", "bert", model.Max},
		{"other-bert", "other/bert", "other/bert", ""},
	} {
		scores := runScores(t, filepath.Join(dir, "out."+c.run+".run"))
		d := vectorsOf(t, filepath.Join(dir, c.documents), model.Options{Pooling: c.pooling}, encoder.Options{Role: encoder.Document}, evalDocuments...)
		q := vectorsOf(t, filepath.Join(dir, c.queries), model.Options{Pooling: c.pooling}, encoder.Options{Role: encoder.Query}, evalQueries...)
		for i := range q {
			for j := range d {
				got, want := scores[fmt.Sprint("q", i)][fmt.Sprint("d", j)], inner(q[i].Vector, d[j].Vector)
				if approx.Apart(got, want, 1e-5) {
					t.Errorf("%s: query %d, document %d: %v, the cosine is %v", c.run, i, j, got, want)
				}
			}
		}
	}
	// For a single model, alone or fused, flags have the same effect as options.
	one := evalBEIR(t, dir, "b", "-r", "bert", "-r", "bm25", "--pooling", "cls", "--query-model", "question", "--run-out", "one.run")
	if a, b := f.Systems[1].Means, one.Systems[0].Means; a["nDCG@10"] != b["nDCG@10"] || f.Systems[1].About != one.Systems[0].About {
		t.Errorf("by its options %v, by the flags %v", f.Systems[1], one.Systems[0])
	}
	if a, b := runScores(t, filepath.Join(dir, "out.bert-pooling-cls-query-model-question.run")), runScores(t, filepath.Join(dir, "one.bert.run")); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("by its options %v, by the flags %v", a, b)
	}
	fused := evalBEIR(t, dir, "b", "-r", "hybrid:bert", "-r", "bert", "--pooling", "max")
	for i, want := range []int{3, 5} {
		if a, b := fused.Systems[i].Means, f.Systems[want].Means; a["nDCG@10"] != b["nDCG@10"] {
			t.Errorf("%s: %v by the flag, %v by its option", f.Systems[want].Name, a, b)
		}
	}
	// A folder may have a comma and an equals sign in its name.
	if err := os.Rename(filepath.Join(dir, "other", "bert"), filepath.Join(dir, "lr=1,pooling=none")); err != nil {
		t.Fatal(err)
	}
	odd := evalBEIR(t, dir, "b", "-r", "lr=1,pooling=none,pooling=max", "-r", "lr=1,pooling=none")
	if a, b := odd.Systems[1].Means["nDCG@10"], f.Systems[6].Means["nDCG@10"]; a != b || !strings.Contains(odd.Systems[0].About, "max pooling") {
		t.Errorf("%+v", odd.Systems)
	}
}

// DPR's two encoders give the scores of the reference.
func TestEvalBEIRGoldenDPR(t *testing.T) {
	t.Parallel()
	folder := shared.Path(t, "data/golden/dpr-proj-tiny")
	b, err := os.ReadFile(filepath.Join(folder, "golden_scores.json"))
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Questions, Passages []string
		Scores              [][]float64
	}
	if err := json.Unmarshal(b, &golden); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeBEIR(t, dir, golden.Passages, golden.Questions)
	contexts, questions := filepath.Join(folder, "ctx_encoder"), filepath.Join(folder, "question_encoder")
	must(t, dir, "eval", "beir", "b", "-r", contexts, "--query-model", questions, "--run-out", "dpr.run")
	must(t, dir, "eval", "beir", "b", "-r", contexts, "--query-model", questions, "--score", "cosine", "--run-out", "cosine.run")
	scores, cosines := runScores(t, filepath.Join(dir, "dpr.run")), runScores(t, filepath.Join(dir, "cosine.run"))
	q, d := vectorsOf(t, questions, model.Options{}, encoder.Options{}, golden.Questions...), vectorsOf(t, contexts, model.Options{}, encoder.Options{}, golden.Passages...)
	for i, of := range golden.Scores {
		for j, want := range of {
			question, passage := fmt.Sprint("q", i), fmt.Sprint("d", j)
			if got := scores[question][passage]; approx.Apart(got, want, 1e-3) { // DPR compares by the dot product
				t.Errorf("question %d, passage %d: %v, the reference has %v", i, j, got, want)
			}
			if got := cosines[question][passage] * length(q[i].Vector) * length(d[j].Vector); approx.Apart(got, want, 1e-3) {
				t.Errorf("question %d, passage %d: %v by the cosine, the reference has %v", i, j, got, want)
			}
		}
	}
}

// Several retrievers by vectors give the same figures together as alone. The names
// of methods end with the retriever's name.
func TestEvalPIRSeveralModels(t *testing.T) {
	t.Parallel()
	dir := newEvalFolder(t)
	eval := func(args ...string) pirReport {
		t.Helper()
		return readReport(t, must(t, dir, append([]string{"eval", "pir", "b", "--methods", "none,pap", "--decompose", "--json", "-"}, args...)...).stdout)
	}
	several := eval("--retriever", "bm25", "--retriever", "bert,pooling=cls,query-model=question", "--retriever", "english", "--retriever", "bert",
		"--sweep", "lambda=0:1:1", "--runs", "runs", "--latex", "t.tex")
	const pair = "bert (cls, queries: question)"
	if got := several.Tasks["b"]; len(got) != 1+2*3 || got["bm25"].Method != "" || got["bm25"].Retriever != "bm25" {
		t.Fatalf("%+v", got)
	}
	for label, args := range map[string][]string{
		pair:                {"--retriever", "bert", "--pooling", "cls", "--query-model", "question"},
		"vantage-static-en": {"--retriever", "static"},
		"bert":              {"--retriever", "bert"},
	} {
		alone := eval(args...)
		for _, method := range []string{"query_cosine", "vec_projection"} {
			key := method + " of " + label
			got, want := several.Tasks["b"][key], alone.Tasks["b"][method]
			if got.Retriever != label || got.Method != method || want.Retriever != label || want.Method != "" {
				t.Errorf("%s: %+v, alone %+v", key, got, want)
			}
			if got.N != 3 || got.Recall.Overall != want.Recall.Overall || got.Root != want.Root || got.PRecall != want.PRecall {
				t.Errorf("%s: %+v, alone %+v", key, got, want)
			}
			if a, b := several.Decomposition["b"].Recall[key], alone.Decomposition["b"].Recall[method]; a != b || len(alone.Decomposition["b"].Recall) != 2 {
				t.Errorf("%s, decomposed: %+v, alone %+v", key, a, b)
			}
		}
	}
	if n := len(several.Decomposition["b"].Recall); n != 7 {
		t.Errorf("%d methods decomposed", n)
	}
	for _, name := range []string{"runs/b.bm25.run", "runs/b.query_cosine.bert.run", "runs/b.vec_projection.bert--cls--queries--question-.run", "runs/b.root-vantage-static-en.run",
		"sweep.bert.csv", "sweep.vantage-static-en.svg"} {
		if read(t, filepath.Join(dir, name)) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	// The runs can be compared, and their scores are the cosines of the pair of
	// models.
	must(t, dir, "eval", "compare", "runs/b.query_cosine.bert.run", "runs/b.query_cosine.vantage-static-en.run", "--qrels", "runs/b.qrels", "-c", "-m", "Success@1")
	scores := runScores(t, filepath.Join(dir, "runs", "b.query_cosine.bert--cls--queries--question-.run"))
	d := vectorsOf(t, filepath.Join(dir, "bert"), model.Options{Pooling: model.CLS}, encoder.Options{Role: encoder.Document}, evalDocuments...)
	q := vectorsOf(t, filepath.Join(dir, "question"), model.Options{Pooling: model.CLS}, encoder.Options{Role: encoder.Query}, evalQueries...)
	for i := range q {
		for j := range d {
			if got, want := scores[fmt.Sprint("q", i)][fmt.Sprint("d", j)], inner(q[i].Vector, d[j].Vector); approx.Apart(got, want, 1e-5) {
				t.Errorf("query %d, document %d: %v, the cosine is %v", i, j, got, want)
			}
		}
	}
	var labels []string
	for line := range strings.Lines(read(t, filepath.Join(dir, "t.tex"))) {
		if strings.HasPrefix(line, `\label`) {
			labels = append(labels, line)
		}
	}
	if slices.Sort(labels); len(slices.Compact(slices.Clone(labels))) != len(labels) {
		t.Errorf("tables with one label: %q", labels)
	}
	// Models with the same name are called as they were given.
	same := eval("--retriever", "bert", "--retriever", "other/bert").Tasks["b"]
	if a, b := same["query_cosine of bert"], same["query_cosine of other/bert"]; len(same) != 4 || a.N != 3 || b.N != 3 {
		t.Errorf("%+v", same)
	}
}

func TestEvalModelErrors(t *testing.T) {
	t.Parallel()
	dir := newEvalFolder(t)
	config := modeltest.Config()
	config["model_type"] = "dpr"
	if err := modeltest.Write(filepath.Join(dir, "dpr"), 4); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.WriteJSON(filepath.Join(dir, "dpr"), map[string]any{"config.json": config}); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	wide := modeltest.Small
	wide.Hidden = 64
	if err := wide.Write(filepath.Join(dir, "wide"), 5); err != nil {
		t.Fatal(err)
	}
	pir := func(flags ...string) []string { return append([]string{"eval", "pir", "b"}, flags...) }
	beir := func(flags ...string) []string { return append([]string{"eval", "beir", "b"}, flags...) }
	for _, c := range []struct {
		code  int
		args  []string
		parts []string
	}{
		{usage, beir("-r", "bert,pooling=median"), []string{"bert,pooling=median", "cls, mean"}},
		{usage, pir("--retriever", "bert", "--pooling", "median"), []string{"median", "cls, mean"}},
		{usage, beir("-r", "bert,poolin=cls"), []string{`"poolin"`, "pooling, query-model"}},
		{usage, beir("-r", "bert,pooling="), []string{"pooling is empty"}},
		{usage, beir("-r", "bert,pooling=cls,pooling=max"), []string{"given twice"}},
		{usage, beir("-r", ",pooling=cls"), []string{"names no model"}},
		{usage, pir("--retriever", "bm25,pooling=cls"), []string{"bm25 has no model"}},
		{usage, beir("-r", "bm25,pooling=cls"), []string{"bm25 has no model"}},
		{usage, beir("-r", "static,pooling=cls"), []string{"static model"}},
		{usage, pir("--retriever", "static,query-model=bert"), []string{"static model"}},
		{usage, beir("-r", "bm25", "-r", "hybrid", "--pooling", "cls"), []string{"and none is given"}},
		{usage, pir("--retriever", "bert", "--retriever", "bert,pooling=cls", "--query-model", "question"), []string{"one model", "bert,query-model=question"}},
		{usage, beir("-r", "bert,query-model=question", "--query-model", "bert"), []string{"two query models"}},
		{usage, pir("--retriever", "dpr"), []string{"DPR", "dpr,query-model=MODEL"}},
		{usage, beir("-r", "dpr"), []string{"DPR", "dpr,query-model=MODEL"}},
		{input, beir("-r", "bert,query-model=nowhere"), []string{"nowhere: no such folder"}},
		{input, pir("--retriever", "bert,query-model=static"), []string{"static gives 256 dimensions, bert 32"}},
		{input, beir("-r", "bert", "--query-model", "wide"), []string{"wide gives 64 dimensions, bert 32"}},
		{input, beir("-r", "bert,no"), []string{"bert,no: no such folder"}},
	} {
		fails(t, c.code, dir, c.args, c.parts...)
	}
	// A fault in the last model is found before the first one runs.
	write(t, dir, "question/model.safetensors", "damaged")
	for _, args := range [][]string{
		pir("--retriever", "bert,pooling=cls", "--retriever", "bert,query-model=question"),
		beir("-r", "bert,pooling=cls", "-r", "question"), beir("-r", "bert,query-model=question"),
	} {
		if r := fails(t, input, dir, args, "question"); strings.Contains(r.stderr, "index: ") || strings.Contains(r.stderr, "embed: ") {
			t.Errorf("%v: found late: %s", args, r.stderr)
		}
	}
	if r := fails(t, input, dir, []string{"eval", "pir", "b", "--retriever", "bert", "--retriever", "vectors:empty"}, "b_corpus.npy: no such file"); strings.Contains(r.stderr, "embed: ") {
		t.Errorf("found late: %s", r.stderr)
	}
	fails(t, usage, dir, []string{"eval", "pir", "b", "--retriever", "static", "--retriever", "english"}, "static is given twice")
	fails(t, usage, dir, []string{"eval", "beir", "b", "-r", "other/bert", "-r", "other,bert", "--run-out", "x.run"}, `"other/bert" and "other,bert" would both be called other-bert`)
	fails(t, usage, dir, []string{"eval", "beir", "b", "-r", "hybrid:bm25,pooling=cls"}, "bm25 has no model")
}

// Only one model at a time is in memory.
func TestEvalModelsMemory(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/status"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the system does not report a process's peak memory")
	}
	dir := t.TempDir()
	shape := modeltest.Shape{Vocabulary: len(modeltest.Vocabulary()), Hidden: 384, Layers: 3, Heads: 6, Positions: 64, MaxLength: 48}
	if err := shape.Write(filepath.Join(dir, "m"), 1); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "m", "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	writeBEIR(t, dir, evalDocuments, evalQueries)
	peak := func(args ...string) (most int64) {
		cmd := weighed(dir, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for { // the peak that is reported at the end includes the parent's memory
			select {
			case err := <-ended:
				if err != nil {
					t.Fatalf("%v: %v", args, err)
				}
				return most
			case <-time.After(5 * time.Millisecond):
				if _, now, err := resident.Of(cmd.Process.Pid); err == nil {
					most = max(most, now)
				}
			}
		}
	}
	for _, command := range []string{"pir", "beir"} {
		one := peak("eval", command, "b", "--retriever", "m")
		four, most := int64(math.MaxInt64), one+info.Size()+info.Size()/2
		for try := 0; try < 3 && four > most; try++ { // on a busy machine, garbage may be collected late
			four = min(four, peak("eval", command, "b", "--retriever", "m", "--retriever", "m,pooling=cls", "--retriever", "m,pooling=max", "--retriever", "m,pooling=last"))
		}
		t.Logf("%s: one model of %d MB takes %d MB, four take %d MB", command, info.Size()>>20, one>>20, four>>20)
		if four > most {
			t.Errorf("%s: one model of %d MB takes %d MB, four take %d MB", command, info.Size()>>20, one>>20, four>>20)
		}
	}
}
