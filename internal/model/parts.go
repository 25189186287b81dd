package model

// part is a stretch of a batch: texts [first, last), which are tokens [from, to).
type part struct{ first, last, from, to int }

const (
	partTokens  = 64 // of a part, about: its activations stay in a second-level cache
	leastTokens = 32 // of a part; for fewer, reading all weights takes longer than the products
)

// parts divides a batch into parts, each of which one worker takes through all
// layers. It returns nil if the workers should share every layer instead, because
// there are too few texts, or one is so long that the others would wait for it.
// If they share a layer, all workers wait for the slowest, about forty times a
// pass, and an interruption of one delays all.
//
// Every part has tokens. There are as many parts for each worker, unless texts
// that are long beside a part leave nothing for the last ones.
func parts(lengths []int, workers int) []part {
	tokens := 0
	for _, n := range lengths {
		tokens += n
	}
	if workers == 1 || tokens < leastTokens*workers || len(lengths) < workers {
		return nil
	}
	n := min(max(workers, tokens/partTokens/workers*workers), len(lengths)/workers*workers)
	var list []part
	text, at := 0, 0
	for i := range n {
		p := part{first: text, from: at}
		// The boundary that is nearest to the even one, after a token at least.
		for end := tokens * (i + 1) / n; text < len(lengths) && (at == p.from || at+lengths[text]/2 <= end); text++ {
			at += lengths[text]
		}
		if i == n-1 || at == tokens { // and texts without tokens at the end
			text, at = len(lengths), tokens
		}
		p.last, p.to = text, at
		if (p.to-p.from)*n > tokens+tokens/4 {
			return nil
		}
		list = append(list, p)
		if at == tokens {
			break
		}
	}
	return list
}
