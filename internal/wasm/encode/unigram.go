package encode

import (
	"sync"
	"unicode/utf8"
)

// Unigram is the model of SentencePiece's unigram tokenizers (Kudo, 2018, "Subword
// Regularization", section 3.2), used by T5, XLM-R and CamemBERT. Of all ways to split
// a text into pieces, it chooses the one with the greatest sum of scores.
//
// Scores are added in float64 as in the Hugging Face tokenizers library, whereas
// SentencePiece itself adds float32. Of equal sums, both keep the one whose last piece
// is longest.
type Unigram struct {
	trie    *trie
	scores  []float64
	unknown uint32
	penalty float64      // score of a character that is in no piece
	bytes   *[256]uint32 // ids of byte pieces; nil without byte fallback
	scratch sync.Pool
}

// unknownPenalty is the difference between the worst piece's score and that of an
// unknown character.
const unknownPenalty = 10

// newUnigram makes the model of pieces, whose ids are their indexes.
func newUnigram(pieces []string, scores []float64, unknown uint32, byteFallback bool) *Unigram {
	u := &Unigram{trie: newTrie(pieces), scores: scores, unknown: unknown}
	least := scores[0]
	for _, s := range scores {
		least = min(least, s)
	}
	u.penalty = least - unknownPenalty
	if byteFallback {
		u.bytes = new([256]uint32)
		for b := range u.bytes {
			u.bytes[b] = noToken
			if id, ok := u.trie.find(bytePiece(byte(b))); ok {
				u.bytes[b] = id
			}
		}
	}
	return u
}

// bytePiece is the piece of a byte, such as <0x0A>.
func bytePiece(b byte) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{'<', '0', 'x', digits[b>>4], digits[b&15], '>'})
}

// bestPiece is the last piece of the best way to split the text up to a byte.
type bestPiece struct {
	score  float64 // sum of the scores up to here
	id     uint32
	length uint32 // length of the piece in bytes; 0 if no piece ends here
}

// appendPiece appends the ids of a text, which must be valid UTF-8.
func (u *Unigram) appendPiece(dst []uint32, text string) []uint32 {
	best, _ := u.scratch.Get().(*[]bestPiece)
	if best == nil {
		best = new([]bestPiece)
	}
	if cap(*best) <= len(text) {
		*best = make([]bestPiece, len(text)+1)
	}
	u.forward((*best)[:len(text)+1], text)
	dst = u.backward(dst, (*best)[:len(text)+1], text)
	if cap(*best) <= mostScratch {
		u.scratch.Put(best)
	}
	return dst
}

// forward finds the best last piece for each position at which a piece can end.
func (u *Unigram) forward(best []bestPiece, text string) {
	clear(best)
	for start := 0; start < len(text); {
		_, size := utf8.DecodeRuneInString(text[start:])
		score, single := best[start].score, false
		node := uint32(0)
		for end := start; end < len(text); {
			if node = u.trie.child(node, text[end]); node == 0 {
				break
			}
			end++
			id := u.trie.tokens[node]
			if id == noToken {
				continue
			}
			best[end].improve(score+u.scores[id], id, uint32(end-start))
			single = single || end-start == size
		}
		if !single {
			best[start+size].improve(score+u.penalty, u.unknown, uint32(size))
		}
		start += size
	}
}

func (b *bestPiece) improve(score float64, id, length uint32) {
	if b.length == 0 || score > b.score {
		*b = bestPiece{score, id, length}
	}
}

// backward follows the pieces from the end and appends their ids. Unknown
// characters side by side are one piece.
func (u *Unigram) backward(dst []uint32, best []bestPiece, text string) []uint32 {
	begin := len(dst)
	for end := len(text); end > 0; {
		start := end - int(best[end].length)
		if best[end].id != u.unknown {
			dst = append(dst, best[end].id)
			end = start
			continue
		}
		for start > 0 && best[start].id == u.unknown {
			start -= int(best[start].length)
		}
		dst = u.appendUnknown(dst, text[start:end])
		end = start
	}
	for i, j := begin, len(dst)-1; i < j; i, j = i+1, j-1 {
		dst[i], dst[j] = dst[j], dst[i]
	}
	return dst
}

// appendUnknown appends, in reverse, a run of unknown characters.
func (u *Unigram) appendUnknown(dst []uint32, text string) []uint32 {
	if id, ok := u.trie.find(text); ok {
		return append(dst, id) // such as the unknown piece's own spelling
	}
	if u.bytes != nil && u.spells(text) {
		for i := len(text) - 1; i >= 0; i-- {
			dst = append(dst, u.bytes[text[i]])
		}
		return dst
	}
	return append(dst, u.unknown)
}

// spells reports whether there is a piece for every byte of a text.
func (u *Unigram) spells(text string) bool {
	for i := range len(text) {
		if u.bytes[text[i]] == noToken {
			return false
		}
	}
	return true
}

func (u *Unigram) id(token string) (uint32, bool) { return u.trie.find(token) }

func (u *Unigram) vocabulary() int { return len(u.scores) }
