package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Code is the code of a fault.
type Code uint16

// The codes.
const (
	CodeProtocol       Code = 1
	CodeTooLarge       Code = 2
	CodeBadRequest     Code = 3
	CodeInvalidText    Code = 4
	CodeOverloaded     Code = 5
	CodeRateLimited    Code = 6
	CodeDeadline       Code = 7
	CodeUnknownRequest Code = 8
	CodeInternal       Code = 9
	CodeShuttingDown   Code = 10
)

// kinds are the kinds of the codes. Over HTTP, the same fault has the status of its kind
// (fault.Table), except that too much work is 429, and a text that is too long and too many
// texts are 400.
var kinds = map[Code]fault.Kind{
	CodeProtocol:       fault.Internal,
	CodeTooLarge:       fault.Limit,
	CodeBadRequest:     fault.Query,
	CodeInvalidText:    fault.Query,
	CodeOverloaded:     fault.Unavailable,
	CodeRateLimited:    fault.Unavailable,
	CodeDeadline:       fault.Unavailable,
	CodeUnknownRequest: fault.Unavailable,
	CodeInternal:       fault.Internal,
	CodeShuttingDown:   fault.Unavailable,
}

// Kind is the kind of fault of a code. It is internal for an unknown code.
func (c Code) Kind() fault.Kind {
	if kind, ok := kinds[c]; ok {
		return kind
	}
	return fault.Internal
}

// WholeRequest is the index of a Fault that ends a request.
const WholeRequest = math.MaxUint32

const (
	flagResumed   = 1
	flagTruncated = 1
)

// Welcome answers a Hello.
type Welcome struct {
	Resumed bool
	Token   Token
	Facts   []byte // a JSON object
}

// Append implements Frame.
func (f *Welcome) Append(b []byte) []byte {
	h := header{kind: TypeWelcome}
	if f.Resumed {
		h.flags = flagResumed
	}
	b = appendHeader(b, h, tokenSize+len(f.Facts))
	return append(append(b, f.Token[:]...), f.Facts...)
}

func parseWelcome(h header, body []byte) (Frame, error) {
	f := &Welcome{h.flags&flagResumed != 0, Token(body[:tokenSize]), body[tokenSize:]}
	if !utf8.Valid(f.Facts) || !json.Valid(f.Facts) || f.Facts[0] != '{' {
		return nil, errors.New("the facts are not a JSON object")
	}
	return f, nil
}

// Fault says why a text or a request has no answer.
type Fault struct {
	ID, Index uint32
	Code      Code
	Retry     uint32 // milliseconds after which to send the text or the request again; 0 if that does not help
	Message   string
}

const faultSize = 8

// Append implements Frame.
func (f *Fault) Append(b []byte) []byte {
	b = appendHeader(b, header{kind: TypeFault, id: f.ID, index: f.Index}, faultSize+len(f.Message))
	b = binary.LittleEndian.AppendUint16(b, uint16(f.Code))
	b = append(b, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, f.Retry)
	return append(b, f.Message...)
}

func parseFault(h header, body []byte) (Frame, error) {
	f := &Fault{h.id, h.index, Code(binary.LittleEndian.Uint16(body)), binary.LittleEndian.Uint32(body[4:]), string(body[faultSize:])}
	if body[2] != 0 || body[3] != 0 {
		return nil, errors.New("bytes that must be 0 are not")
	}
	if !utf8.ValidString(f.Message) {
		return nil, errors.New("the message is not UTF-8")
	}
	return f, nil
}

// Done ends the answer to a request, with totals.
type Done struct{ ID, Vectors, Faults, Tokens uint32 }

// Append implements Frame.
func (f *Done) Append(b []byte) []byte {
	b = appendHeader(b, header{kind: TypeDone, id: f.ID}, 12)
	b = binary.LittleEndian.AppendUint32(b, f.Vectors)
	b = binary.LittleEndian.AppendUint32(b, f.Faults)
	return binary.LittleEndian.AppendUint32(b, f.Tokens)
}

func parseDone(h header, body []byte) (Frame, error) {
	return &Done{h.id, binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint32(body[4:]), binary.LittleEndian.Uint32(body[8:])}, nil
}

// Pong answers a Ping.
type Pong struct{ Nonce [8]byte }

// Append implements Frame.
func (f *Pong) Append(b []byte) []byte {
	return append(appendHeader(b, header{kind: TypePong}, 8), f.Nonce[:]...)
}

// Goodbye says that the server is about to stop.
type Goodbye struct{ Retry uint32 } // Retry is the time in milliseconds after which to connect again

// Append implements Frame.
func (f *Goodbye) Append(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(appendHeader(b, header{kind: TypeGoodbye}, 4), f.Retry)
}

func parseGoodbye(_ header, body []byte) (Frame, error) {
	return &Goodbye{binary.LittleEndian.Uint32(body)}, nil
}
