package berds

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// questioned is a small corpus with questions of two data sets, which have two to four
// perspectives.
func questioned(seed uint64) *Perspectrum {
	rng := rand.New(rand.NewPCG(seed, 9))
	text := drawn(rng, "night trains school uniforms help cost people work week claim argument")
	p := &Perspectrum{}
	for i := range 120 {
		p.Pool, p.IDs = append(p.Pool, text(2+rng.IntN(5))), append(p.IDs, fmt.Sprint("d", i))
	}
	for i := range 18 {
		c := Claim{ID: i, Name: fmt.Sprint("q", i), Text: text(3), Source: []string{"Kialo", "ours"}[i/2%2], Split: []string{Development, Test}[i%2]}
		for range 2 + max(0, rng.IntN(6)-3) {
			c.Perspectives = append(c.Perspectives, text(4))
		}
		for range 1 + rng.IntN(4) {
			c.Queries = append(c.Queries, c.Text+" "+text(2))
		}
		c.Documents = make([][]uint32, len(c.Perspectives))
		p.Claims = append(p.Claims, c)
	}
	return p
}

// The measures of questions whose documents a detector judges as they are found, beside
// the definitions on judgements of every document by the same detector.
func TestQuestionsAgainstDefinitions(t *testing.T) {
	d := openTestDetector(t, classifierFolder(t, 5, "contradiction", "entailment", "neutral"))
	for seed := range uint64(2) {
		p, whole := questioned(seed), questioned(seed)
		var scores []float32
		for i := range whole.Claims {
			c := &whole.Claims[i]
			for _, document := range whole.Pool {
				for _, perspective := range c.Perspectives {
					v, err := d.judge(t.Context(), []pair{{perspective, document}}, func(int) {})
					if err != nil {
						t.Fatal(err)
					}
					scores = append(scores, v[0].score)
				}
			}
		}
		sorted := slices.Sorted(slices.Values(scores))
		threshold := float64(sorted[len(sorted)*19/20])
		next := 0
		for i := range whole.Claims {
			c := &whole.Claims[i]
			for document := range whole.Pool {
				for side := range c.Perspectives {
					if float64(scores[next]) >= threshold {
						c.Documents[side] = append(c.Documents[side], uint32(document))
					}
					next++
				}
			}
		}
		j := newJudging(d, p.Pool, &threshold)
		e := checkJudged(t, p, whole, nil, j.judge, "Kialo", "ours")
		if e.Expansions.Source != "given" || e.Expansions.Claims != 9 || len(e.Datasets) != 2 || e.Datasets[0].Test+e.Datasets[1].Test != 9 || e.Test.TwoSided == 9 || e.Test.TwoSided == 0 {
			t.Errorf("%+v", e)
		}
		for i := range p.Claims { // what was judged is what the detector says, no more
			for side, documents := range p.Claims[i].Documents {
				for _, document := range documents {
					if !slices.Contains(whole.Claims[i].Documents[side], document) {
						t.Errorf("question %d, perspective %d: document %d", i, side, document)
					}
				}
				if !slices.IsSorted(documents) {
					t.Errorf("documents %v", documents)
				}
			}
		}
		r := &e.Retrievers[0]
		average := r.average()
		if got, want := average.MMR.MRecall[5], (r.Datasets[0].MMR.MRecall[5]+r.Datasets[1].MMR.MRecall[5])/2; got != want || average.Default.Precision[1] != (r.Datasets[0].Default.Precision[1]+r.Datasets[1].Default.Precision[1])/2 {
			t.Errorf("average %v, want %v", got, want)
		}
	}
}

func questionLines(n int) string {
	var b strings.Builder
	for i := range n {
		for _, view := range []string{"cost", "help"} {
			fmt.Fprintf(&b, `{"org_id": "%d", "org_q": "Should night trains run %d times a week?", "text": "They %s people.", "perspectives": ["Night trains should run.", "Night trains should not run."]}`+"\n", i, i, view)
		}
	}
	return b.String()
}

const questionCorpus = `{"_id": "a", "text": "Night trains should run because they help people."}
{"_id": "b", "text": "Night trains should not run, as they cost too much."}
{"_id": "c", "title": "Chess", "text": "Chess is quiet."}
`

// Questions are read with their data set and split, a corpus is searched, and a second run
// finds the first one's judgements.
func TestQuestions(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"kialo_query_exp.dev.jsonl": questionLines(4), "arguana_generated_query_exp.dev.jsonl": questionLines(3), "arguana_generated_query_exp.test.jsonl": questionLines(2), "corpus.jsonl": questionCorpus} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, keep := filepath.Join(t.TempDir(), "out.run"), filepath.Join(t.TempDir(), "keep")
	run := func() (*Evaluation, string) {
		t.Helper()
		var told strings.Builder
		e := Experiment{Retrievers: []string{"bm25", "static"}, Detect: "sides", Corpus: filepath.Join(dir, "corpus.jsonl"), RunOut: out, Encoding: retrieve.Encoding{Console: console.New(&told), Keep: keep}}
		found, err := e.Evaluate(t.Context(), []string{dir}, true)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Tables()) != 9 {
			t.Errorf("%d tables", len(found.Tables()))
		}
		return found.Questions, told.String()
	}
	q, told := run()
	if q.Corpus != "corpus.jsonl" || q.Documents != 3 || q.Judged == 0 || q.Detector.Name != "sides" || len(q.Datasets) != 2 ||
		q.Datasets[0] != (Dataset{"Arguana", 3, 2}) || q.Datasets[1] != (Dataset{"Kialo", 2, 2}) || q.Test != (Questions{4, 4}) {
		t.Errorf("%+v", q)
	}
	if !strings.Contains(told, "Kialo has questions of one split only") || strings.Contains(told, "Arguana has") || strings.Contains(told, "earlier run") {
		t.Error(told)
	}
	// The two documents on night trains have a perspective each, and chess has none.
	r := q.Retrievers[1]
	if r.All.Default.MRecall[5] != 1 || r.All.Default.Precision[5] != 2./5 || r.TwoSided.Preference.Both != 1 || q.Union.All != 1 {
		t.Errorf("%+v, union %+v", r.All, q.Union)
	}
	qrels, err := os.ReadFile(strings.TrimSuffix(out, ".run") + ".qrels")
	if err != nil || !strings.Contains(string(qrels), "Kialo-2 support a 1\nKialo-2 oppose a 0\nKialo-2 support b 0\nKialo-2 oppose b 1\n") {
		t.Errorf("%v: %s", err, qrels)
	}
	again, told := run()
	first, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := json.Marshal(again); err != nil || string(second) != string(first) || !strings.Contains(told, fmt.Sprintf("judgements of %d pairs from an earlier run", q.Judged)) {
		t.Errorf("%v: %s, want %s; told %s", err, second, first, told)
	}
}

// Invalid questions, corpora and options are refused by name.
func TestQuestionsRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, corpus := file("kialo_query_exp.dev.jsonl", questionLines(4)), file("corpus.jsonl", questionCorpus)
	bare := file("bare/kialo_query_exp.dev.jsonl", `{"org_q": "Is it?", "text": "It is."}`)
	hollow := file("hollow/kialo_query_exp.dev.jsonl", `{"org_q": "Is it?", "text": "It is.", "perspectives": ["Yes", " "]}`)
	single := file("single/kialo_query_exp.dev.jsonl", questionLines(1))
	double := file("double/kialo2_query_exp.dev.jsonl", questionLines(1))
	test := file("test/kialo_query_exp.test.jsonl", questionLines(1))
	third := file("third/kialo_query_exp.jsonl", questionLines(1))
	empty := file("empty.jsonl", "\n")
	untold := classifierFolder(t, 1, "a", "b")
	ranker := classifierFolder(t, 1, "")
	whole := sampleFolder(t, nil)
	one, none := 1.0, math.NaN()
	for name, c := range map[string]struct {
		e     Experiment
		paths []string
		kind  fault.Kind
		part  string
	}{
		"no detector":              {Experiment{Corpus: corpus}, []string{good}, fault.Query, "--detect"},
		"no questions":             {Experiment{Corpus: corpus, Detect: "sides"}, []string{whole}, fault.Query, "_query_exp"},
		"with Perspectrum":         {Experiment{Corpus: corpus, Detect: "sides"}, []string{whole, good}, fault.Query, "one at a time"},
		"other expansions":         {Experiment{Corpus: corpus, Detect: "sides", Expansions: good}, []string{good}, fault.Query, "--expansions"},
		"a threshold of nothing":   {Experiment{Threshold: &one}, []string{whole}, fault.Query, "--detect"},
		"a threshold of NaN":       {Experiment{Threshold: &none, Detect: "sides"}, []string{whole}, fault.Query, "finite"},
		"a threshold, Perspectrum": {Experiment{Threshold: &one, Detect: "sides"}, []string{whole}, fault.Query, "--threshold goes with"},
		"no perspectives":          {Experiment{Corpus: corpus, Detect: "sides"}, []string{bare}, fault.Input, `"Is it?" has no "perspectives"`},
		"an empty perspective":     {Experiment{Corpus: corpus, Detect: "sides"}, []string{hollow}, fault.Input, `no "perspectives"`},
		"one question":             {Experiment{Corpus: corpus, Detect: "sides", Retrievers: []string{"bm25"}}, []string{single}, fault.Input, "too few questions"},
		"one data set twice":       {Experiment{Corpus: corpus, Detect: "sides"}, []string{good, double}, fault.Input, "both questions of Kialo"},
		"a file of a third split":  {Experiment{Corpus: corpus, Detect: "sides"}, []string{good, test, third}, fault.Input, "third/kialo_query_exp.jsonl: the name says no split"},
		"an empty corpus":          {Experiment{Corpus: empty, Detect: "sides"}, []string{good}, fault.Input, "no documents"},
		"no corpus":                {Experiment{Corpus: filepath.Join(dir, "none.jsonl"), Detect: "sides"}, []string{good}, fault.Input, "none.jsonl"},
		"a classifier of a and b":  {Experiment{Corpus: corpus, Detect: untold}, []string{good}, fault.Unsupported, "none is entailment"},
		"a re-ranker's answers":    {Experiment{Corpus: corpus, Detect: ranker}, []string{good}, fault.Query, "--threshold"},
		"nothing to detect in":     {Experiment{Detect: "sides"}, []string{good}, fault.Query, "pers_det"},
		"retrievers of no corpus":  {Experiment{RunOut: "x"}, []string{good}, fault.Query, "--corpus"},
	} {
		c.e.Encoding.Console = nil
		if _, err := c.e.Evaluate(t.Context(), c.paths, false); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, want %q", name, err, c.part)
		}
	}
}

// BERDS' files give the questions that the paper's Table 1 counts, less the one that two
// records share.
func TestQuestionFiles(t *testing.T) {
	dir := shared.Path(t, "data/berds")
	files, err := Find([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	claims, sets, halved, err := readQuestions(t.Context(), files.Expansions)
	if err != nil || len(claims) != 801 || !slices.Equal(sets, datasets) || len(halved) != 3 {
		t.Fatalf("%d questions of %v, %v halved, %v", len(claims), sets, halved, err)
	}
	two := 0
	for i, c := range claims {
		if c.TwoSided() {
			two++
		}
		if c.ID != i || len(c.Queries) == 0 || len(c.Documents) != len(c.Perspectives) {
			t.Errorf("%+v", c)
		}
	}
	if two != 250+232+293 {
		t.Errorf("%d questions of two perspectives", two)
	}
}
