package xla

import (
	"cmp"
	"slices"
)

// shape is the shape of a program's input.
type shape struct{ batch, length int }

// Sizes of batches. A device takes about as long for one text as for several, and XLA
// takes seconds to compile each shape. So there are few shapes: at most 26 for texts of
// up to 2,048 tokens. Padding is less than half of a batch and, for texts of 8 tokens or
// more, at most half of a text.
var batches = [...]int{1, 8, 32, 128}

const (
	shortest = 16 // least number of tokens that a text is padded to; further lengths double
	// mostTokens is the greatest number of tokens of a batch of several texts, including
	// padding. A single text may have more.
	// Attention scores of BERT-base take 12·128·128·128·4 B = 100 MB at 128 × 128, four
	// times that at 32 × 512.
	mostTokens = 16384
)

// padded is the length to which a text is padded.
func (m *loaded) padded(tokens int) int {
	length := shortest
	for length < tokens {
		length *= 2
	}
	if m.longest > 0 {
		length = min(length, m.longest)
	}
	return length
}

// usual is the length of texts for which programs are made ahead if a model has no limit.
const usual = 512

// warmed is the length up to which programs are made ahead for texts of up to length tokens. A
// length of 0 says that texts have no limit.
func (m *loaded) warmed(length int) int {
	switch {
	case m.longest > 0 && (length == 0 || length > m.longest):
		return m.longest
	case length == 0:
		return usual
	}
	return length
}

// sizes are the sizes of batches for texts of a length, the largest last.
func sizes(length int) []int {
	n := 1
	for n < len(batches) && batches[n]*length <= mostTokens {
		n++
	}
	return batches[:n]
}

// shapes are the shapes of all batches for texts of up to length tokens.
func (m *loaded) shapes(length int) (all []shape) {
	for tokens := 1; ; {
		l := m.padded(tokens)
		for _, n := range sizes(l) {
			all = append(all, shape{n, l})
		}
		if l >= length {
			return all
		}
		tokens = l + 1
	}
}

// batch is one run of a program.
type batch struct {
	shape
	texts []int // indexes of its texts
}

// plan divides texts among batches. It puts texts of similar length together, uses the
// largest batches that the texts fill, and prefers one batch that is more than half full
// to several small ones. Texts without tokens are in no batch.
func (m *loaded) plan(texts [][]uint32) (plan []batch) {
	byLength := map[int][]int{}
	for i, ids := range texts {
		if len(ids) > 0 {
			l := m.padded(len(ids))
			byLength[l] = append(byLength[l], i)
		}
	}
	for l, left := range byLength {
		fitting := sizes(l)
		for len(left) > 0 {
			size := fitting[0]
			for _, n := range fitting {
				if len(left)*2 > n {
					size = n
				}
			}
			n := min(size, len(left))
			plan = append(plan, batch{shape{size, l}, left[:n]})
			left = left[n:]
		}
	}
	slices.SortFunc(plan, func(a, b batch) int { return cmp.Compare(a.texts[0], b.texts[0]) })
	return plan
}
