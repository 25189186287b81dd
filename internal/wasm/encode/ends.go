package encode

// Ends are the special tokens around a text or a pair of texts, and the side on which a
// long text is truncated.
type Ends struct {
	before, after []uint32   // template of a single text
	pair          []endPiece // template of a pair; nil if the model takes no pairs
	cutLeft       bool       // truncate the beginning of a text
}

// endPiece is a sequence of special tokens, or one of the two texts.
type endPiece struct {
	ids    []uint32 // nil for a text
	second bool
	kind   uint32 // token type
}

// Frame puts a text's ids between special tokens. If maxLen is positive, it
// truncates to maxLen ids in all, and reports whether it did.
func (e *Ends) Frame(ids []uint32, maxLen int) (framed []uint32, truncated bool) {
	framed = make([]uint32, 0, len(e.before)+len(ids)+len(e.after))
	framed = append(append(framed, e.before...), ids...)
	return e.close(framed, 0, maxLen)
}

// Before is how many special tokens are before a text.
func (e *Ends) Before() int { return len(e.before) }

// close completes the input at dst[begin:], which begins with special tokens.
func (e *Ends) close(dst []uint32, begin, maxLen int) (framed []uint32, truncated bool) {
	content := begin + len(e.before)
	if maxLen > 0 {
		room := max(maxLen-len(e.before)-len(e.after), 0)
		if n := len(dst) - content; n > room {
			truncated = true
			if e.cutLeft {
				copy(dst[content:], dst[len(dst)-room:])
			}
			dst = dst[:content+room]
		}
	}
	dst = append(dst, e.after...)
	if maxLen > 0 && len(dst)-begin > maxLen {
		return dst[:begin+maxLen], true
	}
	return dst, truncated
}

// TakesPairs reports whether FramePair has a template.
func (e *Ends) TakesPairs() bool { return e.pair != nil }

// FramePair puts the ids of two texts between special tokens, and also returns the
// tokens' types. If maxLen is positive and there are more tokens in total, the longer
// text is truncated until both have the same length, and then both are.
func (e *Ends) FramePair(first, second []uint32, maxLen int) (ids, types []uint32, truncated bool) {
	special := 0
	for _, p := range e.pair {
		special += len(p.ids)
	}
	if room := max(maxLen-special, 0); maxLen > 0 && len(first)+len(second) > room {
		n, m := longestFirst(len(first), len(second), room)
		first, second, truncated = e.cut(first, n), e.cut(second, m), true
	}
	for _, p := range e.pair {
		part := p.ids
		if part == nil {
			if part = first; p.second {
				part = second
			}
		}
		ids = append(ids, part...)
		for range part {
			types = append(types, p.kind)
		}
	}
	return ids, types, truncated
}

func (e *Ends) cut(ids []uint32, n int) []uint32 {
	if e.cutLeft {
		return ids[len(ids)-n:]
	}
	return ids[:n]
}

// longestFirst divides the room between two texts of n and m tokens that do not
// fit, as the Hugging Face tokenizers library does: the shorter text keeps all
// its tokens unless it has more than half of the room. If the room is odd, the
// longer text gets the additional token.
func longestFirst(n, m, room int) (int, int) {
	if n > m {
		m, n = longestFirst(m, n, room)
		return n, m
	}
	if n > room {
		m = n
	} else {
		m = max(n, room-n)
	}
	if n+m > room {
		n = room / 2
		m = n + room%2
	}
	return n, m
}
