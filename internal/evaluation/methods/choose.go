package methods

import (
	"slices"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/significance"
	"github.com/vantage-search/vantage/perspective"
)

// candidates returns the methods to try for a kind. angles says whether the encoder can give
// texts angles.
func candidates(kind perspective.Kind, angles bool) (out []perspective.Choice) {
	add := func(method string, strengths ...float64) {
		for _, s := range strengths {
			out = append(out, perspective.Choice{Kind: kind, Method: method, Strength: s})
		}
	}
	hybrid := func(method string) {
		for _, weight := range []float64{perspective.HybridWeight, 2 * perspective.HybridWeight} {
			out = append(out, perspective.Choice{Kind: kind, Method: method, Hybrid: true, Weight: weight})
		}
	}
	add(plain, 0)
	hybrid(plain)
	if kind == perspective.KindNone {
		return out
	}
	add(sum, 0)
	hybrid(sum)
	hybrid("root")
	add("root", 0)
	add("add", 0)
	add("aug-add", 0)
	add("dual-sum", 0)
	add("pap", -1, -.5, .5, 1)
	add("pap+", -1, -.5, .5, 1)
	if angles {
		add("aspect", .1, .25, .5)
	}
	if angles && kind == perspective.KindStance {
		add("contrast", .2, .4, .6, .8)
	}
	return out
}

// choose fills in the choices.
func (e *Experiment) choose(f *Figures, kinds map[perspective.Kind]*Kind) error {
	var plains, sums float64
	for _, kind := range perspective.Kinds() {
		k := kinds[kind]
		if k == nil {
			continue
		}
		f.Kinds = append(f.Kinds, k)
		for i := range k.Candidates {
			c := &k.Candidates[i]
			for _, v := range c.values {
				c.Mean += v / float64(len(c.values))
			}
			switch {
			case k.Kind == perspective.KindNone || c.Hybrid:
			case c.Method == plain:
				plains += c.Mean * float64(k.Queries)
			case c.Method == sum:
				sums += c.Mean * float64(k.Queries)
			}
		}
	}
	f.Safest = plain
	if sums > plains {
		f.Safest = sum
	}
	for _, k := range f.Kinds {
		safest := f.Safest
		if k.Kind == perspective.KindNone {
			safest = plain // there is nothing to add
		}
		if err := e.chooseFor(k, safest); err != nil {
			return err
		}
	}
	for _, kind := range perspective.Kinds() {
		line := perspective.Choice{Kind: kind, Method: f.Safest}
		if kind == perspective.KindNone {
			line.Method = plain
		}
		if k := kinds[kind]; k != nil {
			line = k.Chosen
		}
		f.Table = append(f.Table, line.String())
		if search.HasAngles(line.Method) {
			f.Table = append(f.Table, perspective.Choice{Kind: kind, Method: f.Safest}.String()) // for queries or collections without angles
		}
	}
	return nil
}

// chooseFor chooses the best candidate of a kind if it is significantly better than the
// plain cosine, and otherwise the safest.
func (e *Experiment) chooseFor(k *Kind, safest string) error {
	base := k.Candidates[0]
	slices.SortStableFunc(k.Candidates, func(a, b Candidate) int {
		switch {
		case a.Mean > b.Mean:
			return -1
		case a.Mean < b.Mean:
			return 1
		}
		return 0
	})
	chosen := k.Candidates[0]
	k.P = 1
	if k.Queries > 1 && chosen.Choice != base.Choice {
		p, err := significance.Randomization(chosen.values, base.values, e.Tests.Rounds, e.Tests.Seed)
		if err != nil {
			return err
		}
		k.P = min(1, p*float64(len(k.Candidates)-1))
	}
	if !(k.P <= Level) {
		for _, c := range k.Candidates {
			if c.Method == safest && !c.Hybrid {
				chosen = c
			}
		}
	}
	k.Chosen = chosen.Choice
	k.Margin = chosen.Mean - base.Mean
	return nil
}
