package model

// part is a range of a batch: texts [first, last), which are tokens [from, to).
type part struct{ first, last, from, to int }

const (
	partTokens  = 64 // about the tokens of a part, whose activations fit into a second-level cache
	leastTokens = 32 // least tokens of a part; with fewer, reading the weights takes longer than the products
)

// parts divides a batch into parts, each of which one worker takes through all layers.
// It returns nil if the workers should share every layer instead, because there are too
// few texts, or one is so long that the others would wait for it. Sharing layers is
// slower, because all workers wait for the slowest about forty times per pass.
//
// Every part has tokens. All workers get the same number of parts, unless texts that
// are longer than a part leave nothing for the last ones.
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
		// Choose the boundary nearest to the even one, after at least one token.
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
