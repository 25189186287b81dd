package model

import (
	"github.com/vantage-search/vantage/wasm/transformer"
)

// part is a stretch of a batch: texts [first, last), which are tokens [from, to).
type part struct{ first, last, from, to int }

const (
	partTokens  = 64 // of a part, about: its activations stay in a second-level cache
	leastTokens = 32 // of a part; for fewer, reading all weights takes longer than the products
)

// parts divides a batch into parts that workers take through all layers, each
// alone, or returns nil where they had better share the work of every layer:
// where there are too few texts, or where one is so long that the others would
// wait for it. Sharing a layer has all workers wait for the slowest, some forty
// times a pass, and a thread that the system takes from one of them for a moment
// costs all of them that moment.
func parts(lengths []int, workers int) []part {
	tokens := 0
	for _, n := range lengths {
		tokens += n
	}
	if workers == 1 || tokens < leastTokens*workers || len(lengths) < workers {
		return nil
	}
	n := min(max(workers, tokens/partTokens/workers*workers), len(lengths)/workers*workers)
	list := make([]part, n)
	text, at := 0, 0
	for i := range list {
		p := part{first: text, from: at}
		// The boundary that is nearest to the even one.
		for end := tokens * (i + 1) / n; text < len(lengths) && at+lengths[text]/2 <= end; text++ {
			at += lengths[text]
		}
		if i == n-1 {
			text, at = len(lengths), tokens
		}
		p.last, p.to = text, at
		if (p.to-p.from)*n > tokens+tokens/4 {
			return nil
		}
		list[i] = p
	}
	return list
}

// forward computes a batch's hidden states, [tokens, hidden].
func (p *pass) forward(m transformer.Model, out []float32, b *transformer.Batch) error {
	pool, width := p.scratch.Pool, m.Hidden()
	list := parts(b.Lengths, pool.Workers())
	if list == nil {
		return m.Forward(out, b, &p.scratch)
	}
	if p.alone == nil {
		p.alone = make([]transformer.Scratch, pool.Workers())
		for i := range p.alone {
			p.alone[i].Pool = pool // it is taken, so that whoever comes works alone
		}
	}
	errs := make([]error, len(list))
	pool.Run(len(list), func(task, worker int) {
		at := list[task]
		own := transformer.Batch{IDs: b.IDs[at.from:at.to], Lengths: b.Lengths[at.first:at.last], Keys: b.Keys[at.first:at.last]}
		if b.Types != nil {
			own.Types = b.Types[at.from:at.to]
		}
		errs[task] = m.Forward(out[at.from*width:at.to*width], &own, &p.alone[worker])
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
