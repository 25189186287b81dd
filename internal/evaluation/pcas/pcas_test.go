package pcas

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/joint"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/trec"
)

const benefits = "../../../examples/benefits"

func evaluate(t *testing.T, dir, retriever string, rounds int) *Report {
	t.Helper()
	e := Experiment{Retrievers: []string{retriever}, Tests: compare.Tests{Rounds: rounds, Seed: 1}}
	r, err := e.Evaluate(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bySystem are the systems of a split by their names, PCAS with its setting.
func bySystem(s *Split) map[string]*System {
	out := map[string]*System{}
	for i := range s.Systems {
		name := s.Systems[i].Name
		if p := s.Systems[i].Setting; p != nil {
			name = fmt.Sprintf("%s %d %g", name, p.K, p.Lambda)
		}
		out[name] = &s.Systems[i]
	}
	return out
}

// oracle answers a question as §4 of the paper says, in float64, without package joint.
type oracle struct {
	x    *space
	s    *Set
	kept map[text][]float32
}

func (n *oracle) vector(t *testing.T, of string, role encoder.Role) []float32 {
	key := text{of, role}
	if n.kept[key] == nil {
		found, err := n.x.by.encode(t.Context(), n.x.queries, []string{of}, role)
		if err != nil {
			t.Fatal(err)
		}
		n.kept[key] = found[0].Vector
	}
	return n.kept[key]
}

// score compares a text in the role of a query with one in the role of a document.
func (n *oracle) score(query, document []float32) float64 {
	if m, ok := n.x.by.(*maxSims); ok {
		return naive.MaxSim(query, document, m.dim)
	}
	return naive.Cosine(query, document)
}

func (n *oracle) ranking(t *testing.T, query []float32) (order []int, scores []float64) {
	for i, d := range n.s.Documents {
		order, scores = append(order, i), append(scores, n.score(query, n.vector(t, d, encoder.Document)))
	}
	slices.SortStableFunc(order, func(a, b int) int { return descending(scores[a], scores[b]) })
	return order, scores
}

func descending(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

func (n *oracle) answer(t *testing.T, system string, q *Question, s Setting) answer {
	// best is the context that scores highest, as a query against a document or as a document
	// against the question.
	best := func(score func(c string) float64) int {
		at, highest := 0, math.Inf(-1)
		for i, c := range q.Contexts {
			if s := score(c); s > highest {
				at, highest = i, s
			}
		}
		return at
	}
	forDocument := func(d int) int {
		vector := n.vector(t, n.s.Documents[d], encoder.Document)
		return best(func(c string) float64 { return n.score(n.vector(t, c, encoder.Query), vector) })
	}
	switch system {
	case "OR":
		order, _ := n.ranking(t, n.vector(t, q.Text+" "+q.Contexts[q.Right], encoder.Query))
		return answer{order[:5], -1}
	case "B1":
		order, _ := n.ranking(t, n.vector(t, q.Text+" "+strings.Join(q.Contexts, " "), encoder.Query))
		return answer{order[:5], -1}
	case "B2":
		order, _ := n.ranking(t, n.vector(t, q.Text, encoder.Query))
		return answer{order[:5], forDocument(order[0])}
	case "B3":
		question := n.vector(t, q.Text, encoder.Query)
		c := best(func(c string) float64 { return n.score(question, n.vector(t, c, encoder.Document)) })
		order, _ := n.ranking(t, n.vector(t, q.Text+" "+q.Contexts[c], encoder.Query))
		return answer{order[:5], c}
	}
	order, scores := n.ranking(t, n.vector(t, q.Text, encoder.Query))
	order = order[:s.K]
	pair := map[int]int{}
	for _, d := range order {
		pair[d] = forDocument(d)
		fit := n.score(n.vector(t, q.Contexts[pair[d]], encoder.Query), n.vector(t, n.s.Documents[d], encoder.Document))
		scores[d] = s.Lambda*scores[d] + (1-s.Lambda)*fit
	}
	slices.SortStableFunc(order, func(a, b int) int { return descending(scores[a], scores[b]) })
	return answer{order[:5], pair[order[0]]}
}

// colbert makes the folder of a ColBERT with random weights.
func colbert(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "colbert")
	if err := modeltest.WriteColBERT(dir, 1, 24); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every system, computed again from the paper's words and measured by trec.Evaluate, has the
// same figures on our own demonstration corpus. A ColBERT compares by MaxSim.
func TestSystemsAreThePapers(t *testing.T) {
	for name, retriever := range map[string]string{"cosine": "static", "MaxSim": colbert(t)} {
		t.Run(name, func(t *testing.T) { systemsAreThePapers(t, retriever) })
	}
}

func systemsAreThePapers(t *testing.T, retriever string) {
	report := evaluate(t, benefits, retriever, 20)
	set, err := Open(t.Context(), benefits, 1)
	if err != nil {
		t.Fatal(err)
	}
	e := Experiment{Retrievers: []string{retriever}}
	models, err := e.models(t.Context())
	if err == nil {
		err = retrieve.Try(t.Context(), models)
	}
	if err != nil {
		t.Fatal(err)
	}
	x, closed, err := open(t.Context(), models[0])
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	n := &oracle{x, set, map[text][]float32{}}
	for at, questions := range [][]Question{set.Validation, set.Test} {
		split := &report.Retrievers[0].Splits[at]
		for _, system := range split.Systems {
			setting := Setting{}
			if system.Setting != nil {
				setting = *system.Setting
			}
			qrels, run := trec.NewQrels("qrels"), trec.NewRun("run", "run")
			contexts := 0.0
			for i := range questions {
				q := &questions[i]
				a := n.answer(t, system.Name, q, setting)
				for _, d := range q.Gold {
					qrels.Add(q.ID, set.IDs[d], 1)
				}
				for rank, d := range a.documents {
					if err := run.Add(q.ID, set.IDs[d], float32(-rank)); err != nil {
						t.Fatal(err)
					}
				}
				if a.context == q.Right {
					contexts++
				}
			}
			asked, err := trec.ParseMeasures([]string{"R@1", "R@5", "AP@5"})
			if err != nil {
				t.Fatal(err)
			}
			want, err := trec.Evaluate(qrels, run, asked, trec.Options{Complete: true})
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range []Figure{system.R1, system.R5, system.MAP5} {
				if approx.Apart(got.Mean, want.Averages[i], 1e-9) || !(got.Low <= got.Mean && got.Mean <= got.High) {
					t.Errorf("%s %s, %s: %+v, want %g", split.Name, system.Name, asked[i].Name(), got, want.Averages[i])
				}
			}
			if choose := system.Name != "OR" && system.Name != "B1"; choose != (system.Contexts != nil) {
				t.Errorf("%s: contexts %v", system.Name, system.Contexts)
			} else if choose && approx.Apart(system.Contexts.Mean, contexts/float64(len(questions)), 1e-9) {
				t.Errorf("%s %s: contexts %g of %d, got %g", split.Name, system.Name, contexts, len(questions), system.Contexts.Mean)
			}
		}
	}
}

// With K = 5, PCAS reorders the five documents that B2 finds, so that R@5 is the same.
func TestWithFivePCASHasTheRecallOfB2(t *testing.T) {
	for retriever, setting := range map[string]string{"static": "PCAS 5 0.6", colbert(t): "PCAS 5 0.55"} {
		r := evaluate(t, benefits, retriever, 20).Retrievers[0]
		for _, s := range r.Splits {
			by := bySystem(&s)
			if five, b2 := by[setting], by["B2"]; five.R5 != b2.R5 {
				t.Errorf("%s: R@5 %v, B2 has %v", s.Name, five.R5, b2.R5)
			} else if retriever == "static" && five.R1 == b2.R1 && five.MAP5 == b2.MAP5 {
				t.Errorf("%s: PCAS changes nothing", s.Name)
			}
		}
		for _, tried := range r.Sweep {
			if b2 := bySystem(&r.Splits[0])["B2"]; tried.K == 5 && tried.R5 != b2.R5.Mean {
				t.Errorf("λ %g: R@5 %g, B2 has %g", tried.Lambda, tried.R5, b2.R5.Mean)
			}
		}
	}
}

// The setting is that of the best MAP@5 on validation, and only of that.
func TestChosenOnValidation(t *testing.T) {
	r := evaluate(t, benefits, "static", 20).Retrievers[0]
	if len(r.Sweep) != len(Ks)*len(Lambdas) {
		t.Fatalf("%d settings", len(r.Sweep))
	}
	at := slices.IndexFunc(r.Sweep, func(t Tried) bool { return t.Setting == r.Chosen })
	for i, tried := range r.Sweep {
		if tried.MAP5 > r.Sweep[at].MAP5 || i < at && tried.MAP5 == r.Sweep[at].MAP5 {
			t.Errorf("%+v is better than %+v", tried, r.Sweep[at])
		}
	}
	if chosen := bySystem(&r.Splits[0])[fmt.Sprintf("PCAS %d %g", r.Chosen.K, r.Chosen.Lambda)]; approx.Apart(chosen.MAP5.Mean, r.Sweep[at].MAP5, 1e-12) {
		t.Errorf("the chosen setting has %v, the sweep %v", chosen.MAP5, r.Sweep[at])
	}
}

// If the same average precisions come from different questions, their means may differ by rounding. They are equal all
// the same, and the first setting is taken.
func TestEqualSettings(t *testing.T) {
	var questions []Question
	a := &answers{}
	// add adds a question whose gold document is behind as many documents as above says for a low λ, and for a high one.
	add := func(low, high int) {
		gold := joint.Candidate{Relevance: 1, Fits: []float32{1}}
		by := func(relevance, fit float32) joint.Candidate {
			return joint.Candidate{Relevance: relevance, Fits: []float32{fit}}
		}
		switch {
		case low > high:
			gold = by(.9, 0)
		case low < high:
			gold = by(0, 1.1)
		}
		candidates := []joint.Candidate{gold}
		for i := 1; i < 5; i++ {
			c := by(-2, -2) // always behind it
			switch {
			case i <= low && i <= high:
				c = by(2, 2)
			case i <= low:
				c = by(0, 1)
			case i <= high:
				c = by(1, 0)
			}
			c.Document = uint32(i)
			candidates = append(candidates, c)
		}
		a.candidates = append(a.candidates, candidates)
		questions = append(questions, Question{Gold: []int{0}, Right: -1})
	}
	add(0, 0)
	add(2, 0)
	add(0, 2)
	tried, best := sweep(questions, a)
	low, high := tried[0], tried[len(Lambdas)-1]
	if low.MAP5 == high.MAP5 || approx.Apart(low.MAP5, high.MAP5, 1e-15) {
		t.Fatalf("%v and %v do not differ by rounding alone", low.MAP5, high.MAP5)
	}
	if best != low.Setting || low.Contexts != nil {
		t.Errorf("%+v was chosen, not %+v", best, low)
	}
	table := (&Report{Retrievers: []Retriever{{Sweep: tried}}}).sweep()
	if cells := table.Rows[1].Cells; !reflect.DeepEqual(cells[0], report.Figure(low.Lambda)) || !reflect.DeepEqual(cells[4], report.Missing()) {
		t.Errorf("%+v", cells)
	}
}

// write makes files in a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sharc has files in OR-ShARC's layout, with texts of our own.
func sharc(t *testing.T) map[string]string {
	t.Helper()
	snippets := map[string]string{}
	var lines strings.Builder
	for i := range 14 {
		snippets[fmt.Sprint(i)] = fmt.Sprintf("Rule %d holds for ward %d.", i, i)
		scenario := fmt.Sprintf("I live in ward %d.", i)
		if i%5 == 4 {
			scenario = " "
		}
		line, err := json.Marshal(map[string]any{"utterance_id": fmt.Sprint("u", i), "question": "Which rule holds?", "scenario": scenario, "gold_snippet_id": fmt.Sprint(i), "history": []int{}})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	documents, err := json.Marshal(snippets)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{snippetsFile: string(documents), devFile: lines.String(), testFile: lines.String()}
}

// Contexts are the question's own and nine others, all different, the same for the same
// seed; without a scenario they are nine others.
func TestDrawnContexts(t *testing.T) {
	dir := write(t, sharc(t))
	one, err := Open(t.Context(), dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Open(t.Context(), dir, 1)
	other, _ := Open(t.Context(), dir, 2)
	check(t, one)
	places := map[int]bool{}
	for i, q := range one.Validation {
		places[q.Right] = true
		if !slices.Equal(q.Contexts, again.Validation[i].Contexts) || q.Right != again.Validation[i].Right {
			t.Errorf("%s: the same seed drew others", q.ID)
		}
	}
	if slices.EqualFunc(one.Validation, other.Validation, func(a, b Question) bool { return slices.Equal(a.Contexts, b.Contexts) }) {
		t.Error("another seed drew the same")
	}
	if len(places) < 4 {
		t.Errorf("right contexts are only at %v", places)
	}
	r := evaluate(t, dir, "static", 20)
	if s := r.Retrievers[0].Splits[1]; s.Questions != 14 || s.WithContext != 12 || len(r.Tables()) != 3 {
		t.Errorf("%+v", s)
	}
	var text strings.Builder
	for _, table := range r.Tables() {
		text.WriteString(table.Caption + fmt.Sprint(table.Notes))
	}
	for _, want := range []string{"seed 1", "not filtered for contradictions", "12 of them with a right context"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the tables do not say %q: %s", want, &text)
		}
	}
}

func check(t *testing.T, s *Set) {
	t.Helper()
	for _, q := range slices.Concat(s.Validation, s.Test) {
		seen := map[string]bool{}
		for _, c := range q.Contexts {
			seen[c] = true
		}
		want := drawn
		if q.Right >= 0 {
			want++
		}
		if len(q.Contexts) != want || len(seen) != want {
			t.Fatalf("%s: %d contexts, %d different, right is %d", q.ID, len(q.Contexts), len(seen), q.Right)
		}
	}
}

func TestSharedShARC(t *testing.T) {
	set, err := Open(t.Context(), shared.Path(t, "data/sharc"), 1)
	if err != nil {
		t.Fatal(err)
	}
	check(t, set)
	with := func(questions []Question) (n int) {
		for _, q := range questions {
			if q.Right >= 0 {
				n++
			}
		}
		return n
	}
	// The figures of its SOURCE.md, and the rows whose scenario is not empty.
	if len(set.IDs) != 651 || len(set.Validation) != 1105 || len(set.Test) != 2373 || with(set.Validation) != 957 || with(set.Test) != 2035 {
		t.Errorf("%d documents, %d and %d questions, %d and %d with a scenario", len(set.IDs), len(set.Validation), len(set.Test), with(set.Validation), with(set.Test))
	}
}

func TestDamagedData(t *testing.T) {
	for says, change := range map[string]func(files map[string]string){
		"neither":          func(f map[string]string) { delete(f, snippetsFile) },
		"not an object":    func(f map[string]string) { f[snippetsFile] = "[]" },
		"is there twice":   func(f map[string]string) { f[snippetsFile] = `{"1":"a","1":"b"}` },
		"no snippet in it": func(f map[string]string) { f[snippetsFile] = `{}` },
		"has no snippet \"7\"": func(f map[string]string) {
			f[snippetsFile] = `{"0":"a","1":"b","2":"c","3":"d","4":"e","5":"f","6":"g"}`
		},
		"the file ends in the middle": func(f map[string]string) { f[snippetsFile] = "" },
		"invalid character":           func(f map[string]string) { f[snippetsFile] = "nonsense" },
		"cut off":                     func(f map[string]string) { f[snippetsFile] = f[snippetsFile][:40] },
		devFile + ":2:":               func(f map[string]string) { f[devFile] = f[devFile][:strings.Index(f[devFile], "\n")+1] + "{" },
		"no questions in it":          func(f map[string]string) { f[testFile] = "\n" },
		"different scenarios":         func(f map[string]string) { f[testFile] = f[testFile][:strings.Index(f[testFile], "\n")+1] },
		`no "question"`:               func(f map[string]string) { f[devFile] = strings.Replace(f[devFile], "Which rule holds?", "", 1) },
	} {
		files := sharc(t)
		change(files)
		if _, err := Open(t.Context(), write(t, files), 1); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	own := func(name, content string) map[string]string {
		files := map[string]string{
			"corpus.jsonl": `{"_id":"d","text":"a rule"}`, "queries.jsonl": `{"_id":"q","text":"which?"}`, contextsFile: `{"_id":"q","contexts":["I am old."],"right":0}`,
			"qrels/dev.tsv": "query-id\tcorpus-id\tscore\nq\td\t1\n", "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\td\t1\n",
		}
		files[name] = content
		return files
	}
	for says, files := range map[string]map[string]string{
		"has no text":             own(contextsFile, `{"_id":"q","contexts":[" "]}`),
		"there are 0":             own(contextsFile, `{"_id":"q","contexts":[]}`),
		`"right" is 1`:            own(contextsFile, `{"_id":"q","contexts":["I am old."],"right":1}`),
		"0 and 2 are the same":    own(contextsFile, `{"_id":"q","contexts":["I am old.","a"," I am old."],"right":2}`),
		"there twice":             own(contextsFile, "{\"_id\":\"q\",\"contexts\":[\"a\"]}\n{\"_id\":\"q\",\"contexts\":[\"a\"]}"),
		"no contexts for the que": own(contextsFile, `{"_id":"p","contexts":["I am old."]}`),
		"no document":             own("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\te\t1\n"),
		"no query has a relevant": own("qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq\td\t0\n"),
	} {
		if _, err := Open(t.Context(), write(t, files), 1); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if set, err := Open(t.Context(), write(t, own("unused.txt", "")), 1); err != nil || set.Test[0].Right != 0 {
		t.Errorf("what is whole: %v", err)
	}
}

func TestRefusedExperiments(t *testing.T) {
	for says, e := range map[string]Experiment{
		"--retriever is needed": {Tests: compare.Tests{Rounds: 1}},
		"given twice":           {Retrievers: []string{"static", "english"}, Tests: compare.Tests{Rounds: 1}},
		"words do not compare":  {Retrievers: []string{"bm25"}, Tests: compare.Tests{Rounds: 1}},
		"leave token-bits out":  {Retrievers: []string{"static,token-bits=4"}, Tests: compare.Tests{Rounds: 1}},
		"--rounds is 0":         {Retrievers: []string{"static"}},
		"compared by the cosine: leave --score dot and score=dot out": {Retrievers: []string{"static,score=dot"}, Tests: compare.Tests{Rounds: 1}},
		"static: contexts are compared by the cosine":                 {Retrievers: []string{"static"}, Tests: compare.Tests{Rounds: 1}, Encoding: retrieve.Encoding{Score: perspective.Dot}},
	} {
		if _, err := e.Evaluate(context.Background(), benefits); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// A model that says dot product itself is compared by the cosine, and the report says so.
func TestModelThatSaysDot(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "bert")
	if err := modeltest.Write(folder, 1); err != nil {
		t.Fatal(err)
	}
	says := map[string]any{"config_sentence_transformers.json": map[string]any{"similarity_fn_name": "dot"}}
	if err := modeltest.WriteJSON(folder, says); err != nil {
		t.Fatal(err)
	}
	r := &evaluate(t, benefits, folder, 1).Retrievers[0]
	if !strings.HasSuffix(r.Name, "(cosine)") || strings.Contains(r.About, "dot") {
		t.Errorf("%s, %s", r.Name, r.About)
	}
}
