package client

import (
	"fmt"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// EncodeOptions say how texts are encoded. The zero value encodes them without a
// role, as the model does by default.
type EncodeOptions struct {
	Role       vantage.Role // "query", "document", "root" or "perspective"; "": none
	DType      DType        // of the vectors on the wire; 0: F32
	Dimensions int          // of the vectors, which are cut, at most the model's; 0: those
}

// check refuses options that the protocol has no place for, or the model no dimensions.
func (o EncodeOptions) check(dim int) error {
	switch {
	case o.Dimensions < 0 || o.Dimensions > dim:
		return fault.Errorf(fault.Input, "%d dimensions: choose 1 to %d, those of the server's model, or 0 for all", o.Dimensions, dim)
	case o.DType < F32 || o.DType > Int8:
		return fault.Errorf(fault.Input, "%d is not a type of components: choose F32, F16 or Int8", o.DType)
	}
	if _, ok := roles[o.Role]; !ok {
		return fault.Errorf(fault.Input, "%q is not a role of a text: choose query, document, root or perspective, or none", o.Role)
	}
	return nil
}

// DType is the type of a vector's components on the wire. The client converts them to
// float32.
type DType uint8

// The types of components.
const (
	F32  DType = DType(wire.F32)  // 4 bytes: as the model gives them
	F16  DType = DType(wire.F16)  // 2 bytes: rounded to 11 significant bits
	Int8 DType = DType(wire.Int8) // 1 byte: multiples of a 127th of the largest magnitude in the vector
)

// Code says what is wrong with a text or a call.
type Code uint16

// The codes of docs/protocol.md.
const (
	CodeProtocol       Code = Code(wire.CodeProtocol)       // a frame that the protocol does not allow
	CodeTooLarge       Code = Code(wire.CodeTooLarge)       // more bytes or texts than the server takes
	CodeBadRequest     Code = Code(wire.CodeBadRequest)     // a call that the server cannot fulfil
	CodeInvalidText    Code = Code(wire.CodeInvalidText)    // not UTF-8
	CodeOverloaded     Code = Code(wire.CodeOverloaded)     // the server has too much to do
	CodeRateLimited    Code = Code(wire.CodeRateLimited)    // this client asks for too much
	CodeDeadline       Code = Code(wire.CodeDeadline)       // the call's deadline has passed
	CodeUnknownRequest Code = Code(wire.CodeUnknownRequest) // the server does not know the request any more
	CodeInternal       Code = Code(wire.CodeInternal)       // a fault of the server
	CodeShuttingDown   Code = Code(wire.CodeShuttingDown)   // the server is stopping
)

// Fault is why a text, or a call, has no answer.
type Fault struct {
	Code    Code
	Message string // in the server's words
}

// Is reports the kind of fault (vantage.ErrInput and so on), which follows from the
// code.
func (f *Fault) Is(target error) bool { return target == wire.Code(f.Code).Kind() }

func (f *Fault) Error() string { return fmt.Sprintf("the server: %s (code %d)", f.Message, f.Code) }

// roles are the roles of the protocol.
var roles = map[vantage.Role]wire.Role{"": wire.NoRole, vantage.RoleQuery: wire.Query, vantage.RoleDocument: wire.Document, "root": wire.Root, "perspective": wire.Perspective}
