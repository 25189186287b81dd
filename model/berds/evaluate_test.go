package berds

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/model/static"
)

// invented is a small data set of the shape of Perspectrum: texts of few words,
// so that scores tie and documents stand in several rankings.
func invented(seed uint64) *Perspectrum {
	rng := rand.New(rand.NewPCG(seed, 1))
	vocabulary := strings.Fields("bridge ferry tax school train city river cost vote law claim opposes")
	text := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = vocabulary[rng.IntN(len(vocabulary))]
		}
		return strings.Join(words, " ")
	}
	p := &Perspectrum{}
	for range 150 {
		p.Pool = append(p.Pool, text(2+rng.IntN(5)))
	}
	for i := range 24 {
		c := Claim{ID: i, Text: text(3), Split: []string{Train, Development, Test}[i%3]}
		for side := range c.Documents {
			for _, d := range rng.Perm(len(p.Pool))[:rng.IntN(25)] { // none at times
				c.Documents[side] = append(c.Documents[side], uint32(d))
			}
			slices.Sort(c.Documents[side])
		}
		p.Claims = append(p.Claims, c)
	}
	return p
}

func retrieversOf(t *testing.T, p *Perspectrum) (named []Named, vectors *Vectors) {
	t.Helper()
	vectors, err := NewVectors(static.Builtin(), p.Pool, func(int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	words, err := NewWords(p.Pool)
	if err != nil {
		t.Fatal(err)
	}
	return []Named{{"bm25", "", words}, {"okapi", "", NewOkapi(p.Pool)}, {"static", "", vectors}}, vectors
}

func TestEvaluateAgainstDefinitions(t *testing.T) {
	for seed := range uint64(4) {
		p := invented(seed)
		var given map[string][]string
		if seed%2 == 1 { // expansions for some of the claims
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
	// okapi's counts as another program, written from the definitions in another
	// language, finds them.
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
			if math.Abs(got-want) > 1e-9 {
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

// checkEvaluation compares an evaluation with the definitions written out plainly.
func checkEvaluation(t *testing.T, p *Perspectrum, given map[string][]string) *Evaluation {
	t.Helper()
	retrievers, vectors := retrieversOf(t, p)
	var done, total int64
	e, err := Evaluate(context.Background(), p, Options{Retrievers: retrievers, Similarity: vectors.Similarity, Expansions: given,
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
		o := oracle{t, p, named.Retriever, vectors.Similarity, given, map[string][]Hit{}, map[string][]uint32{}}
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
	}
	for bothSides, got := range map[bool]float64{false: e.Union.All, true: e.Union.TwoSided} {
		all[0].near("union", got, all[0].mean(Test, bothSides, func(c *Claim) float64 {
			var union []uint32
			for i := range all {
				union = append(union, all[i].base(c.Text)...)
			}
			return all[0].mRecall(c, union, len(union))
		}))
	}
	return e
}

// oracle holds the definitions, without regard to speed.
type oracle struct {
	t          *testing.T
	p          *Perspectrum
	retriever  Retriever
	similarity func(a, b uint32) float32
	given      map[string][]string

	found       map[string][]Hit // what has been searched and diversified before
	diversified map[string][]uint32
}

func (o *oracle) near(what string, got, want float64) {
	o.t.Helper()
	if !(math.Abs(got-want) < 1e-12) {
		o.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (o *oracle) mean(split string, bothSides bool, value func(c *Claim) float64) float64 {
	sum, n := 0.0, 0.0
	for i := range o.p.Claims {
		if c := &o.p.Claims[i]; c.Split == split && (!bothSides || len(c.Documents[0]) > 0 && len(c.Documents[1]) > 0) {
			if v := value(c); !math.IsNaN(v) { // not defined for this claim
				sum += v
				n++
			}
		}
	}
	return sum / n
}

func (o *oracle) hits(text string) []Hit {
	if hits, known := o.found[text]; known {
		return hits
	}
	hits, err := o.retriever.Search(text, 100)
	if err != nil {
		o.t.Fatal(err)
	}
	o.found[text] = hits
	return hits
}

func (o *oracle) base(text string) (ranking []uint32) {
	for _, h := range o.hits(text) {
		ranking = append(ranking, h.Document)
	}
	return ranking
}

func (o *oracle) mmr(c *Claim, lambda float64) (chosen []uint32) {
	key := fmt.Sprint(lambda, c.Text)
	if chosen, known := o.diversified[key]; known {
		return chosen
	}
	hits := o.hits(c.Text)
	for len(chosen) < min(10, len(hits)) {
		pick, value := -1, math.Inf(-1)
		for i, h := range hits {
			if slices.Contains(chosen, h.Document) {
				continue
			}
			closest := math.Inf(-1)
			for _, d := range chosen {
				closest = max(closest, float64(o.similarity(h.Document, d)))
			}
			v := lambda*(float64(h.Score)/float64(hits[0].Score)) - (1-lambda)*closest
			if len(chosen) == 0 {
				v = float64(h.Score)
			}
			if v > value {
				pick, value = i, v
			}
		}
		chosen = append(chosen, hits[pick].Document)
	}
	o.diversified[key] = chosen
	return chosen
}

// expanded takes the documents in turns.
func (o *oracle) expanded(c *Claim, distinct bool) (merged []uint32) {
	queries := []string{"supports the claim: " + c.Text, "opposes the claim: " + c.Text}
	if o.given != nil {
		if queries = o.given[c.Text]; len(queries) == 0 {
			return o.base(c.Text)
		}
	}
	for rank := range 100 {
		for _, q := range queries {
			list := o.base(q)
			if rank < len(list) && len(merged) < 10 && !(distinct && slices.Contains(merged, list[rank])) {
				merged = append(merged, list[rank])
			}
		}
		if len(merged) == 10 {
			break
		}
	}
	return merged
}

func count(c *Claim, side int, ranking []uint32, k int) float64 {
	n := 0.0
	for _, d := range ranking[:min(k, len(ranking))] {
		if slices.Contains(c.Documents[side], d) {
			n++
		}
	}
	return n
}

func (o *oracle) mRecall(c *Claim, ranking []uint32, k int) float64 {
	if count(c, 0, ranking, k) > 0 && count(c, 1, ranking, k) > 0 {
		return 1
	}
	return 0
}

func (o *oracle) precision(c *Claim, ranking []uint32, k int) float64 {
	n := 0.0
	for _, d := range ranking[:min(k, len(ranking))] {
		if slices.Contains(c.Documents[0], d) || slices.Contains(c.Documents[1], d) {
			n++
		}
	}
	return n / float64(k)
}

func (o *oracle) check(name string, got *Results, bothSides bool, lambda float64) {
	mean := func(value func(c *Claim) float64) float64 { return o.mean(Test, bothSides, value) }
	n := 0
	mean(func(*Claim) float64 { n++; return 0 })
	if got.N != n {
		o.t.Errorf("%s: N %d, want %d", name, got.N, n)
	}
	for _, way := range []struct {
		name  string
		f     *Figures
		ranks func(c *Claim) []uint32
	}{
		{"default", &got.Default, func(c *Claim) []uint32 { return o.base(c.Text) }},
		{"mmr", &got.MMR, func(c *Claim) []uint32 { return o.mmr(c, lambda) }},
		{"expansion", &got.Expansion, func(c *Claim) []uint32 { return o.expanded(c, true) }},
		{"expansion, duplicates", &got.ExpansionDuplicates, func(c *Claim) []uint32 { return o.expanded(c, false) }},
	} {
		for _, k := range []int{5, 10} {
			o.near(fmt.Sprint(name, " ", way.name, " MRecall@", k), way.f.MRecall[k], mean(func(c *Claim) float64 { return o.mRecall(c, way.ranks(c), k) }))
		}
		for _, k := range []int{1, 5, 10} {
			o.near(fmt.Sprint(name, " ", way.name, " Precision@", k), way.f.Precision[k], mean(func(c *Claim) float64 { return o.precision(c, way.ranks(c), k) }))
		}
	}
	o.near(name+" coverage", got.Coverage.Share, mean(func(c *Claim) float64 { return o.mRecall(c, o.base(c.Text), 100) }))
	size := mean(func(c *Claim) float64 {
		ranking := o.base(c.Text)
		for k := range ranking {
			if o.mRecall(c, ranking, k+1) == 1 {
				return float64(k + 1)
			}
		}
		return math.NaN()
	})
	if got.Coverage.Size != nil || !math.IsNaN(size) {
		o.near(name+" size", *got.Coverage.Size, size)
	}
	for side, share := range []float64{got.Preference.Supporting, got.Preference.Opposing} {
		o.near(name+" preference", share, mean(func(c *Claim) float64 {
			if count(c, side, o.base(c.Text), 5) > 0 && count(c, 1-side, o.base(c.Text), 5) == 0 {
				return 1
			}
			return 0
		}))
	}
	o.near(name+" preference, both", got.Preference.Both, mean(func(c *Claim) float64 { return o.mRecall(c, o.base(c.Text), 5) }))
	p := got.Preference
	o.near(name+" preferences", p.Supporting+p.Opposing+p.Both+p.None, 1)
	for _, l := range []struct {
		prefix string
		*Leaning
	}{{"", &got.Sycophancy.Default}, {"supports the claim: ", &got.Sycophancy.Supporting}, {"opposes the claim: ", &got.Sycophancy.Opposing}} {
		share := func(side int) float64 {
			return mean(func(c *Claim) float64 { return count(c, side, o.base(l.prefix+c.Text), 5) / 5 })
		}
		o.near(name+" p", l.Supporting, share(0))
		o.near(name+" n", l.Opposing, share(1))
		o.near(name+" Δ", *l.Delta, (share(0)-share(1))/share(0))
		undefined := 0.0
		o.near(name+" mean Δ", *l.MeanDelta, mean(func(c *Claim) float64 {
			ranking := o.base(l.prefix + c.Text)
			if count(c, 0, ranking, 5) == 0 {
				undefined++
				return math.NaN()
			}
			return 1 - count(c, 1, ranking, 5)/count(c, 0, ranking, 5)
		}))
		o.near(name+" undefined", float64(l.Undefined), undefined)
	}
}

func TestVectorsWithoutKnownTokens(t *testing.T) {
	v, err := NewVectors(static.Builtin(), []string{"bridge", "ferry", ""}, func(int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if hits, err := v.Search("\u2603", 5); err != nil || len(hits) != 0 {
		t.Errorf("%v, %v", hits, err)
	}
	if hits, err := v.Search("ferry", 5); err != nil || len(hits) != 3 || hits[0].Document != 1 || math.Abs(float64(hits[0].Score)-1) > 1e-6 {
		t.Errorf("%v, %v", hits, err)
	}
	stop := errors.New("stop")
	if _, err := NewVectors(static.Builtin(), []string{"bridge"}, func(int) error { return stop }); err != stop {
		t.Error(err)
	}
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
