package lexical

import (
	"encoding/binary"
	"errors"
	"math"
)

// reader reads a file sequentially. After an error it returns zeros.
type reader struct {
	data []byte // remaining bytes
	err  error
}

var (
	errShort   = errors.New("it ends too early")
	errLong    = errors.New("a number is not written in the fewest bytes, or is 2^64 or more")
	errRemains = errors.New("something follows its end")
)

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.data = nil
}

// magic reads the first four bytes of a file.
func (r *reader) magic(want string) {
	if string(r.bytes(uint64(len(want)))) != want {
		r.err = nil
		r.fail(errors.New("it does not begin with " + want + ": it is something else, or of another version"))
	}
}

// uvarint reads a number in LEB128, in the fewest bytes.
func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.data)
	switch {
	case n == 0:
		r.fail(errShort)
		return 0
	case n < 0 || n > 1 && r.data[n-1] == 0:
		r.fail(errLong)
		return 0
	}
	r.data = r.data[n:]
	return v
}

// bytes reads n bytes, without copying them.
func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.fail(errShort)
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// end returns the first error. Remaining bytes are an error.
func (r *reader) end() error {
	if r.err == nil && len(r.data) > 0 {
		r.fail(errRemains)
	}
	return r.err
}

// readPostings checks the bytes of count postings of documents that have the given
// lengths in words. It keeps data, and never appends to its array.
func readPostings(data []byte, count uint64, lengths []uint32) (postings, error) {
	p := postings{data: data[:len(data):len(data)]}
	for r := (reader{data: data}); len(r.data) > 0; {
		head := r.uvarint()
		frequency := uint64(1)
		if head&1 == 0 {
			frequency = min(r.uvarint(), math.MaxUint32) + 2
		}
		if r.err != nil {
			return p, r.err
		}
		if head>>1 >= uint64(len(lengths))-uint64(p.next) {
			return p, errors.New("postings name a document beyond the last")
		}
		p.next += uint32(head>>1) + 1
		if frequency > uint64(lengths[p.next-1]) {
			return p, errors.New("a term occurs more often in a document than that has words")
		}
		p.documents++
	}
	if uint64(p.documents) != count || count == 0 {
		return p, errors.New("postings are empty, or have not as many documents as they say")
	}
	return p, nil
}
