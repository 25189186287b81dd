package ranking

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/rerank"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

const dim, angleDim = 12, 5

func random(rng *rand.Rand) []float32 { return gaussian(rng, dim) }

func gaussian(rng *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

func corpus(t *testing.T, rng *rand.Rand, n int) *index.Index {
	t.Helper()
	ix, err := index.New(dim, shard.F32, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		if _, err := ix.Add(random(rng)); err != nil {
			t.Fatal(err)
		}
	}
	return ix
}

func request(rng *rand.Rand, method string) *Request {
	r := &Request{
		Query: perspective.Query{Method: method, Lambda: 1, Query: random(rng), Root: random(rng), Perspectives: [][]float32{random(rng)}},
		K:     10,
	}
	if m, err := perspective.Lookup(method); err == nil && m.Angles > 0 {
		for range m.Angles {
			r.Angles = append(r.Angles, gaussian(rng, angleDim))
		}
		r.Strength = 2*rng.Float64() - 1
	}
	return r
}

func TestMMRChoosesAmongTheCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	ix := corpus(t, rng, 500)
	for _, candidates := range []int{0, 5, 40, 1000} {
		r := request(rng, "pap+")
		lambda := 0.5
		r.MMR, r.MMRCandidates, r.Explain, r.CosineRank = &lambda, candidates, true, true
		hits, err := Search(ix, r)
		if err != nil {
			t.Fatal(err)
		}
		pool := candidates
		if pool == 0 {
			pool = rerank.DefaultCandidates
		}
		plain := *r
		plain.MMR, plain.K = nil, min(max(pool, r.K), 500)
		ranked, err := Search(ix, &plain)
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float32, len(ranked))
		for i, h := range ranked {
			scores[i] = h.Score
		}
		order := rerank.MMR(scores, func(i, j int) float32 { return ix.Similarity(ranked[i].Row, ranked[j].Row) }, lambda, r.K)
		if len(hits) != r.K {
			t.Fatalf("%d hits", len(hits))
		}
		for i, at := range order {
			if hits[i] != ranked[at] {
				t.Errorf("%d candidates, rank %d: %+v, want %+v", candidates, i+1, hits[i], ranked[at])
			}
		}
	}
}

func TestExplainWithoutMethodsOwnQuery(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	ix := corpus(t, rng, 20)
	r := request(rng, "source_cosine")
	r.Explain = true
	if _, err := Search(ix, r); err != nil {
		t.Fatal(err)
	}
	r.Query.Query = nil // source_cosine does not need it, but the explanation does
	var missing *perspective.MissingError
	if _, err := Search(ix, r); !errors.As(err, &missing) {
		t.Errorf("explaining without a query: %v", err)
	}
	r.Explain = false
	if _, err := Search(ix, r); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	ix := corpus(t, rng, 20)
	for name, change := range map[string]func(r *Request){
		"method":        func(r *Request) { r.Method = "best" },
		"k":             func(r *Request) { r.K = 0 },
		"k with mmr":    func(r *Request) { l := 0.5; r.K, r.MMR = 0, &l },
		"negative mmr":  func(r *Request) { l := -0.5; r.MMR = &l },
		"mmr above 1":   func(r *Request) { l := 1.5; r.MMR = &l },
		"NaN mmr":       func(r *Request) { l := math.NaN(); r.MMR = &l },
		"dimension":     func(r *Request) { r.Root = r.Root[1:] },
		"no query":      func(r *Request) { r.Query.Query = nil },
		"zero query":    func(r *Request) { r.Query.Query = make([]float32, dim) },
		"parallel":      func(r *Request) { r.Perspectives = [][]float32{r.Query.Query} },
		"NaN component": func(r *Request) { r.Query.Query[3] = float32(math.NaN()) },
	} {
		r := request(rng, "pap+")
		change(r)
		if hits, err := Search(ix, r); err == nil {
			t.Errorf("%s: %v and no error", name, hits)
		}
		if name == "k" || name == "k with mmr" || name == "negative mmr" || name == "mmr above 1" || name == "NaN mmr" {
			continue
		}
		if err := Scores(ix, r, make([]float32, 20)); err == nil {
			t.Errorf("%s: Scores without an error", name)
		}
	}
}
