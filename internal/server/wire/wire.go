// Package wire reads and writes the frames of vantage.v1, the protocol by which
// texts go to an encode server and vectors come back. docs/protocol.md describes
// it byte by byte.
package wire

import (
	"encoding/binary"
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Protocol is the WebSocket subprotocol. KeyProtocol, followed by the key in base64url,
// is a second one. Browsers present keys with it, because they cannot set headers.
const (
	Protocol    = "vantage.v1"
	KeyProtocol = "vantage.key."
)

// Version is the version of the frames.
const Version = 1

// HeaderSize is the length of every frame's header, after which the body begins.
const HeaderSize = 16

const magic = 'V'

// Type is the type of a frame.
type Type uint8

// The types. In the server's types, the highest bit is set.
const (
	TypeHello   Type = 0x01
	TypeEncode  Type = 0x02
	TypeCancel  Type = 0x03
	TypeResume  Type = 0x04
	TypeAck     Type = 0x05
	TypePing    Type = 0x06
	TypeWelcome Type = 0x81
	TypeVector  Type = 0x82
	TypeFault   Type = 0x83
	TypeDone    Type = 0x84
	TypePong    Type = 0x86
	TypeGoodbye Type = 0x87
)

// Frame is one message: *Hello, *Encode and so on.
type Frame interface {
	// Append appends the frame's bytes.
	Append(b []byte) []byte
}

// Error is a malformed frame.
type Error struct{ Reason string }

func (e *Error) Error() string { return "malformed frame: " + e.Reason }

// Is reports the kind of fault: input.
func (e *Error) Is(target error) bool { return target == fault.Input }

func malformed(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// header holds the numbers in a frame's first 16 bytes.
type header struct {
	kind      Type
	flags     uint8
	id, index uint32
}

// appendHeader appends a header whose body has n bytes.
func appendHeader(b []byte, h header, n int) []byte {
	b = append(b, magic, Version, byte(h.kind), h.flags)
	b = binary.LittleEndian.AppendUint32(b, h.id)
	b = binary.LittleEndian.AppendUint32(b, h.index)
	return binary.LittleEndian.AppendUint32(b, uint32(n))
}

// layout says what a type of frame may contain.
type layout struct {
	name      string
	flags     uint8 // allowed flags
	id, index bool  // whether id and index are used
	least     int   // least bytes of the body
	exact     bool  // the body has exactly least bytes
	parse     func(h header, body []byte) (Frame, error)
}

var layouts = map[Type]layout{
	TypeHello:   {"HELLO", 0, false, false, tokenSize, true, parseHello},
	TypeEncode:  {"ENCODE", 0, true, false, encodeSize, false, parseEncode},
	TypeCancel:  {"CANCEL", 0, true, false, 0, true, func(h header, _ []byte) (Frame, error) { return &Cancel{h.id}, nil }},
	TypeResume:  {"RESUME", 0, true, false, 4, false, parseResume},
	TypeAck:     {"ACK", 0, true, false, 0, true, func(h header, _ []byte) (Frame, error) { return &Ack{h.id}, nil }},
	TypePing:    {"PING", 0, false, false, 8, true, func(_ header, b []byte) (Frame, error) { return &Ping{[8]byte(b)}, nil }},
	TypeWelcome: {"WELCOME", flagResumed, false, false, tokenSize, false, parseWelcome},
	TypeVector:  {"VECTOR", flagTruncated, true, true, vectorSize, false, parseVector},
	TypeFault:   {"FAULT", 0, true, true, faultSize, false, parseFault},
	TypeDone:    {"DONE", 0, true, false, 12, true, parseDone},
	TypePong:    {"PONG", 0, false, false, 8, true, func(_ header, b []byte) (Frame, error) { return &Pong{[8]byte(b)}, nil }},
	TypeGoodbye: {"GOODBYE", 0, false, false, 4, true, parseGoodbye},
}

// Parse reads one frame, which must fill the message. The result refers to the
// message's bytes. Errors are *Error.
func Parse(message []byte) (Frame, error) {
	if len(message) < HeaderSize {
		return nil, malformed("%d bytes, a header has %d", len(message), HeaderSize)
	}
	if message[0] != magic {
		return nil, malformed("it begins with byte %d, not with %d", message[0], magic)
	}
	if message[1] != Version {
		return nil, malformed("version %d, this is %d", message[1], Version)
	}
	h := header{Type(message[2]), message[3], binary.LittleEndian.Uint32(message[4:]), binary.LittleEndian.Uint32(message[8:])}
	length, body := binary.LittleEndian.Uint32(message[12:]), message[HeaderSize:]
	l, ok := layouts[h.kind]
	switch {
	case !ok:
		return nil, malformed("unknown type %#02x", uint8(h.kind))
	case uint64(length) != uint64(len(body)):
		return nil, malformed("%s: a length of %d with %d bytes", l.name, length, len(body))
	case h.flags&^l.flags != 0:
		return nil, malformed("%s: flags %#02x have no meaning", l.name, h.flags&^l.flags)
	case !l.id && h.id != 0 || !l.index && h.index != 0:
		return nil, malformed("%s: id %d and index %d have no meaning", l.name, h.id, h.index)
	case len(body) < l.least || l.exact && len(body) != l.least:
		return nil, malformed("%s: a body of %d bytes, it takes %d", l.name, len(body), l.least)
	}
	f, err := l.parse(h, body)
	if err != nil {
		return nil, malformed("%s: %v", l.name, err)
	}
	return f, nil
}
