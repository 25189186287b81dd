package jsonlite

// Skip checks the next value and moves past it. It does not recurse, so deep nesting
// costs one bit of memory per level, not a stack frame.
func (r *Reader) Skip() {
	if r.err != nil {
		return
	}
	kind := r.Kind()
	if !r.begin(kind) {
		return
	}
	if kind != Object && kind != Array {
		r.skipScalar(kind)
		return
	}
	var few [4]uint64
	open := bits{words: few[:0]} // containers opened here, innermost last: true for an object
	first := true
	for {
		// At pos: the first byte of a value of this kind, or (kind Invalid) what follows a value.
		switch kind {
		case Object, Array:
			if !r.enter() {
				return
			}
			open.push(kind == Object)
			first = true
		case Invalid:
		default:
			r.skipScalar(kind)
		}
		closing := byte(']')
		if open.last() {
			closing = '}'
		}
		if !r.more(closing, first) {
			if r.err != nil {
				return
			}
			if open.pop(); open.n == 0 {
				return
			}
			kind, first = Invalid, false
			continue
		}
		first = false
		if open.last() && !r.skipKey() {
			return
		}
		r.space()
		if kind = r.kind(); kind == Invalid {
			r.syntax("a value")
			return
		}
		if !r.count() {
			return
		}
	}
}

// skipScalar moves past the string, number, boolean or null at pos.
func (r *Reader) skipScalar(kind Kind) {
	switch kind {
	case String:
		r.skipString()
	case Number:
		r.skipNumber()
	default:
		r.skipLiteral()
	}
}

// skipKey moves past a key and its colon.
func (r *Reader) skipKey() bool {
	if r.pos >= len(r.data) || r.data[r.pos] != '"' {
		r.syntax("a key")
		return false
	}
	if r.skipString(); r.err != nil {
		return false
	}
	if r.space(); r.pos >= len(r.data) || r.data[r.pos] != ':' {
		r.syntax("':'")
		return false
	}
	r.pos++
	return true
}

// Check returns a *LimitError if a JSON text exceeds MaxDepth or MaxValues. It is for texts that
// another parser reads afterwards. That parser reports other faults, so a text that is not JSON is not
// an error here. If several values follow each other, only the first is checked.
func Check(text []byte) error {
	r := NewReader(text)
	r.Skip()
	if limit, ok := r.err.(*LimitError); ok {
		return limit
	}
	return nil
}

// Raw checks the next value and returns its bytes, a part of the text.
func (r *Reader) Raw() []byte {
	r.Kind() // moves to the value
	at := r.pos
	if r.Skip(); r.err != nil {
		return nil
	}
	return r.data[at:r.pos:r.pos]
}

// bits is a stack of booleans.
type bits struct {
	words []uint64
	n     int
}

func (b *bits) push(v bool) {
	if b.n == 64*len(b.words) {
		b.words = append(b.words, 0)
	}
	mask := uint64(1) << (b.n & 63)
	if v {
		b.words[b.n>>6] |= mask
	} else {
		b.words[b.n>>6] &^= mask
	}
	b.n++
}

func (b *bits) pop() {
	b.n--
}

func (b *bits) last() bool { return b.words[(b.n-1)>>6]>>((b.n-1)&63)&1 == 1 }
