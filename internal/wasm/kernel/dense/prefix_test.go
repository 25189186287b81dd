package dense

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Attention behind a packed prefix has the bits of attention over the whole, on every
// build, also for a part of the prefix and for sequences of which not all is attended to.
func TestAttentionBehindAPrefix(t *testing.T) {
	every(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		p := NewPool(2)
		defer p.Close()
		lengths, keys := []int{1, 5, 0, 16, 100}, []int{1, 3, 0, 16, 90}
		const tokens, heads, span = 37, 3, 160
		for _, dim := range []int{4, 16, 20, 64} {
			ld := 3 * heads * dim
			bias := random(r, heads*(2*span-1))
			prefix := random(r, tokens*ld)
			own := random(r, 122*ld)
			for _, a := range []Attention{
				{Heads: heads, Dim: dim, Scale: .25, Causal: true},
				{Heads: heads, Dim: dim, Scale: 1, Bias: bias, Span: span},
			} {
				f := a.Prefix(prefix[heads*dim:], prefix[2*heads*dim:], ld, tokens)
				for _, before := range []int{tokens, 33, 32, 5, 0} {
					for _, seen := range [][]int{nil, keys} {
						got := make([]float32, 122*heads*dim)
						a.ApplyAfter(p, f, before, got, heads*dim, own, own[heads*dim:], own[2*heads*dim:], ld, lengths, seen)
						at := 0
						for s, n := range lengths {
							if n == 0 {
								continue
							}
							whole := slices.Concat(prefix[:before*ld], own[at*ld:(at+n)*ld])
							want := make([]float32, (before+n)*heads*dim)
							attended := []int{before + n}
							if seen != nil {
								attended[0] = before + seen[s]
							}
							a.Apply(p, want, heads*dim, whole, whole[heads*dim:], whole[2*heads*dim:], ld, []int{before + n}, attended)
							if !slices.Equal(got[at*heads*dim:(at+n)*heads*dim], want[before*heads*dim:]) {
								t.Errorf("%d of dimension %d: %d tokens behind %d differ", heads, dim, n, before)
							}
							at += n
						}
					}
				}
			}
		}
	})
}
