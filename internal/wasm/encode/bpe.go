package encode

import "strings"

// BPE is byte-level byte-pair encoding (Sennrich et al., 2016, "Neural Machine
// Translation of Rare Words with Subword Units", section 3.2; Radford et al.,
// 2019, section 2.2), the tokenizer of RoBERTa and OPT. Its methods may be called
// by several goroutines at a time.
type BPE struct {
	Ends
	addedSets
	bytes       [256]uint32         // ids of single bytes; noByte if not in the vocabulary
	merges      map[uint64]bpeMerge // key: the two ids, the left one in the higher bits
	vocabulary  map[string]uint32   // spelling in the file
	words       map[string]uint32   // vocabulary spelled in bytes, if whole words are looked up before merging
	prefixSpace bool                // put a space before a text that begins without one
	whole       bool                // do not split text into words
	size        int
}

// noByte marks a byte that the vocabulary lacks. Such bytes are left out.
const noByte = ^uint32(0)

type bpeMerge struct{ rank, id uint32 }

// noMerge is the rank of pairs that do not merge.
const noMerge = ^uint32(0)

// VocabSize returns the number of ids: every id is less.
func (b *BPE) VocabSize() int { return b.size }

// ID returns the id of a token by its spelling in the vocabulary.
func (b *BPE) ID(token string) (uint32, bool) {
	if id, ok := b.addedID(token); ok {
		return id, true
	}
	id, ok := b.vocabulary[token]
	return id, ok
}

// Encode appends the ids of a text to dst, without the post-processor's special tokens.
// Special tokens in the text itself become their ids.
func (b *BPE) Encode(dst []uint32, text string) []uint32 {
	// Rust's strings are valid UTF-8, so vocabularies have no invalid bytes.
	text = strings.ToValidUTF8(text, "\uFFFD")
	return b.raw.encode(dst, text, func(dst []uint32, from, to int) []uint32 {
		text := text[from:to]
		return b.cooked.encode(dst, text, func(dst []uint32, from, to int) []uint32 {
			return b.encodePlain(dst, text[from:to])
		})
	})
}

// encodePlain encodes a part of a text between added tokens.
func (b *BPE) encodePlain(dst []uint32, text string) []uint32 {
	if b.prefixSpace && text[0] != ' ' {
		text = " " + text
	}
	for text != "" {
		n := len(text)
		if !b.whole {
			n = nextPiece(text)
		}
		dst = b.encodePiece(dst, text[:n])
		text = text[n:]
	}
	return dst
}

// bpeSymbol is a token of a word during merging.
type bpeSymbol struct {
	id             uint32
	previous, next int32 // -1 if there is none
}

// encodePiece merges the bytes of one piece. In each step it merges the pair of the
// lowest rank, and of several the leftmost.
func (b *BPE) encodePiece(dst []uint32, piece string) []uint32 {
	if b.words != nil {
		if id, ok := b.words[piece]; ok {
			return append(dst, id)
		}
	}
	var room [fewSymbols]bpeSymbol
	symbols := room[:0]
	for i := range len(piece) {
		if id := b.bytes[piece[i]]; id != noByte {
			n := int32(len(symbols))
			symbols = append(symbols, bpeSymbol{id, n - 1, n + 1})
		}
	}
	if len(symbols) == 0 {
		return dst
	}
	symbols[len(symbols)-1].next = -1
	if len(symbols) <= len(room) {
		b.mergeFew(symbols)
	} else {
		b.mergeMany(symbols)
	}
	for i := int32(0); i >= 0; i = symbols[i].next {
		dst = append(dst, symbols[i].id)
	}
	return dst
}

// pair looks up the merge of the symbol at i and the one after it.
func (b *BPE) pair(symbols []bpeSymbol, i int32) (bpeMerge, bool) {
	next := symbols[i].next
	if next < 0 {
		return bpeMerge{}, false
	}
	m, ok := b.merges[uint64(symbols[i].id)<<32|uint64(symbols[next].id)]
	return m, ok
}

// join replaces the symbol at i and the one after it by one.
func join(symbols []bpeSymbol, i int32, id uint32) {
	next := symbols[i].next
	symbols[i].id = id
	symbols[i].next = symbols[next].next
	if symbols[i].next >= 0 {
		symbols[symbols[i].next].previous = i
	}
}

// fewSymbols is the greatest number of symbols that are merged without a heap.
const fewSymbols = 64

// mergeFew repeatedly searches all pairs for the best one. It looks up only the
// pairs of new symbols.
func (b *BPE) mergeFew(symbols []bpeSymbol) {
	var room [fewSymbols]bpeMerge
	merges := room[:len(symbols)] // merge of each symbol with the next
	look := func(i int32) {
		m, ok := b.pair(symbols, i)
		if !ok {
			m.rank = noMerge
		}
		merges[i] = m
	}
	for i := range symbols {
		look(int32(i))
	}
	for {
		best, at := noMerge, int32(-1)
		for i := int32(0); i >= 0; i = symbols[i].next {
			if merges[i].rank < best {
				best, at = merges[i].rank, i
			}
		}
		if at < 0 {
			return
		}
		join(symbols, at, merges[at].id)
		look(at)
		if previous := symbols[at].previous; previous >= 0 {
			look(previous)
		}
	}
}

// bpeCandidate is a pair and the place at which it was found.
type bpeCandidate struct {
	rank        uint32
	at          int32
	left, right uint32
	id          uint32
}

// mergeMany keeps the pairs in a heap, so that a long run without spaces does not
// take time that grows with its square.
func (b *BPE) mergeMany(symbols []bpeSymbol) {
	heap := make([]bpeCandidate, 0, len(symbols))
	propose := func(i int32) {
		if i < 0 {
			return
		}
		if m, ok := b.pair(symbols, i); ok {
			heap = push(heap, bpeCandidate{m.rank, i, symbols[i].id, symbols[symbols[i].next].id, m.id})
		}
	}
	for i := range symbols {
		propose(int32(i))
	}
	gone := make([]bool, len(symbols))
	for len(heap) > 0 {
		c := heap[0]
		heap = pop(heap)
		next := symbols[c.at].next
		if gone[c.at] || next < 0 || symbols[c.at].id != c.left || symbols[next].id != c.right {
			continue // merged into another symbol since
		}
		gone[next] = true
		join(symbols, c.at, c.id)
		propose(symbols[c.at].previous)
		propose(c.at)
	}
}

func (c bpeCandidate) before(d bpeCandidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
}

// push and pop maintain a binary heap.
func push(heap []bpeCandidate, c bpeCandidate) []bpeCandidate {
	heap = append(heap, c)
	for i := len(heap) - 1; i > 0 && heap[i].before(heap[(i-1)/2]); i = (i - 1) / 2 {
		heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
	}
	return heap
}

func pop(heap []bpeCandidate) []bpeCandidate {
	last := len(heap) - 1
	heap[0] = heap[last]
	heap = heap[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if heap[child].before(heap[least]) {
				least = child
			}
		}
		if least == i {
			return heap
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
