//go:build wasm

package main

import (
	"errors"
	"unsafe"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// sequence is the word by whose change a host sees that a call has completed.
var sequence uint32

// failure is the text of the last failed call.
var failure struct {
	text []byte
	ref  abi.TextRef
}

// codedError is a mistake of the host: an unknown handle, section or address.
type codedError struct {
	code int32
	text string
}

func (e *codedError) Error() string { return e.text }

// call runs the body of an export. An error becomes its code, and a panic that of
// fault.Internal. The sequence word changes at the very end.
func call(body func() (int, error)) (result int32) {
	defer func() {
		if r := recover(); r != nil {
			result = fail(fault.Internal.Facts().Code, "internal error: "+panicText(r))
		}
		sequence++
	}()
	value, err := body()
	if err != nil {
		return fail(code(err), err.Error())
	}
	return int32(value)
}

func panicText(r any) string {
	switch r := r.(type) {
	case error:
		return r.Error()
	case string:
		return r
	}
	return "panic"
}

func fail(code int32, text string) int32 {
	failure.text = []byte(text)
	failure.ref = abi.TextRef{Pointer: address(failure.text), Length: uint32(len(failure.text))}
	return code
}

// code returns the code of an error's kind. An error without a kind counts as an
// input error.
func code(err error) int32 {
	if coded, ok := errors.AsType[*codedError](err); ok {
		return coded.code
	}
	if kind := fault.Of(err); kind != "" {
		return kind.Facts().Code
	}
	return fault.Input.Facts().Code
}

// queryError gives errors of ranking the kind query, except those of the kind limit.
func queryError(err error) error {
	if fault.Of(err) == fault.Limit {
		return err
	}
	return fault.As(fault.Query, err)
}

func address(b []byte) uint32 { return pointer(b) }

// pointer is the address of values. Something else must keep them alive.
func pointer[T any](values []T) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(values))))
}

//go:wasmexport abi_version
func abiVersion() int32 { sequence++; return abi.Version }

//go:wasmexport sequence
func sequenceAddress() uint32 {
	sequence++
	return uint32(uintptr(unsafe.Pointer(&sequence)))
}

//go:wasmexport error_text
func errorText() uint32 {
	sequence++
	return uint32(uintptr(unsafe.Pointer(&failure.ref)))
}
