package encode

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// addedSets are the added tokens of a tokenizer.
type addedSets struct {
	raw, cooked addedTokens // matched before and after normalisation
	ids         map[string]uint32
}

// declare adds tokens, in normalised form if they are matched after normalisation. It
// returns size, or more if the greatest id needs it. known is the vocabulary, whose ids
// the tokens may repeat but not change.
func (a *addedSets) declare(tokens []declaredToken, size int, known func(token string) (uint32, bool), normalize func(string) string) (int, error) {
	a.ids = map[string]uint32{}
	for _, t := range tokens {
		if id, ok := known(t.content); ok && id != t.id {
			return 0, errors.New("added token " + strconv.Quote(t.content) + " has id " + strconv.Itoa(int(t.id)) +
				", in the vocabulary it has " + strconv.Itoa(int(id)))
		}
		size = max(size, int(t.id)+1)
		a.ids[t.content] = t.id
		set := &a.raw
		if t.normalized {
			set, t.content = &a.cooked, normalize(t.content)
		}
		if err := checkLength(t.content, t.id); err != nil {
			return 0, err
		}
		if t.content != "" {
			set.add(t.addedToken)
		}
	}
	return size, nil
}

// addedID returns the id of an added token by its spelling before normalisation.
func (a *addedSets) addedID(token string) (uint32, bool) {
	id, ok := a.ids[token]
	return id, ok
}

// addedToken is an entry of added_tokens: a string that is matched in the text before
// the tokenizer's model runs.
type addedToken struct {
	content        string
	id             uint32
	lstrip, rstrip bool // the match includes the white space on that side
	special        bool // the file calls it special
}

// addedTokens finds the leftmost match of a set of tokens, and the longest one at that
// place.
type addedTokens struct {
	tokens  map[string]addedToken
	lengths []int // distinct lengths of tokens, longest first
	begins  [256]bool
	single  string // first byte of all tokens, if it is the same
}

// add adds a token, which is not empty. Of two with equal content, which normalisation can make,
// a special one stays, or else the first.
func (a *addedTokens) add(t addedToken) {
	if a.tokens == nil {
		a.tokens = map[string]addedToken{}
		a.single = t.content[:1]
	}
	if earlier, ok := a.tokens[t.content]; ok && (earlier.special || !t.special) {
		return
	}
	a.tokens[t.content] = t
	a.addLength(len(t.content))
	a.begins[t.content[0]] = true
	if t.content[:1] != a.single {
		a.single = ""
	}
}

// addLength inserts a length in order.
func (a *addedTokens) addLength(n int) {
	i := 0
	for i < len(a.lengths) && a.lengths[i] > n {
		i++
	}
	if i < len(a.lengths) && a.lengths[i] == n {
		return
	}
	a.lengths = append(a.lengths, 0)
	copy(a.lengths[i+1:], a.lengths[i:])
	a.lengths[i] = n
}

// find returns the first token in text from at on, and where it begins, or found = false and
// start = len(text).
func (a *addedTokens) find(text string, at int) (start int, t addedToken, found bool) {
	if a.tokens == nil {
		return len(text), t, false
	}
	for i := at; i < len(text); i++ {
		if a.single != "" {
			skip := strings.IndexByte(text[i:], a.single[0])
			if skip < 0 {
				break
			}
			i += skip
		} else if !a.begins[text[i]] {
			continue
		}
		for _, n := range a.lengths {
			if n > len(text)-i {
				continue
			}
			if t, ok := a.tokens[text[i:i+n]]; ok {
				return i, t, true
			}
		}
	}
	return len(text), t, false
}

// encode appends the ids of the tokens in text to dst. It calls between for the parts
// before, between and after them, text[from:to], which are not empty.
//
// The white space that a token takes on its right is searched for tokens too, such as one that is
// a line end, as in the Rust library. A part then begins where the last of them ends, although the
// white space after it was taken.
func (a *addedTokens) encode(dst []uint32, text string, between func(dst []uint32, from, to int) []uint32) []uint32 {
	done := 0  // end of the last token, with what it takes
	blank := 0 // end of the last white space on the right, which is measured only once
	for at := 0; ; {
		start, t, found := a.find(text, at)
		at = start + len(t.content)
		if t.lstrip {
			if at <= done {
				continue // nothing is left of it
			}
			if done < start {
				start = done + trimmed(text[done:start])
			}
		}
		if done < start {
			dst = between(dst, done, start)
		}
		if !found {
			return dst
		}
		dst = append(dst, t.id)
		if done = at; t.rstrip {
			if blank < at {
				blank = at + indent(text[at:])
			}
			done = blank
		}
	}
}

// trimmed returns the length of text without the white space at its end.
func trimmed(text string) int {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		if !isSpace(r) {
			break
		}
		text = text[:len(text)-size]
	}
	return len(text)
}

// indent returns the length of the white space at the beginning of text.
func indent(text string) int {
	for i, r := range text {
		if !isSpace(r) {
			return i
		}
	}
	return len(text)
}
