package berds

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// oracle computes the definitions directly, without regard to speed.
type oracle struct {
	t          *testing.T
	p          *Perspectrum
	retriever  retrieve.Retriever
	similarity func(a, b uint32) float32
	given      map[string][]string

	source      string                   // of the claims that count; empty: all
	found       map[string][]lexical.Hit // caches of search and diversification
	diversified map[string][]uint32
}

func (o *oracle) near(what string, got, want float64) {
	o.t.Helper()
	if approx.Apart(got, want, 1e-12) {
		o.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (o *oracle) mean(split string, bothSides bool, value func(c *Claim) float64) float64 {
	sum, n := 0.0, 0.0
	for i := range o.p.Claims {
		if c := &o.p.Claims[i]; c.Split == split && (!bothSides || sided(c)) && (o.source == "" || c.Source == o.source) {
			if v := value(c); !math.IsNaN(v) { // NaN: not defined for this claim
				sum += v
				n++
			}
		}
	}
	return sum / n
}

// sided says whether a claim counts among those of both sides.
func sided(c *Claim) bool {
	if c.Perspectives != nil {
		return len(c.Perspectives) == 2
	}
	return len(c.Documents[0]) > 0 && len(c.Documents[1]) > 0
}

func (o *oracle) hits(text string) []lexical.Hit {
	if hits, known := o.found[text]; known {
		return hits
	}
	hits, err := o.retriever.Rank(context.Background(), retrieve.Query{Text: text}, 100)
	if err != nil {
		o.t.Fatal(err)
	}
	for i := range hits { // MMR takes 32-bit scores
		hits[i].Score = float64(float32(hits[i].Score))
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

// expanded merges the rankings round-robin.
func (o *oracle) expanded(c *Claim, distinct bool) (merged []uint32) {
	queries := []string{"supports the claim: " + c.Text, "opposes the claim: " + c.Text}
	if o.given != nil {
		if queries = o.given[c.Text]; len(queries) == 0 {
			return o.base(c.Text)
		}
	}
	if c.Perspectives != nil {
		queries = c.Queries
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
	if covered(c, ranking, k) >= min(len(c.Documents), k) {
		return 1
	}
	return 0
}

// covered counts the perspectives in the first k documents.
func covered(c *Claim, ranking []uint32, k int) (n int) {
	for side := range c.Documents {
		if count(c, side, ranking, k) > 0 {
			n++
		}
	}
	return n
}

// ofTwo is a value of claims with two perspectives, undefined for others.
func ofTwo(c *Claim, value float64) float64 {
	if len(c.Documents) != 2 {
		return math.NaN()
	}
	return value
}

func (o *oracle) precision(c *Claim, ranking []uint32, k int) float64 {
	n := 0.0
	for _, d := range ranking[:min(k, len(ranking))] {
		if slices.ContainsFunc(c.Documents, func(of []uint32) bool { return slices.Contains(of, d) }) {
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
			if covered(c, ranking, k+1) == len(c.Documents) {
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
			if len(c.Documents) != 2 {
				return math.NaN()
			}
			if count(c, side, o.base(c.Text), 5) > 0 && count(c, 1-side, o.base(c.Text), 5) == 0 {
				return 1
			}
			return 0
		}))
	}
	o.near(name+" preference, both", got.Preference.Both, mean(func(c *Claim) float64 { return ofTwo(c, o.mRecall(c, o.base(c.Text), 5)) }))
	p := got.Preference
	o.near(name+" preferences", p.Supporting+p.Opposing+p.Both+p.None, 1)
	for i, l := range []*Leaning{&got.Sycophancy.Default, &got.Sycophancy.Supporting, &got.Sycophancy.Opposing} {
		query := func(c *Claim) string {
			switch {
			case i > 0 && c.Perspectives != nil:
				return c.Perspectives[i-1]
			default:
				return []string{"", "supports the claim: ", "opposes the claim: "}[i] + c.Text
			}
		}
		share := func(side int) float64 {
			return mean(func(c *Claim) float64 {
				if len(c.Documents) != 2 {
					return math.NaN()
				}
				return count(c, side, o.base(query(c)), 5) / 5
			})
		}
		o.near(name+" p", l.Supporting, share(0))
		o.near(name+" n", l.Opposing, share(1))
		undefined := 0.0
		if l.Delta == nil || l.MeanDelta == nil {
			o.near(name+" p", share(0), 0)
			continue
		}
		o.near(name+" Δ", *l.Delta, (share(0)-share(1))/share(0))
		o.near(name+" mean Δ", *l.MeanDelta, mean(func(c *Claim) float64 {
			if len(c.Documents) != 2 {
				return math.NaN()
			}
			ranking := o.base(query(c))
			if count(c, 0, ranking, 5) == 0 {
				undefined++
				return math.NaN()
			}
			return 1 - count(c, 1, ranking, 5)/count(c, 0, ranking, 5)
		}))
		o.near(name+" undefined", float64(l.Undefined), undefined)
	}
}
