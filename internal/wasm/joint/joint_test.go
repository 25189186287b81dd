package joint

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

const dim = 24

func vectors(rng *rand.Rand, n int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dim)
		for j := range out[i] {
			out[i][j] = float32(rng.NormFloat64())
		}
	}
	return out
}

func indexOf(t *testing.T, dtype shard.DType, rows [][]float32) *index.Index {
	t.Helper()
	ix, err := index.FromVectors(dtype, dim, slices.Concat(rows...))
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// oracle is §4.2 word by word, in float64: every pair of one of the K best documents and
// a context, sorted by the convex combination, of which each document keeps its best.
func oracle(rows [][]float32, q []float32, contexts [][]float32, k int, lambda float64) (documents, chosen []int, scores []float64) {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return descending(naive.Cosine(rows[a], q), naive.Cosine(rows[b], q)) })
	type pair struct {
		d, c  int
		score float64
	}
	var all []pair
	for _, d := range order[:min(k, len(order))] {
		for c := range contexts {
			all = append(all, pair{d, c, lambda*naive.Cosine(rows[d], q) + (1-lambda)*naive.Cosine(rows[d], contexts[c])})
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int { return descending(a.score, b.score) })
	for _, p := range all {
		if !slices.Contains(documents, p.d) {
			documents, chosen, scores = append(documents, p.d), append(chosen, p.c), append(scores, p.score)
		}
	}
	return documents, chosen, scores
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

func TestJointIsThePapersFormula(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows, contexts, q := vectors(rng, 1+rng.IntN(40)), vectors(rng, 1+rng.IntN(9)), vectors(rng, 1)[0]
		rows[rng.IntN(len(rows))] = make([]float32, dim) // a document without a direction
		contexts[rng.IntN(len(contexts))] = make([]float32, dim)
		k, lambda := 1+rng.IntN(12), 0.01+0.98*rng.Float64()
		got, err := Joint(indexOf(t, shard.F32, rows), q, contexts, k, lambda)
		if err != nil {
			t.Fatal(err)
		}
		documents, chosen, scores := oracle(rows, q, contexts, k, lambda)
		if len(got) != len(documents) {
			t.Fatalf("seed %d: %d pairs, want %d", seed, len(got), len(documents))
		}
		for i, p := range got {
			if int(p.Document) != documents[i] || p.Context != chosen[i] && naive.Cosine(rows[p.Document], contexts[p.Context]) != naive.Cosine(rows[p.Document], contexts[chosen[i]]) {
				t.Errorf("seed %d, rank %d: document %d with context %d, want %d with %d", seed, i+1, p.Document, p.Context, documents[i], chosen[i])
			}
			if approx.Apart(float64(p.Score), scores[i], 1e-6) {
				t.Errorf("seed %d, rank %d: score %g, want %g", seed, i+1, p.Score, scores[i])
			}
		}
	}
}

// The documents are those of the question, in another order: so with K = 5, PCAS has the
// R@5 of B2.
func TestJointKeepsTheQuestionsDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	moved := 0
	for range 100 {
		ix := indexOf(t, shard.I8, vectors(rng, 50))
		q, contexts := vectors(rng, 1)[0], vectors(rng, 10)
		pcas, err := Joint(ix, q, contexts, 5, 0.6)
		if err != nil {
			t.Fatal(err)
		}
		candidates, err := Candidates(ix, q, contexts, 5)
		if err != nil {
			t.Fatal(err)
		}
		b2 := ByDocument(candidates)
		if !slices.Equal(documentsOf(pcas, true), documentsOf(b2, true)) {
			t.Fatalf("%v and %v are other documents", pcas, b2)
		}
		if !slices.Equal(documentsOf(pcas, false), documentsOf(b2, false)) {
			moved++
		}
		for _, p := range b2 { // both choose the context by the document
			at := slices.IndexFunc(pcas, func(other Pair) bool { return other.Document == p.Document })
			if pcas[at].Context != p.Context || pcas[at].Fit != p.Fit || pcas[at].Relevance != p.Relevance {
				t.Fatalf("%+v and %+v differ", pcas[at], p)
			}
		}
	}
	if moved < 30 {
		t.Errorf("contexts changed the order of %d of 100 rankings: this compares nothing", moved)
	}
}

func documentsOf(pairs []Pair, sorted bool) (out []uint32) {
	for _, p := range pairs {
		out = append(out, p.Document)
	}
	if sorted {
		slices.Sort(out)
	}
	return out
}

func TestByQuestion(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 50 {
		q, contexts := vectors(rng, 1)[0], vectors(rng, 10)
		contexts = append(contexts, contexts[3]) // the lower of two equal ones wins
		best := 0
		for c := range contexts {
			if naive.Cosine(q, contexts[c]) > naive.Cosine(q, contexts[best]) {
				best = c
			}
		}
		if got, err := ByQuestion(q, contexts); err != nil || got != best {
			t.Fatalf("context %d, want %d: %v", got, best, err)
		}
	}
}

// Equal pairs: the lower document, and of a document the lower context.
func TestTies(t *testing.T) {
	same := []float32{0.5, 0.5}
	got := Rank([]Candidate{{Document: 7, Relevance: 0.5, Fits: same}, {Document: 2, Relevance: 0.5, Fits: same}, {Document: 9, Relevance: 0.5, Fits: []float32{0.1, 0.7}}}, 0.5)
	if documents := documentsOf(got, false); !slices.Equal(documents, []uint32{9, 2, 7}) || got[1].Context != 0 || got[0].Context != 1 {
		t.Errorf("%+v", got)
	}
}

func TestJoin(t *testing.T) {
	if got := Join("Can I?", "I am old.", "I work."); got != "Can I? I am old. I work." {
		t.Error(got)
	}
	if got := Join("Can I?"); got != "Can I?" {
		t.Error(got)
	}
}

func TestRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	ix, q, contexts := indexOf(t, shard.F32, vectors(rng, 3)), vectors(rng, 1)[0], vectors(rng, 2)
	second := func(_ any, err error) error { return err }
	for name, c := range map[string]struct {
		err  error
		says string
	}{
		"λ of 0":               {second(Joint(ix, q, contexts, 5, 0)), "λ is 0"},
		"λ of 1":               {second(Joint(ix, q, contexts, 5, 1)), "λ is 1"},
		"λ not a number":       {second(Joint(ix, q, contexts, 5, math.NaN())), "λ is NaN"},
		"K of 0":               {second(Joint(ix, q, contexts, 0, 0.6)), "K is 0"},
		"no contexts":          {second(Joint(ix, q, nil, 5, 0.6)), "there are 0"},
		"many contexts":        {second(Joint(ix, q, vectors(rng, MaxContexts+1), 5, 0.6)), "there are 65"},
		"a context of no text": {CheckText(3, " \n"), "number 3 has no text"},
		"B3 without any":       {second(ByQuestion(q, nil)), "there are 0"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.says) || !errors.Is(c.err, fault.Query) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if _, err := Joint(ix, make([]float32, dim), contexts, 5, 0.6); err == nil {
		t.Error("a question without a direction ranks")
	}
	if _, err := Joint(ix, q, [][]float32{q[1:]}, 5, 0.6); err == nil {
		t.Error("a context of another dimension ranks")
	}
}
