package dense

// Prefix has the keys and values of tokens that several sequences begin with, packed for
// attention.
type Prefix struct {
	Tokens int

	keys   [][]float32 // of each head, in panels of 16 keys
	values [][]float32 // of each head, in panels of 16 components
}

// Bytes that the keys and values take.
func (f *Prefix) Bytes() int {
	n := 0
	for h := range f.keys {
		n += 4 * (len(f.keys[h]) + len(f.values[h]))
	}
	return n
}

// Prefix packs the keys and values of n tokens, which lie as in Apply.
func (a *Attention) Prefix(k, v []float32, ld, n int) *Prefix {
	f := &Prefix{Tokens: n}
	width, dims := roundUp(n), roundUp(a.Dim)
	for h := range a.Heads {
		keys, values := aligned(width*a.Dim), aligned(dims*n)
		packKeys(keys, 0, k[h*a.Dim:], ld, n, a.Dim)
		packValues(values, n, 0, v[h*a.Dim:], ld, n, a.Dim)
		f.keys, f.values = append(f.keys, keys), append(f.values, values)
	}
	return f
}

// roundUp is the least multiple of a panel that has room for n.
func roundUp(n int) int { return (n + panel - 1) / panel * panel }

// ApplyAfter is Apply for sequences that follow the first tokens of a prefix, whose number is
// before. q, k, v, lengths and keys are of the sequences alone. A sequence's output has the same
// bits as if these tokens and the sequence were read as one.
func (a *Attention) ApplyAfter(p *Pool, f *Prefix, before int, out []float32, ldo int, q, k, v []float32, ld int, lengths, keys []int) {
	starts, longest := make([]int, len(lengths)), 0
	for s, at := 0, 0; s < len(lengths); s++ {
		starts[s] = at
		at += lengths[s]
		longest = max(longest, lengths[s])
	}
	// A task copies the prefix's values once, for all of its sequences.
	shares := min(len(lengths), (p.Workers()+a.Heads-1)/a.Heads)
	capacity := before + longest
	p.Run(shares*a.Heads, func(task, _ int) {
		head, share := task/shares, task%shares
		scratch, _ := p.scratch.Get().(*attentionScratch)
		if scratch == nil {
			scratch = &attentionScratch{}
		}
		scratch.values = grown(scratch.values, roundUp(a.Dim)*capacity)
		for d := 0; d < roundUp(a.Dim); d += panel {
			copy(scratch.values[d*capacity:], f.values[head][d*f.Tokens:][:before*panel])
		}
		for s := len(lengths) * share / shares; s < len(lengths)*(share+1)/shares; s++ {
			n, seen := lengths[s], lengths[s]
			if keys != nil {
				seen = keys[s]
			}
			if n == 0 || before+seen == 0 {
				continue
			}
			at := starts[s]*ld + head*a.Dim
			a.headAfter(scratch, f.keys[head], head, before, capacity, n, seen, out[starts[s]*ldo+head*a.Dim:], ldo, q[at:], k[at:], v[at:], ld)
		}
		p.scratch.Put(scratch)
	})
}

// headAfter is head for a sequence that follows a prefix, whose values s.values begins
// with.
func (a *Attention) headAfter(s *attentionScratch, keys []float32, head, before, capacity, n, seen int, out []float32, ldo int, q, k, v []float32, ld int) {
	all := before + seen
	width := roundUp(all) // of a row of scores
	// Whole panels of the prefix are used where they are; the sequence goes on in the next one.
	whole := before / panel * panel
	s.keys = grown(s.keys, (width-whole)*a.Dim)
	if before > whole {
		copy(s.keys, keys[whole*a.Dim:][:panel*a.Dim])
	}
	packKeys(s.keys, before-whole, k, ld, seen, a.Dim)
	packValues(s.values, capacity, before, v, ld, seen, a.Dim)
	s.scores = grown(s.scores, queryRows*width)
	s.edge = grown(s.edge, maxRows*roundUp(a.Dim))
	for first := 0; first < n; first += queryRows {
		rows := min(queryRows, n-first)
		product(s.scores, width, whole, q[first*ld:], ld, a.Dim, keys, panel*a.Dim, rows)
		product(s.scores[whole:], width, width-whole, q[first*ld:], ld, a.Dim, s.keys, panel*a.Dim, rows)
		for i := range rows {
			a.weigh(s.scores[i*width:(i+1)*width], head, before+first+i, all)
		}
		a.mix(s, out[first*ldo:], ldo, width, all, capacity, rows)
	}
}
