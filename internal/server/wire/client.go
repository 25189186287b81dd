package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Token identifies a session.
type Token [tokenSize]byte

const tokenSize = 16

// Role is the role of a text in retrieval.
type Role uint8

// The roles.
const (
	NoRole Role = iota
	Query
	Document
	Root
	Perspective
)

// Hello opens a connection, or resumes a session whose token is not zero.
type Hello struct{ Token Token }

// Append implements Frame.
func (f *Hello) Append(b []byte) []byte {
	return append(appendHeader(b, header{kind: TypeHello}, tokenSize), f.Token[:]...)
}

func parseHello(_ header, body []byte) (Frame, error) { return &Hello{Token(body)}, nil }

// Encode asks for the vectors of texts.
type Encode struct {
	ID         uint32
	Role       Role
	DType      DType
	Dimensions uint32 // length of the vectors; 0 means the model's
	Deadline   uint32 // in milliseconds; 0 means none
	Texts      [][]byte
}

// encodeSize is the number of bytes in an ENCODE's body before the texts' lengths.
const encodeSize = 16

// Append implements Frame.
func (f *Encode) Append(b []byte) []byte {
	n := encodeSize + 4*len(f.Texts)
	for _, text := range f.Texts {
		n += len(text)
	}
	b = appendHeader(b, header{kind: TypeEncode, id: f.ID}, n)
	b = append(b, byte(f.Role), byte(f.DType), 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.Texts)))
	b = binary.LittleEndian.AppendUint32(b, f.Dimensions)
	b = binary.LittleEndian.AppendUint32(b, f.Deadline)
	for _, text := range f.Texts {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	}
	for _, text := range f.Texts {
		b = append(b, text...)
	}
	return b
}

// CountTexts returns the id of an ENCODE and the number of its texts from the beginning
// of a message of the given length, before it is parsed. ok says whether it is an ENCODE
// that has room for the lengths of so many texts.
func CountTexts(beginning []byte, size int64) (id uint32, n int64, ok bool) {
	const least = HeaderSize + encodeSize
	if len(beginning) < least || beginning[0] != magic || beginning[1] != Version || Type(beginning[2]) != TypeEncode || beginning[3] != 0 ||
		binary.LittleEndian.Uint32(beginning[8:]) != 0 || int64(binary.LittleEndian.Uint32(beginning[12:])) != size-HeaderSize {
		return 0, 0, false
	}
	id, n = binary.LittleEndian.Uint32(beginning[4:]), int64(binary.LittleEndian.Uint32(beginning[HeaderSize+4:]))
	return id, n, 4*n <= size-least
}

func parseEncode(h header, body []byte) (Frame, error) {
	f := &Encode{ID: h.id, Role: Role(body[0]), DType: DType(body[1]), Dimensions: binary.LittleEndian.Uint32(body[8:]), Deadline: binary.LittleEndian.Uint32(body[12:])}
	count, rest := uint64(binary.LittleEndian.Uint32(body[4:])), body[encodeSize:]
	switch {
	case body[2] != 0 || body[3] != 0:
		return nil, errors.New("bytes that must be 0 are not")
	case count == 0:
		return nil, errors.New("no texts")
	case 4*count > uint64(len(rest)):
		return nil, fmt.Errorf("%d texts in a body of %d bytes", count, len(body))
	}
	lengths, texts := rest[:4*count], rest[4*count:]
	f.Texts = make([][]byte, count)
	for i := range f.Texts {
		n := binary.LittleEndian.Uint32(lengths[4*i:])
		if uint64(n) > uint64(len(texts)) {
			return nil, fmt.Errorf("text %d has %d bytes, %d are left", i, n, len(texts))
		}
		f.Texts[i], texts = texts[:n:n], texts[n:]
	}
	if len(texts) > 0 {
		return nil, fmt.Errorf("%d bytes after the last text", len(texts))
	}
	return f, nil
}

// Cancel ends a request.
type Cancel struct{ ID uint32 }

// Append implements Frame.
func (f *Cancel) Append(b []byte) []byte {
	return appendHeader(b, header{kind: TypeCancel, id: f.ID}, 0)
}

// Ack lets the server forget a request.
type Ack struct{ ID uint32 }

// Append implements Frame.
func (f *Ack) Append(b []byte) []byte { return appendHeader(b, header{kind: TypeAck, id: f.ID}, 0) }

// Resume asks for the missing answers of a request after a lost connection.
type Resume struct {
	ID    uint32
	Count uint32 // number of the request's texts
	Have  []byte // one bit per text, lowest bit first; 1 if its answer arrived
}

// Has reports whether the answer to a text has arrived.
func (f *Resume) Has(i int) bool { return f.Have[i/8]>>(i%8)&1 == 1 }

// Append implements Frame.
func (f *Resume) Append(b []byte) []byte {
	b = appendHeader(b, header{kind: TypeResume, id: f.ID}, 4+len(f.Have))
	return append(binary.LittleEndian.AppendUint32(b, f.Count), f.Have...)
}

func parseResume(h header, body []byte) (Frame, error) {
	f := &Resume{h.id, binary.LittleEndian.Uint32(body), body[4:]}
	if f.Count == 0 || (uint64(f.Count)+7)/8 != uint64(len(f.Have)) {
		return nil, fmt.Errorf("%d texts with %d bytes of bits", f.Count, len(f.Have))
	}
	if used := f.Count % 8; used != 0 && f.Have[len(f.Have)-1]>>used != 0 {
		return nil, errors.New("bits after the last text")
	}
	return f, nil
}

// Ping is answered by a Pong of the same bytes.
type Ping struct{ Nonce [8]byte }

// Append implements Frame.
func (f *Ping) Append(b []byte) []byte {
	return append(appendHeader(b, header{kind: TypePing}, 8), f.Nonce[:]...)
}
