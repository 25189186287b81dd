package berds

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// drawn draws texts of n words.
func drawn(rng *rand.Rand, words string) func(n int) string {
	vocabulary := strings.Fields(words)
	return func(n int) string {
		text := make([]string, n)
		for i := range text {
			text[i] = vocabulary[rng.IntN(len(vocabulary))]
		}
		return strings.Join(text, " ")
	}
}

// invented is a small data set of Perspectrum's shape. Its texts have few words, so
// that scores tie and documents occur in several rankings.
func invented(seed uint64) *Perspectrum {
	rng := rand.New(rand.NewPCG(seed, 1))
	text := drawn(rng, "bridge ferry tax school train city river cost vote law claim opposes")
	p := &Perspectrum{}
	for range 150 {
		p.Pool = append(p.Pool, text(2+rng.IntN(5)))
	}
	for i := range 24 {
		c := Claim{ID: i, Name: fmt.Sprint(i), Text: text(3), Split: []string{Train, Development, Test}[i%3], Documents: make([][]uint32, Perspectives)}
		for side := range c.Documents {
			for _, d := range rng.Perm(len(p.Pool))[:rng.IntN(25)] { // sometimes none
				c.Documents[side] = append(c.Documents[side], uint32(d))
			}
			slices.Sort(c.Documents[side])
		}
		p.Claims = append(p.Claims, c)
	}
	return p
}

func retrieversOf(t *testing.T, p *Perspectrum) (named []Named, vectors *retrieve.Dense) {
	t.Helper()
	words, err := retrieve.NewBM25(lexical.DefaultParameters)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := model.Open(context.Background(), model.Builtin, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if vectors, err = retrieve.NewDense(encoder); err != nil {
		t.Fatal(err)
	}
	okapi := retrieve.NewOkapi()
	for _, x := range []retrieve.Index{words, okapi, vectors} {
		if err := retrieve.Fill(context.Background(), x, p.Pool, nil); err != nil {
			t.Fatal(err)
		}
	}
	return []Named{{"bm25", "", words}, {"okapi", "", okapi}, {"static", "", vectors}}, vectors
}

func TestEvaluateAgainstDefinitions(t *testing.T) {
	for seed := range uint64(4) {
		p := invented(seed)
		var given map[string][]string
		if seed%2 == 1 { // expansions of some of the claims
			given = map[string][]string{}
			for i, c := range p.Claims {
				if i%4 != 0 {
					given[c.Text] = []string{"ferry river " + c.Text, "law", "unheard", c.Text + " vote"}[:1+i%4]
				}
			}
		}
		checkEvaluation(t, p, given)
	}
}

func TestEvaluatePerspectrum(t *testing.T) {
	e := checkEvaluation(t, perspectrum(t), nil)
	// These are okapi's counts from another program, which was written from the
	// definitions in another language.
	okapi := e.Retrievers[1]
	for _, c := range []struct {
		results              *Results
		precision            [3]int // documents in the top 1, 5 and 10
		expanded, repeated   int    // documents in the top 5
		supporting, opposing [3]int // documents in the top 5: claim, for, against
		preference           [4]int // supporting, opposing, both, none
	}{
		{&okapi.All, [3]int{93, 327, 484}, 291, 373, [3]int{201, 191, 185}, [3]int{126, 116, 115}, [4]int{52, 32, 48, 95}},
		{&okapi.TwoSided, [3]int{77, 296, 439}, 263, 327, [3]int{181, 173, 167}, [3]int{115, 105, 104}, [4]int{38, 23, 48, 61}},
	} {
		n := float64(c.results.N)
		near := func(what string, got, want float64) {
			t.Helper()
			if approx.Apart(got, want, 1e-9) {
				t.Errorf("%d claims: %s is %v, want %v", c.results.N, what, got, want)
			}
		}
		near("MRecall@5", c.results.Default.MRecall[5], 48/n)
		near("MRecall@10", c.results.Default.MRecall[10], 60/n)
		for i, k := range precisionCutoffs {
			near(fmt.Sprint("Precision@", k), c.results.Default.Precision[k], float64(c.precision[i])/float64(k)/n)
		}
		near("MRecall@5 expanded", c.results.Expansion.MRecall[5], 41/n)
		near("Precision@5 expanded", c.results.Expansion.Precision[5], float64(c.expanded)/5/n)
		near("MRecall@5 expanded, duplicates kept", c.results.ExpansionDuplicates.MRecall[5], 30/n)
		near("Precision@5 expanded, duplicates kept", c.results.ExpansionDuplicates.Precision[5], float64(c.repeated)/5/n)
		near("coverage", c.results.Coverage.Share, 94/n)
		near("size", *c.results.Coverage.Size, 1200./94)
		for i, l := range []*Leaning{&c.results.Sycophancy.Default, &c.results.Sycophancy.Supporting, &c.results.Sycophancy.Opposing} {
			near("p", l.Supporting, float64(c.supporting[i])/5/n)
			near("n", l.Opposing, float64(c.opposing[i])/5/n)
			near("Δ", *l.Delta, 1-float64(c.opposing[i])/float64(c.supporting[i]))
		}
		p := &c.results.Preference
		for i, share := range []float64{p.Supporting, p.Opposing, p.Both, p.None} {
			near(fmt.Sprint("preference ", i), share, float64(c.preference[i])/n)
		}
	}
}

// checkEvaluation compares an evaluation with the definitions, written out directly.
func checkEvaluation(t *testing.T, p *Perspectrum, given map[string][]string) *Evaluation {
	t.Helper()
	return checkJudged(t, p, p, given, nil)
}

// checkJudged is checkEvaluation for data whose documents a detector judges. whole has the
// judgements of all documents.
func checkJudged(t *testing.T, p, whole *Perspectrum, given map[string][]string, judge func(context.Context, *Claim, []uint32) error, sets ...string) *Evaluation {
	t.Helper()
	retrievers, vectors := retrieversOf(t, p)
	var done, total int64
	e, err := Evaluate(context.Background(), p, Options{Retrievers: retrievers, Similarity: vectors.Similarity, Expansions: given,
		Judge: judge, Datasets: sets,
		Progress: func(at, of int64) {
			if at != done+1 || total != 0 && of != total {
				t.Errorf("progress %d of %d after %d of %d", at, of, done, total)
			}
			done, total = at, of
		}})
	if err != nil {
		t.Fatal(err)
	}
	if done != total {
		t.Errorf("progress ended at %d of %d", done, total)
	}
	var all []oracle
	for i, named := range retrievers {
		o := oracle{t, whole, named.Retriever, vectors.Similarity, given, "", map[string][]lexical.Hit{}, map[string][]uint32{}}
		all = append(all, o)
		got := &e.Retrievers[i]
		best, bestShare := 0.0, -1.0
		for l, lambda := range Lambdas {
			share := o.mean(Development, false, func(c *Claim) float64 { return o.mRecall(c, o.mmr(c, lambda), 5) })
			precision := o.mean(Development, false, func(c *Claim) float64 { return o.precision(c, o.mmr(c, lambda), 5) })
			o.near(named.Name+" grid", got.Grid[l].MRecall, share)
			o.near(named.Name+" grid, precision", got.Grid[l].Precision, precision)
			if share > bestShare+1e-12 {
				best, bestShare = lambda, share
			}
		}
		if got.Lambda != best {
			t.Errorf("%s: λ %v, want %v", named.Name, got.Lambda, best)
		}
		o.check(named.Name+" all", &got.All, false, best)
		o.check(named.Name+" both sides", &got.TwoSided, true, best)
		for s, name := range sets {
			o.source = name
			o.check(named.Name+" on "+name, &got.Datasets[s], false, best)
		}
	}
	union := func(bothSides bool) float64 {
		return all[0].mean(Test, bothSides, func(c *Claim) float64 {
			var union []uint32
			for i := range all {
				union = append(union, all[i].base(c.Text)...)
			}
			return all[0].mRecall(c, union, len(union))
		})
	}
	for bothSides, got := range map[bool]float64{false: e.Union.All, true: e.Union.TwoSided} {
		all[0].near("union", got, union(bothSides))
	}
	for s, name := range sets {
		all[0].source = name
		all[0].near("union on "+name, e.Union.Datasets[s], union(false))
	}
	return e
}

func TestEvaluateStops(t *testing.T) {
	p := invented(1)
	retrievers, vectors := retrieversOf(t, p)
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{Retrievers: retrievers, Similarity: vectors.Similarity, Progress: func(done, _ int64) {
		if done == 20 {
			cancel()
		} else if done > 20 {
			t.Errorf("search %d after the end", done)
		}
	}}
	if _, err := Evaluate(ctx, p, o); err != context.Canceled {
		t.Error(err)
	}
	for i := range p.Claims {
		p.Claims[i].Split = Train
	}
	if _, err := Evaluate(context.Background(), p, o); err != ErrSplits {
		t.Error(err)
	}
}
