package fit

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"unicode/utf8"
)

// specialTokens begin every vocabulary, in BERT's order.
var specialTokens = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

const (
	continuation   = "##"
	leastPairCount = 2       // least frequency of a merged pair
	maxMergedWords = 1 << 18 // greatest number of distinct words from which merges are learnt
)

// learnVocabulary learns at most size WordPiece tokens: the special tokens, the
// characters of the corpus, at the beginning of a word and inside, and the merges of
// byte-pair encoding (Sennrich et al., 2016, "Neural Machine Translation of Rare Words
// with Subword Units", section 3.2), in which the most frequent pair of neighbouring
// tokens repeatedly becomes a token. Of equally frequent pairs, the first in lexical
// order wins.
func learnVocabulary(ctx context.Context, c *corpus, size int, progress func(done, total int64)) ([]string, error) {
	m := newMerger(c, (size-len(specialTokens))/2)
	for len(m.tokens) < size-len(specialTokens) && len(m.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if m.step() {
			progress(int64(len(m.tokens)+len(specialTokens)), int64(size))
		}
	}
	return append(slices.Clone(specialTokens), m.tokens...), nil
}

// pair is two neighbouring tokens.
type pair struct{ left, right int32 }

// candidate is a pair with its count at the time of queuing.
type candidate struct {
	pair
	count int64
}

// merger learns merges. Each word is a list of tokens that gets shorter.
type merger struct {
	tokens []string
	index  map[string]int32
	words  [][]int32
	counts []int64
	pairs  map[pair]int64
	where  map[pair][]int32 // words that have contained the pair
	queue  []candidate
}

// newMerger splits the words into characters, of which the most frequent ones, at most
// limit, become tokens.
func newMerger(c *corpus, limit int) *merger {
	m := &merger{index: map[string]int32{}, pairs: map[pair]int64{}, where: map[pair][]int32{}}
	order := c.byCount()
	m.addCharacters(c, order, limit)
	for _, w := range order[:min(len(order), maxMergedWords)] {
		tokens := m.spell(c.words[w])
		if len(tokens) < 2 {
			continue
		}
		id := int32(len(m.words))
		m.words, m.counts = append(m.words, tokens), append(m.counts, c.counts[w])
		for i := range len(tokens) - 1 {
			m.count(pair{tokens[i], tokens[i+1]}, c.counts[w], id)
		}
	}
	for p, n := range m.pairs {
		m.queue = append(m.queue, candidate{p, n})
	}
	heap.Init(m)
	return m
}

// addCharacters makes tokens of characters. A letter becomes two tokens, one for the
// beginning of words and one for their inside. A character that is always a word of its
// own, such as an ideograph, becomes one.
func (m *merger) addCharacters(c *corpus, order []int32, limit int) {
	counts := map[string]int64{}
	for _, w := range order {
		word := c.words[w]
		_, first := utf8.DecodeRuneInString(word)
		for _, r := range word {
			if counts[string(r)] += c.counts[w]; first < len(word) {
				counts[continuation+string(r)] += c.counts[w]
			}
		}
	}
	characters := make([]string, 0, len(counts))
	for s := range counts {
		characters = append(characters, s)
	}
	slices.SortFunc(characters, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	characters = characters[:min(len(characters), limit)]
	slices.Sort(characters)
	for _, s := range characters {
		m.token(s)
	}
}

// token returns the number of a token. A new token gets a new number.
func (m *merger) token(s string) int32 {
	id, known := m.index[s]
	if !known {
		id = int32(len(m.tokens))
		m.tokens = append(m.tokens, s)
		m.index[s] = id
	}
	return id
}

// spell returns a word as tokens of characters, or nil if a character is not a token.
func (m *merger) spell(word string) (tokens []int32) {
	prefix := ""
	for _, r := range word {
		id, known := m.index[prefix+string(r)]
		if !known {
			return nil
		}
		tokens = append(tokens, id)
		prefix = continuation
	}
	return tokens
}

// count adds n occurrences of a pair in a word.
func (m *merger) count(p pair, n int64, word int32) {
	m.pairs[p] += n
	if in := m.where[p]; len(in) == 0 || in[len(in)-1] != word {
		m.where[p] = append(in, word)
	}
}

// step takes the first candidate and reports whether it made a token. If a pair's count
// has shrunk since it was queued, the pair is queued again.
func (m *merger) step() bool {
	best := heap.Pop(m).(candidate)
	now := m.pairs[best.pair]
	if now != best.count {
		if now >= leastPairCount && now < best.count {
			heap.Push(m, candidate{best.pair, now})
		}
		return false
	}
	if now < leastPairCount {
		m.queue = nil
		return false
	}
	before := len(m.tokens)
	right := m.tokens[best.right]
	merged := m.token(m.tokens[best.left] + right[len(continuation):])
	grown := map[pair]bool{}
	for _, w := range m.where[best.pair] {
		m.merge(w, best.pair, merged, grown)
	}
	delete(m.where, best.pair)
	delete(m.pairs, best.pair)
	for p := range grown {
		heap.Push(m, candidate{p, m.pairs[p]})
	}
	return len(m.tokens) > before
}

// merge merges a pair in a word and adds the new pairs to grown.
func (m *merger) merge(word int32, p pair, merged int32, grown map[pair]bool) {
	old := m.words[word]
	n := m.counts[word]
	kept := make([]int32, 0, len(old))
	for i := 0; i < len(old); i++ {
		if i+1 < len(old) && old[i] == p.left && old[i+1] == p.right {
			kept = append(kept, merged)
			i++
		} else {
			kept = append(kept, old[i])
		}
	}
	if len(kept) == len(old) {
		return
	}
	for i := range len(old) - 1 {
		m.pairs[pair{old[i], old[i+1]}] -= n
	}
	for i := range len(kept) - 1 {
		q := pair{kept[i], kept[i+1]}
		if q.left == merged || q.right == merged {
			m.count(q, n, word)
			grown[q] = true
		} else {
			m.pairs[q] += n
		}
	}
	m.words[word] = kept
}

// The methods of heap.Interface put the most frequent pair first, and equally frequent
// ones in lexical order.

func (m *merger) Len() int { return len(m.queue) }

func (m *merger) Less(i, j int) bool {
	a, b := m.queue[i], m.queue[j]
	if a.count != b.count {
		return a.count > b.count
	}
	return cmp.Or(cmp.Compare(m.tokens[a.left], m.tokens[b.left]), cmp.Compare(m.tokens[a.right], m.tokens[b.right])) < 0
}

func (m *merger) Swap(i, j int) { m.queue[i], m.queue[j] = m.queue[j], m.queue[i] }

func (m *merger) Push(x any) { m.queue = append(m.queue, x.(candidate)) }

func (m *merger) Pop() any {
	last := m.queue[len(m.queue)-1]
	m.queue = m.queue[:len(m.queue)-1]
	return last
}
