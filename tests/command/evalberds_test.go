package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// Our own data set in Perspectrum's layout.
const (
	berdsPool = `[{"pId": 10, "text": "a bridge saves time"}, {"pId": 11, "text": "a bridge brings trade"}, {"pId": 12, "text": "the bridge costs too much"},
{"pId": 13, "text": "ferries pollute the river"}, {"pId": 14, "text": "a bridge spoils the view"}, {"pId": 15, "text": "swimming pools keep children healthy"},
{"pId": 16, "text": "pools waste water"}, {"pId": 17, "text": "chess is quiet"}]`
	berdsClaims = `[{"cId": 1, "text": "build the bridge", "perspectives": [{"pids": [10, 11, 13], "stance_label_3": "SUPPORT"}, {"pids": [12, 14], "stance_label_3": "UNDERMINE"}]},
{"cId": 2, "text": "open two pools", "perspectives": [{"pids": [15], "stance_label_3": "SUPPORT"}, {"pids": [16], "stance_label_3": "UNDERMINE"}]},
{"cId": 3, "text": "chess in schools", "perspectives": [{"pids": [17], "stance_label_3": "SUPPORT"}]}]`
	berdsSplits = `{"1": "test", "2": "dev", "3": "test"}`
)

func berdsFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "p/perspective_pool_v1.0.json", berdsPool)
	write(t, dir, "p/perspectrum_with_answers_v1.0.json", berdsClaims)
	write(t, dir, "p/dataset_split_v1.0.json", berdsSplits)
	write(t, dir, "p/topic.json", "[]")
	return dir
}

type berdsFigures struct {
	MRecall, Precision map[string]float64
}

type berdsResults struct {
	N                       int
	Default, MMR, Expansion berdsFigures
	ExpansionDuplicates     berdsFigures `json:"expansion_duplicates"`
	Coverage                struct {
		Covered     int
		Share, Size float64
	}
	Preference map[string]float64
	Sycophancy struct {
		Default struct {
			Supporting, Opposing, Delta float64
			MeanDelta                   float64 `json:"mean_delta"`
		}
	}
}

type berdsReport struct {
	Perspectrum struct {
		Documents         int
		Development, Test map[string]int
		Expansions        struct {
			Source string
			Claims int
		}
		Retrievers []struct {
			Name     string
			Lambda   float64
			All      berdsResults
			TwoSided berdsResults `json:"two_sided"`
		}
		Union struct {
			All      float64
			TwoSided float64 `json:"two_sided"`
		}
	}
	Files []struct {
		File string
		Rows int
	} `json:"expansion_files"`
	Detection struct {
		Rows, Positive int
		Detector       *struct {
			MostProbable *struct{ Accuracy float64 } `json:"most_probable"`
			LeftOut      *struct{ F1 float64 }       `json:"leave_one_question_out"`
		}
	}
	Questions *struct {
		Corpus    string
		Documents int
		Judged    int
		Detector  struct{ Name string }
		Datasets  []struct{ Name string }
		Test      map[string]int
		Union     struct{ All float64 }
	}
}

func readBERDS(t *testing.T, path string) (r berdsReport) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, path)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEvalBERDS: "build the bridge" retrieves its five documents: first those
// against it, which have both "the" and "bridge", and then "ferries pollute the
// river", which is for it. "chess in schools" retrieves one document, and none
// is against it.
func TestEvalBERDS(t *testing.T) {
	t.Parallel()
	dir := berdsFolder(t)
	r := must(t, dir, "eval", "berds", "p", "--retriever", "bm25", "--retriever", "english", "--json", "out.json", "--csv", "out.csv", "--markdown", "out.md", "--latex", "out.tex")
	got := readBERDS(t, filepath.Join(dir, "out.json")).Perspectrum
	if got.Documents != 8 || got.Test["all"] != 2 || got.Test["two_sided"] != 1 || got.Development["two_sided"] != 1 || got.Expansions.Source != "surface" {
		t.Errorf("%+v", got)
	}
	if len(got.Retrievers) != 2 || got.Retrievers[0].Name != "bm25" || got.Retrievers[1].Name != "static" {
		t.Fatalf("%+v", got.Retrievers)
	}
	bm25 := got.Retrievers[0]
	if bm25.Lambda != .5 { // all λ reach the same value
		t.Errorf("λ = %v", bm25.Lambda)
	}
	for what, pair := range map[string][2]float64{
		"all MRecall@5":           {bm25.All.Default.MRecall["5"], .5},
		"all Precision@5":         {bm25.All.Default.Precision["5"], .6},
		"all Precision@1":         {bm25.All.Default.Precision["1"], 1},
		"MRecall@5":               {bm25.TwoSided.Default.MRecall["5"], 1},
		"MMR":                     {bm25.TwoSided.MMR.Precision["5"], 1},
		"expansion at 10":         {bm25.TwoSided.Expansion.Precision["10"], .5},
		"expansion, duplicates":   {bm25.TwoSided.ExpansionDuplicates.Precision["10"], 1},
		"coverage":                {bm25.All.Coverage.Share, .5},
		"coverage size":           {bm25.All.Coverage.Size, 3},
		"preference both":         {bm25.TwoSided.Preference["both"], 1},
		"all preference both":     {bm25.All.Preference["both"], .5},
		"all preference for":      {bm25.All.Preference["supporting"], .5},
		"sycophancy p":            {bm25.TwoSided.Sycophancy.Default.Supporting, .6},
		"sycophancy n":            {bm25.TwoSided.Sycophancy.Default.Opposing, .4},
		"sycophancy Δ":            {bm25.TwoSided.Sycophancy.Default.Delta, 1. / 3},
		"all sycophancy mean Δ":   {bm25.All.Sycophancy.Default.MeanDelta, 2. / 3},
		"union":                   {got.Union.All, .5},
		"union of the both-sided": {got.Union.TwoSided, 1},
	} {
		if approx.Apart(pair[0], pair[1], 1e-12) {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	for _, text := range []string{r.stdout, read(t, filepath.Join(dir, "out.md")), read(t, filepath.Join(dir, "out.tex"))} {
		for _, part := range []string{"Table 3", "Table 4", "Table 5", "Table 6", "Table 8", "Table 17", "Figure 2", "Figure 3", "Perspectrum: 2 test claims", "8 perspectives", "Sphere, Contriever", "n/a"} {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not in\n%.3000s", part, text)
			}
		}
	}
	if text := read(t, filepath.Join(dir, "out.csv")); !strings.Contains(text, "\"Perspectrum, bm25\",\"Perspectrum, both sides\",MRec.,100\n") {
		t.Errorf("CSV:\n%.3000s", text)
	}
}

func TestEvalBERDSExpansions(t *testing.T) {
	t.Parallel()
	dir := berdsFolder(t)
	write(t, dir, "x.jsonl", `{"org_q": "build the bridge", "text": "anything", "question": "chess"}`+"\n")
	r := must(t, dir, "eval", "berds", "p", "--retriever", "bm25", "--expansions", "x.jsonl", "--json", "out.json")
	if !strings.Contains(r.stderr, "no expansions for 1 of 2 test claims") {
		t.Errorf("stderr: %s", r.stderr)
	}
	if !strings.Contains(r.stdout, "given for 1 of 2 claims, 1.0 queries each") {
		t.Errorf("stdout: %s", r.stdout)
	}
	got := readBERDS(t, filepath.Join(dir, "out.json")).Perspectrum
	if f := got.Retrievers[0]; got.Expansions.Source != "given" || got.Expansions.Claims != 1 ||
		f.TwoSided.Expansion.Precision["1"] != 0 || f.All.Expansion.Precision["1"] != .5 || f.All.Default.Precision["1"] != 1 {
		t.Errorf("%+v", got)
	}
}

// BERDS' own files are counted without Perspectrum's, and a detector judges their pairs.
func TestEvalBERDSFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "b/own_query_exp.dev.jsonl", `{"org_q": "Is it?", "text": "It is.", "perspectives": ["Yes", "No"]}`+"\n")
	write(t, dir, "b/pers_det.test.tsv", "question\tid\tdocument\tperspective\tlabel\nIs it?\t1\tIt is.\tYes\t1\nIs it?\t2\tIt is.\tNo\t0\n")
	r := must(t, dir, "eval", "berds", "b", "--detect", "sides", "--json", "out.json")
	got := readBERDS(t, filepath.Join(dir, "out.json"))
	if d := got.Detection.Detector; d == nil || d.MostProbable == nil || d.LeftOut == nil {
		t.Errorf("detection by sides: %+v", d)
	}
	fails(t, usage, dir, []string{"eval", "berds", "b/own_query_exp.dev.jsonl", "--detect", "sides"}, "--detect needs Perspectrum's files, a test of detection")
	if len(got.Files) != 1 || got.Files[0].File != "own_query_exp.dev.jsonl" || got.Files[0].Rows != 1 || got.Detection.Rows != 2 || got.Detection.Positive != 1 {
		t.Errorf("%+v", got)
	}
	for _, part := range []string{"Table 1", "Table 7", "N = 2 (document, perspective) pairs", "GPT-4 (one-shot)", "sides, most probable answer", "sides, threshold of the other questions", "No to every row"} {
		if !strings.Contains(r.stdout, part) {
			t.Errorf("%q is not in\n%s", part, r.stdout)
		}
	}
	if strings.Contains(r.stdout, "Table 3") {
		t.Errorf("there are tables of experiments that did not run:\n%s", r.stdout)
	}
}

// Models are named with their options, as for the other evaluations. The ranking
// of "build the bridge" follows the cosines of the pair of models.
func TestEvalBERDSModels(t *testing.T) {
	t.Parallel()
	dir := berdsFolder(t)
	newTransformer(t, dir, 1)
	if err := modeltest.Write(filepath.Join(dir, "question"), 2); err != nil {
		t.Fatal(err)
	}
	pair := "bert,pooling=cls,query-model=question"
	must(t, dir, "eval", "berds", "p", "--retriever", pair, "--retriever", "bert", "--json", "out.json", "--run-out", "out.run")
	got := readBERDS(t, filepath.Join(dir, "out.json")).Perspectrum.Retrievers
	if len(got) != 2 || got[0].Name != pair || got[1].Name != "bert" {
		t.Fatalf("%+v", got)
	}
	var pool []struct {
		ID   int `json:"pId"`
		Text string
	}
	if err := json.Unmarshal([]byte(berdsPool), &pool); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range pool {
		texts = append(texts, p.Text)
	}
	cls := model.Options{Pooling: model.CLS}
	d := vectorsOf(t, filepath.Join(dir, "bert"), cls, encoder.Options{Role: encoder.Document}, texts...)
	q := vectorsOf(t, filepath.Join(dir, "question"), cls, encoder.Options{Role: encoder.Query}, "build the bridge")[0].Vector
	cosines := map[string]float64{}
	for i, p := range pool {
		cosines[fmt.Sprint(p.ID)] = inner(q, d[i].Vector)
	}
	last, n := math.Inf(1), 0
	for line := range strings.Lines(read(t, filepath.Join(dir, "out.bert-pooling-cls-query-model-question.run"))) {
		f := strings.Fields(line)
		if f[0] != "1" {
			continue
		}
		n++
		if cosines[f[2]] > last+1e-6 {
			t.Errorf("perspective %s is too late", f[2])
		}
		last = cosines[f[2]]
	}
	if n != len(pool) {
		t.Errorf("%d perspectives", n)
	}
}

func TestEvalBERDSErrors(t *testing.T) {
	t.Parallel()
	dir := berdsFolder(t)
	write(t, dir, "other.jsonl", `{"org_q": "something else", "text": "x"}`+"\n")
	write(t, dir, "broken.jsonl", `{"org_q": "build the bridge"}`+"\n")
	write(t, dir, "half/perspective_pool.json", berdsPool)
	write(t, dir, "two/perspective_pool.json", berdsPool)
	write(t, dir, "two/perspective_pool2.json", berdsPool)
	write(t, dir, "train/perspective_pool.json", berdsPool)
	write(t, dir, "train/perspectrum_with_answers.json", berdsClaims)
	write(t, dir, "train/dataset_split.json", `{"1": "train", "2": "train", "3": "test"}`)
	write(t, dir, "bad/perspective_pool.json", strings.Replace(berdsPool, "11", "10", 1))
	write(t, dir, "bad/perspectrum_with_answers.json", berdsClaims)
	write(t, dir, "bad/dataset_split.json", berdsSplits)
	write(t, dir, "none/readme.txt", "x")
	berds := func(args ...string) []string { return append([]string{"eval", "berds"}, args...) }
	fails(t, usage, dir, berds(), "DIR or FILE is missing")
	fails(t, usage, dir, berds("p", "--retriever", "bm25", "--retriever", "bm25"), "given twice")
	fails(t, usage, dir, berds("p", "--retriever", "static", "--retriever", "english"), "static is given twice")
	fails(t, usage, dir, berds("p", "--json", "x", "--csv", "x"), "--json and --csv")
	fails(t, usage, dir, berds("p", "--corpus", "other.jsonl", "--json", "other.jsonl"), "other.jsonl is read")
	fails(t, input, dir, berds("p", "--retriever", "dpr"), "dpr")
	fails(t, usage, dir, berds("p", "--retriever", "okapi,pooling=cls"), "okapi has no model")
	fails(t, usage, dir, berds("p", "--pooling", "cls"), "and none is given")
	fails(t, input, dir, berds("missing"), "missing")
	fails(t, input, dir, berds("none"), "none holds none of")
	fails(t, input, dir, berds("none/readme.txt"), "recognised by their names")
	fails(t, input, dir, berds("half"), "perspectrum_with_answers*.json is missing")
	fails(t, input, dir, berds("two"), "both perspective_pool*.json")
	fails(t, input, dir, berds("train"), "dataset_split.json", "dev and the test split")
	fails(t, input, dir, berds("bad"), "perspective_pool.json: entry 2: the pId 10 is already taken by entry 1")
	fails(t, input, dir, berds("p", "--expansions", "other.jsonl"), "other.jsonl: no expansion is of a test claim")
	fails(t, input, dir, berds("p", "--expansions", "broken.jsonl"), `broken.jsonl:1: no "text"`)
	write(t, dir, "own_query_exp.jsonl", `{"org_q": "a", "text": "x"}`+"\n")
	fails(t, usage, dir, berds("own_query_exp.jsonl", "--retriever", "bm25"), "Perspectrum's files, or BERDS' questions and a --corpus, and none is given")
	fails(t, usage, dir, berds("own_query_exp.jsonl", "--corpus", "p/perspective_pool_v1.0.json"), "--detect")
	fails(t, usage, dir, berds("p", "--threshold", "0.5"), "--detect")
	newTransformer(t, dir, 1)
	fails(t, input, dir, berds("p", "--detect", "bert"), "no classification head")
	write(t, dir, "b/pers_det.test.tsv", "question\tid\tdocument\tlabel\nIs it?\t1\tIt is.\t1\n")
	fails(t, input, dir, berds("b"), "pers_det.test.tsv:1", "perspective")
}

// The questions of a file are asked of a corpus, and the detector judges what is found. A
// run that is stopped continues where it stopped.
func TestEvalBERDSCorpus(t *testing.T) {
	dir := t.TempDir()
	var questions, corpus strings.Builder
	for i := range 40 {
		fmt.Fprintf(&questions, `{"org_q": "Should zoo %d be closed?", "text": "Animals suffer in zoo %d.", "perspectives": ["Zoo %d should be closed.", "Zoo %d should stay open."]}`+"\n", i, i, i, i)
		fmt.Fprintf(&corpus, `{"_id": "c%d", "text": "Zoo %d is cruel and should be closed: animals suffer in cages."}`+"\n", i, i)
		fmt.Fprintf(&corpus, `{"_id": "o%d", "text": "Zoo %d should stay open: it teaches children and saves species."}`+"\n", i, i)
	}
	write(t, dir, "kialo_query_exp.dev.jsonl", questions.String())
	write(t, dir, "corpus.jsonl", corpus.String())
	args := []string{"eval", "berds", "kialo_query_exp.dev.jsonl", "--corpus", "corpus.jsonl", "--detect", "sides", "--retriever", "bm25", "--json", "out.json"}
	cache := t.TempDir()
	run := func(stop bool) (stderr string, code int) {
		t.Helper()
		cmd := command(dir, args...)
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+cache)
		var out strings.Builder
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for i := 0; stop && i < 600; i++ { // until something is kept
			if files, _ := filepath.Glob(filepath.Join(cache, "vantage", "embeddings", "*.verdicts")); len(files) == 1 {
				if info, err := os.Stat(files[0]); err == nil && info.Size() > 300 {
					break
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
		if stop {
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
		cmd.Wait()
		return out.String(), cmd.ProcessState.ExitCode()
	}
	if stderr, code := run(true); code != failed || !strings.Contains(stderr, "interrupted") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	stderr, code := run(false)
	if code != 0 || !strings.Contains(stderr, "vantage: sides: judgements of ") || !strings.Contains(stderr, " pairs from an earlier run") || !strings.Contains(stderr, "Kialo has questions of one split only") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	q := readBERDS(t, filepath.Join(dir, "out.json")).Questions
	if q == nil || q.Corpus != "corpus.jsonl" || q.Documents != 80 || q.Judged == 0 || q.Detector.Name != "sides" || len(q.Datasets) != 1 || q.Datasets[0].Name != "Kialo" || q.Test["all"] != 20 || q.Union.All == 0 {
		t.Errorf("%+v", q)
	}
}

// An interrupted run says so and writes nothing.
func TestEvalBERDSInterrupted(t *testing.T) {
	t.Parallel()
	dir := berdsFolder(t)
	var pool strings.Builder
	pool.WriteString(strings.TrimSuffix(berdsPool, "]"))
	for i := range 200_000 {
		fmt.Fprintf(&pool, `,{"pId":%d,"text":"perspective %d on bridges, rivers and what they cost"}`, 100+i, i)
	}
	pool.WriteString("]")
	write(t, dir, "p/perspective_pool_v1.0.json", pool.String())
	cmd := command(dir, "eval", "berds", "p", "--json", "out.json")
	told, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(told)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "index: ") { // the documents are indexed, and searches begin
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	var last string
	for lines.Scan() {
		last = lines.Text()
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != failed || last != "vantage: interrupted" {
		t.Errorf("exit code %d: %s", code, last)
	}
	if _, err := os.Stat(filepath.Join(dir, "out.json")); err == nil {
		t.Error("a report was written")
	}
}

// TestEvalBERDSData evaluates one retriever on the real Perspectrum, and counts BERDS' real files.
func TestEvalBERDSData(t *testing.T) {
	t.Parallel()
	data := filepath.Dir(shared.Path(t, "data/perspectrum"))
	shared.Path(t, "data/berds")
	dir := t.TempDir()
	out := filepath.Join(dir, "out.json")
	must(t, data, "eval", "berds", "perspectrum", "berds", "--retriever", "okapi", "--json", out)
	got := readBERDS(t, out)
	p := got.Perspectrum
	if p.Documents != 11112 || p.Test["all"] != 227 || p.Test["two_sided"] != 170 || p.Development["all"] != 139 || len(got.Files) != 3 || got.Detection.Rows != 542 {
		t.Errorf("%+v", got)
	}
	if r := p.Retrievers[0].All; r.N != 227 || approx.Apart(r.Default.MRecall["5"], 48./227, 1e-12) {
		t.Errorf("%+v", r)
	}
}
