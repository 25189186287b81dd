package pgra

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// words that a sentence of each label may have, and those of any.
var (
	told   = [2][]string{{"dull", "slow", "thin", "stale", "sour", "grey"}, {"warm", "witty", "fresh", "bright", "bold", "kind"}}
	things = []string{"film", "story", "song", "cast", "plot", "scene", "novel", "score"}
)

// sentence is one of our own, which often tells its label.
func sentence(r *rand.Rand, label int) string {
	if r.IntN(5) == 0 {
		label = 1 - label
	}
	adjectives := told[label]
	return fmt.Sprintf("the %s is %s and the %s is %s , %d", things[r.IntN(len(things))], adjectives[r.IntN(6)], things[r.IntN(len(things))], adjectives[r.IntN(6)], r.IntN(40))
}

// data is a folder with small files of our own for SST-2, CR and CoLA.
func data(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(7, 8))
	for _, file := range []struct {
		name string
		rows int
	}{{"stsa.binary.train.txt", 60}, {"stsa.binary.dev.txt", 20}, {"custrev.all.txt", 80}, {"cola_in_domain_train.tsv", 50}, {"cola_in_domain_dev.tsv", 20}} {
		var b strings.Builder
		for i := range file.rows {
			label := i % 2
			if strings.HasSuffix(file.name, ".tsv") {
				mark := "*"
				fmt.Fprintf(&b, "us\t%d\t%s\t%s\n", label, mark[:1-label], sentence(r, label))
				continue
			}
			fmt.Fprintf(&b, "%d %s \n", label, sentence(r, label))
		}
		write(t, filepath.Join(dir, file.name), b.String())
	}
	return dir
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func small() *Experiment {
	return &Experiment{Retrievers: []string{"static"}, Tasks: []string{"sst-2", "CR", "cola"}, K: 12, D: 4, Shots: 2, Seed: 3}
}

func evaluate(t *testing.T, e *Experiment, dir string) *Report {
	t.Helper()
	r, err := e.Evaluate(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sets are the sets that an experiment reads.
func sets(t *testing.T, e *Experiment, dir string) (out []*Set) {
	t.Helper()
	chosen, err := choose(e.Tasks)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := readTemplates(t.Context(), e.Templates, chosen, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range chosen {
		s, err := readSet(t.Context(), dir, i, templates[tasks[i].template], drawing{e.Seed, e.Shots, e.Rows})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// product and cosine in float64, one number after the other.
func product(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func cosine(a, b []float32) float64 { return product(a, b) / math.Sqrt(product(a, a)*product(b, b)) }

// best are the numbers of the k highest scores, lower numbers first among equal ones.
func best(scores []float64, k int) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:min(k, len(order))]
}

// counted measures evidence in another way than measure.
func (s *Set) counted(evidence [][]int) (vote, consistency float64) {
	var guesses, labels []int
	for i, rows := range evidence {
		votes := map[int]int{}
		for _, n := range rows {
			votes[s.Evidence[n].Label]++
		}
		guess := -1
		for _, n := range rows { // the first label among those with the most votes
			if label := s.Evidence[n].Label; guess < 0 || votes[label] > votes[guess] {
				guess = label
			}
		}
		guesses, labels = append(guesses, guess), append(labels, s.Test[i].Label)
		consistency += float64(votes[s.Test[i].Label]) / float64(len(rows)) / float64(len(evidence))
	}
	if s.task.name == "CoLA" {
		return Matthews(labels, guesses), consistency
	}
	return Accuracy(labels, guesses), consistency
}

// Stage 1 is the inner product of the encoder's vectors, computed again text by text.
func TestFirstStage(t *testing.T) {
	e, dir := small(), data(t)
	r := evaluate(t, e, dir)
	opened, err := model.Open(t.Context(), model.Builtin, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	vector := func(text string, role encoder.Role) []float32 {
		v, err := opened.Encode(t.Context(), []string{text}, encoder.Options{Role: role})
		if err != nil {
			t.Fatal(err)
		}
		return v[0].Vector
	}
	for j, s := range sets(t, e, dir) {
		var evidence [][]int
		vectors := make([][]float32, len(s.Evidence))
		for n := range vectors {
			vectors[n] = vector(s.Evidence[n].Text, encoder.Document)
		}
		for i := range s.Test {
			scores, own := make([]float64, len(vectors)), vector(s.Test[i].Text, encoder.Query)
			for n := range scores {
				scores[n] = product(own, vectors[n])
			}
			evidence = append(evidence, best(scores, e.D))
		}
		vote, consistency := s.counted(evidence)
		got := r.Retrievers[0].Tasks[j]
		if approx.Apart(got.First.Vote, vote, 1e-12) || approx.Apart(got.First.Consistency, consistency, 1e-12) || got.Second != nil {
			t.Errorf("%s: %+v, want %g and %g", got.Task, got.First, vote, consistency)
		}
		sum := 0
		for same, n := range got.First.Consistent {
			sum += same * n
		}
		if want := consistency * float64(len(s.Test)*e.D); approx.Apart(float64(sum), want, 1e-6) {
			t.Errorf("%s: %d consistent texts, want %g", got.Task, sum, want)
		}
	}
}

// short are templates with few tokens, because the small model reads 128.
func short(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"sentiment.txt", "cola.txt"} {
		write(t, filepath.Join(dir, name), "label 0 = bad\nlabel 1 = good\n---\nIs it good?\n{text}\nIt is {label}.")
	}
	return dir
}

// withOPT is an experiment with a small language model as stage 2.
func withOPT(t *testing.T, name string) *Experiment {
	t.Helper()
	e := small()
	e.Reranker, e.Templates, e.Shots = shared.Path(t, "data/golden/"+name), short(t), 1
	return e
}

// Stage 2 is the cosine of the last hidden states, and in-context learning the most
// probable label, computed again without a shared prefix, text by text.
func TestSecondStage(t *testing.T) {
	for _, name := range []string{"opt-tiny", "opt-proj-tiny"} {
		e, dir := withOPT(t, name), data(t)
		r := evaluate(t, e, dir)
		opened, err := model.Open(t.Context(), e.Reranker, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		decoder := opened.(model.Decoder)
		none := ""
		for j, s := range sets(t, e, dir) {
			if len(s.Demonstrations) != 1 {
				t.Fatalf("%d demonstrations", len(s.Demonstrations))
			}
			asked := func(text string) string {
				d := s.Demonstrations[0]
				return fmt.Sprintf("Is it good?\n%s\nIt is %s.\n\nIs it good?\n%s\nIt is", d.Text, []string{"bad", "good"}[d.Label], text)
			}
			state := func(text string) []float32 {
				v, err := opened.Encode(t.Context(), []string{asked(text)}, encoder.Options{Prompt: &none})
				if err != nil || v[0].Truncated {
					t.Fatalf("%v, %d tokens", err, v[0].Tokens)
				}
				return v[0].Vector
			}
			states := make([][]float32, len(s.Evidence))
			for n := range s.Evidence {
				states[n] = state(s.Evidence[n].Text)
			}
			first, err := e.first(t.Context(), mustModels(t, e), []*Set{s}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, tried := range append([]Tried{{e.K, e.D, *r.Retrievers[0].Tasks[j].Second}}, r.Retrievers[0].Tasks[j].Tried...) {
				var evidence [][]int
				for i := range s.Test {
					own := state(s.Test[i].Text)
					scores := make([]float64, len(s.Evidence))
					for n := range scores {
						scores[n] = math.Inf(-1)
					}
					for _, h := range first[0].test[i][:tried.K] {
						scores[h.row] = cosine(own, states[h.row])
					}
					evidence = append(evidence, best(scores, tried.D))
				}
				if vote, consistency := s.counted(evidence); approx.Apart(tried.Measures.Vote, vote, 1e-12) || approx.Apart(tried.Measures.Consistency, consistency, 1e-12) {
					t.Errorf("%s, %s, k %d, d %d: %+v, want %g and %g", name, s.task.name, tried.K, tried.D, tried.Measures, vote, consistency)
				}
			}
			var plain, calibrated, labels []int
			probabilities := func(text string) [2]float64 {
				var p [2]float64
				for i, word := range []string{" bad", " good"} {
					p[i] = math.Exp(likelihood(t, decoder, asked(text), word))
				}
				return [2]float64{p[0] / (p[0] + p[1]), p[1] / (p[0] + p[1])}
			}
			var empty [2]float64
			for _, text := range []string{"N/A", "[MASK]", ""} {
				for i, p := range probabilities(text) {
					empty[i] += p
				}
			}
			more := func(a, b float64) int {
				if b > a {
					return 1
				}
				return 0
			}
			for i := range s.Test {
				p := probabilities(s.Test[i].Text)
				plain, calibrated, labels = append(plain, more(p[0], p[1])), append(calibrated, more(p[0]/empty[0], p[1]/empty[1])), append(labels, s.Test[i].Label)
			}
			want := InContext{Accuracy(labels, plain), Accuracy(labels, calibrated)}
			if s.task.matthews {
				want = InContext{Matthews(labels, plain), Matthews(labels, calibrated)}
			}
			if got := r.Tasks[j].Context; got == nil || *got != want {
				t.Errorf("%s, %s: in context %+v, want %+v", name, s.task.name, got, want)
			}
		}
	}
}

// mustModels is the one retriever of an experiment.
func mustModels(t *testing.T, e *Experiment) *retrieve.Model {
	t.Helper()
	copied := *e
	copied.Reranker = ""
	models, _, err := copied.models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := retrieve.Try(t.Context(), models); err != nil {
		t.Fatal(err)
	}
	return models[0]
}

// likelihood is that of one ending behind a text without a prompt. A test of package model
// compares it with the scores of the tokens.
func likelihood(t *testing.T, d model.Decoder, text, ending string) float64 {
	t.Helper()
	found, err := d.Likelihoods(t.Context(), "", []string{text}, []string{ending})
	if err != nil {
		t.Fatal(err)
	}
	return found[0][0]
}

// An encoder as stage 2 reads the template without demonstrations. The vectors of packs are
// kept, too.
func TestEncoderAsSecondStage(t *testing.T) {
	e, dir := small(), data(t)
	e.Reranker, e.Encoding.Keep = "sides", t.TempDir()
	r := evaluate(t, e, dir)
	var said strings.Builder
	e.Encoding.Console = console.New(&said)
	if again := evaluate(t, e, dir); !reflect.DeepEqual(again, r) || !strings.Contains(said.String(), "sides: vectors of ") {
		t.Errorf("again: %+v, want %+v; it says %q", again, r, said.String())
	}
	if r.Shown || r.Tasks[0].Context != nil || r.Retrievers[0].Tasks[0].Second == nil || r.Tasks[0].Cut != 0 {
		t.Errorf("%+v", r)
	}
	found := r.Retrievers[0].Tasks[0]
	if reflect.DeepEqual(*found.Second, found.First) {
		t.Error("stage 2 changes nothing")
	}
}

// BM25 may be stage 1, several retrievers share a run, and what is drawn depends on the seed
// and on nothing else.
func TestRetrieversAndSeeds(t *testing.T) {
	e, dir := small(), data(t)
	e.Retrievers = []string{"bm25", "static"}
	r := evaluate(t, e, dir)
	if len(r.Retrievers) != 2 || r.Retrievers[0].Name != "BM25" || r.Retrievers[0].Tasks[1].Task != "CoLA" {
		t.Errorf("%+v", r.Retrievers)
	}
	alone := small()
	alone.Tasks = []string{"CR"}
	if got := evaluate(t, alone, dir); !reflect.DeepEqual(got.Tasks[0], r.Tasks[2]) || !reflect.DeepEqual(got.Retrievers[0].Tasks[0], r.Retrievers[1].Tasks[2]) {
		t.Error("a task alone has other figures than among others")
	}
	other := small()
	other.Seed = 4
	if got := evaluate(t, other, dir); reflect.DeepEqual(got.Tasks[2].Shown, r.Tasks[2].Shown) {
		t.Error("another seed draws the same")
	}
	fewer := small()
	fewer.Rows = 5
	if got := evaluate(t, fewer, dir); got.Tasks[0].Test != 5 || got.Tasks[2].Test != 5 || got.Tasks[2].Evidence != r.Tasks[2].Evidence || !slices.Equal(got.Tasks[2].Shown, r.Tasks[2].Shown) {
		t.Errorf("%+v", got.Tasks)
	}
}

// Rows are tested or retrieved or shown, each once, and every label is shown as often as
// another, as far as the number allows.
func TestSplits(t *testing.T) {
	dir := data(t)
	b, err := os.ReadFile(filepath.Join(dir, "custrev.all.txt"))
	if err != nil {
		t.Fatal(err)
	}
	repeated := strings.SplitAfter(string(b), "\n")[0]
	write(t, filepath.Join(dir, "custrev.all.txt"), string(b)+strings.Repeat(repeated, 3)+"0 \n1\u0020\n")
	e := small()
	e.Shots = 5
	for _, s := range sets(t, e, dir) {
		seen := map[string]bool{}
		for _, rows := range [][]Row{s.Demonstrations, s.Evidence} {
			for _, row := range rows {
				if seen[row.Text] || row.Text == "" {
					t.Errorf("%s: %s is there twice, or empty", s.task.name, row.ID)
				}
				seen[row.Text] = true
			}
		}
		for _, row := range s.Test {
			if seen[row.Text] {
				t.Errorf("%s: %s is tested and retrieved", s.task.name, row.ID)
			}
		}
		var shown [2]int
		for _, d := range s.Demonstrations {
			shown[d.Label]++
		}
		if shown[0]+shown[1] != 5 || shown[0] < 2 || shown[1] < 2 {
			t.Errorf("%s: demonstrations %v", s.task.name, shown)
		}
		if got := len(s.Evidence) + len(s.Demonstrations) + s.Tested + s.Repeated; got != s.Train {
			t.Errorf("%s: %d of %d rows of the training split", s.task.name, got, s.Train)
		}
		if s.task.name == "CR" && (s.Empty != 2 || s.Tested+s.Repeated < 2 || s.Train != 42) {
			t.Errorf("CR: %+v", s.about())
		}
	}
}

// The files of the paper's tasks have the sizes of their splits (LM-BFF, Table B.1). Only of
// CoLA, we test fewer rows than LM-BFF: the in-domain ones.
func TestRealData(t *testing.T) {
	dir := shared.Path(t, "data/nki")
	e := &Experiment{Shots: 8, Seed: 1}
	want := map[string][2]int{"SST-2": {6920, 872}, "SST-5": {8544, 2210}, "CoLA": {8551, 527}, "TREC": {5452, 500}, "CR": {1775, 2000}, "MR": {8662, 2000}, "MPQA": {8606, 2000}, "Subj": {8000, 2000}}
	for _, s := range sets(t, e, dir) {
		if got := [2]int{s.Train + s.Empty, len(s.Test)}; got != want[s.task.name] {
			t.Errorf("%s: %v, want %v", s.task.name, got, want[s.task.name])
		}
		if len(s.Evidence)+8+s.Tested+s.Repeated != s.Train {
			t.Errorf("%s: %+v", s.task.name, s.about())
		}
	}
}

// Errors say what is wrong, and where.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change func(e *Experiment, dir string)
		says   string
	}{
		"an unknown task":        {func(e *Experiment, _ string) { e.Tasks = []string{"SST-3"} }, "--task SST-3 is not known: the tasks are SST-2"},
		"a task twice":           {func(e *Experiment, _ string) { e.Tasks = []string{"cr", "CR"} }, "given twice"},
		"an unknown label":       {func(_ *Experiment, dir string) { write(t, filepath.Join(dir, "custrev.all.txt"), "0 a\n7 b\n") }, `custrev.all.txt:2: the label "7" is not known: sentiment.txt has 0, 1`},
		"a line without a label": {func(_ *Experiment, dir string) { write(t, filepath.Join(dir, "custrev.all.txt"), "0 a\nb\n") }, "custrev.all.txt:2: "},
		"columns":                {func(_ *Experiment, dir string) { write(t, filepath.Join(dir, "cola_in_domain_dev.tsv"), "0 a\n") }, "cola_in_domain_dev.tsv:1: 1 columns"},
		"a missing file":         {func(_ *Experiment, dir string) { os.Remove(filepath.Join(dir, "stsa.binary.dev.txt")) }, "stsa.binary.dev.txt"},
		"a template without text": {func(e *Experiment, dir string) {
			e.Templates = filepath.Join(dir, "mine")
			if err := writeTemplates(e.Templates); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(e.Templates, "cola.txt"), labels+"Is it? {label}")
		}, "cola.txt: the placeholder {text} occurs 0 times"},
		"too many demonstrations": {func(e *Experiment, _ string) { e.Shots = 60 }, "60 demonstrations are asked for"},
		"k":                       {func(e *Experiment, _ string) { e.K = 0 }, "--k 0"},
		"d above k":               {func(e *Experiment, _ string) { e.D = 13 }, "--d 13"},
		"shots":                   {func(e *Experiment, _ string) { e.Shots = -1 }, "--shots -1"},
		"rows":                    {func(e *Experiment, _ string) { e.Rows = -1 }, "--rows -1"},
		"no retriever":            {func(e *Experiment, _ string) { e.Retrievers = nil }, "--retriever is needed"},
		"a retriever twice":       {func(e *Experiment, _ string) { e.Retrievers = []string{"static", "english"} }, "given twice"},
		"words as stage 2":        {func(e *Experiment, _ string) { e.Reranker = "bm25" }, "--reranker bm25: BM25 gives no vectors"},
		"an option of no model":   {func(e *Experiment, _ string) { e.Reranker = "static,bits=4" }, `--reranker static,bits=4: "bits" is not an option of a model`},
		"a reader in a file":      {func(e *Experiment, dir string) { e.FiD = filepath.Join(dir, "custrev.all.txt") }, "custrev.all.txt: cannot be written"},
		"a reader of two":         {func(e *Experiment, dir string) { e.FiD, e.Retrievers = dir, []string{"static", "bm25"} }, "--fid writes the evidence of one"},
	} {
		e, dir := small(), data(t)
		c.change(e, dir)
		if _, err := e.Evaluate(t.Context(), dir); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	e := withOPT(t, "opt-tiny")
	e.Shots = 8
	if _, err := e.Evaluate(t.Context(), data(t)); err == nil || !strings.Contains(err.Error(), "in the 128 tokens that") {
		t.Errorf("demonstrations that do not fit: %v", err)
	}
}

// A long text is shortened, so that the model still reads the question after it, and a note
// says so.
func TestLongTexts(t *testing.T) {
	e, dir := withOPT(t, "opt-tiny"), data(t)
	e.Tasks = []string{"SST-2"}
	path := filepath.Join(dir, "stsa.binary.dev.txt")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(b)+"0 "+strings.Repeat("ein süßer Apfel ", 200)+"\n")
	r := evaluate(t, e, dir)
	shown := false
	for _, table := range r.Tables() {
		for _, note := range table.Notes {
			shown = shown || strings.Contains(note, "SST-2: 1 text shortened")
		}
	}
	if r.Tasks[0].Cut != 1 || !shown {
		t.Errorf("%d texts are cut", r.Tasks[0].Cut)
	}
}

// A reader's input is a line for each text, with its d best pieces of evidence.
func TestReaderInput(t *testing.T) {
	for _, reranker := range []string{"", "sides"} {
		e, dir := small(), data(t)
		e.Tasks, e.Reranker, e.FiD = []string{"CR"}, reranker, filepath.Join(t.TempDir(), "reader")
		r := evaluate(t, e, dir)
		s := sets(t, e, dir)[0]
		for part, rows := range map[string][]Row{"train": s.Evidence, "test": s.Test} {
			b, err := os.ReadFile(filepath.Join(e.FiD, "cr."+part+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(b)), "\n")
			if len(lines) != len(rows) {
				t.Fatalf("%d lines, want %d", len(lines), len(rows))
			}
			consistent := 0.0
			for i, line := range lines {
				var row fidRow
				if err := json.Unmarshal([]byte(line), &row); err != nil {
					t.Fatal(err)
				}
				word := []string{"negative", "positive"}[rows[i].Label]
				if row.ID != rows[i].ID || row.Target != word || row.Answers[0] != word || len(row.Contexts) != e.D || !strings.HasSuffix(row.Question, "?\n"+rows[i].Text+"\nThe answer is") {
					t.Errorf("%+v", row)
				}
				for n, c := range row.Contexts {
					at := slices.IndexFunc(s.Evidence, func(e Row) bool { return e.ID == c.ID })
					if c.ID == row.ID || s.Evidence[at].Text != c.Text || n > 0 && c.Score > row.Contexts[n-1].Score {
						t.Errorf("%s: evidence %+v", row.ID, c)
					}
					if s.Evidence[at].Label == rows[i].Label {
						consistent += 1 / float64(e.D*len(rows))
					}
				}
			}
			want := r.Retrievers[0].Tasks[0].First
			if reranker != "" {
				want = *r.Retrievers[0].Tasks[0].Second
			}
			if part == "test" && approx.Apart(consistent, want.Consistency, 1e-9) {
				t.Errorf("%q: %g consistent, the report says %g", reranker, consistent, want.Consistency)
			}
		}
	}
}

// stopper is a log that ends a run when a line with a certain text is written to it.
type stopper struct {
	at   string
	stop func()
}

// Write implements io.Writer.
func (s stopper) Write(b []byte) (int, error) {
	if strings.Contains(string(b), s.at) {
		s.stop()
	}
	return len(b), nil
}

// A run that was stopped goes on with what it has kept, says so, and has the figures of a
// whole run.
func TestResumed(t *testing.T) {
	e, dir := withOPT(t, "opt-tiny"), data(t)
	want := evaluate(t, e, dir)
	e.Encoding.Keep = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	e.Encoding.Console = console.New(stopper{"classify: ", cancel}) // the first of the tasks is through
	if _, err := e.Evaluate(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Fatalf("the run was not stopped: %v", err)
	}
	var said strings.Builder
	e.Encoding.Console = console.New(&said)
	if got := evaluate(t, e, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, says := range []string{"opt-tiny: vectors of 99 texts from an earlier run", "opt-tiny, labels: vectors of 23 texts from an earlier run"} {
		if !strings.Contains(said.String(), says) {
			t.Errorf("it says %q, want %q", said.String(), says)
		}
	}
}
