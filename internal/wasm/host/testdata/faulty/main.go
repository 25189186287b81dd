//go:build wasm

// Command faulty is a core with a fault. One of its exports fails in a way that its
// argument selects.
package main

import (
	"unsafe"

	"github.com/vantage-search/vantage/internal/wasm/abi"
)

var sequence uint32

var stored [1 << 16]byte

var failure = struct{ pointer, length uint32 }{}

var block chan int

//go:wasmexport abi_version
func abiVersion() int32 { sequence++; return abi.Version }

//go:wasmexport sequence
func sequenceAddress() uint32 { sequence++; return uint32(uintptr(unsafe.Pointer(&sequence))) }

//go:wasmexport error_text
func errorText() uint32 { sequence++; return uint32(uintptr(unsafe.Pointer(&failure))) }

//go:wasmexport allocate
func allocate(bytes uint32) uint32 {
	sequence++
	return uint32(uintptr(unsafe.Pointer(&stored)))
}

//go:wasmexport release
func release(pointer uint32) int32 { sequence++; return 0 }

//go:wasmexport memory_in_use
func memoryInUse() float64 { sequence++; return 0 }

// query_split fails in the way that the first letter of its text selects.
//
//go:wasmexport query_split
func querySplit(model, text, textLength, split uint32) int32 {
	switch stored[0] {
	case 'b': // block forever
		<-block
	case 'p': // panic, unrecovered: the runtime exits
		panic("a fault in the core")
	case 'i': // the same result as a recovered panic
		message := []byte("internal error: recovered")
		failure.pointer, failure.length = uint32(uintptr(unsafe.Pointer(&message[0]))), uint32(len(message))
		sequence++
		return -1
	case 't': // trap: a call into the kernel with addresses beyond the memory
		dot(^uint32(0)-64, ^uint32(0)-64, 1<<20)
	case 's': // strain the pruned runtime of the shipped core
		strain()
	case 'w': // an error text beyond the memory
		failure.pointer, failure.length = ^uint32(0), 8
		sequence++
		return -5
	}
	sequence++
	return 0
}

//go:wasmimport kernel dot_f32
func dot(a, b, n uint32) float32

func main() { select {} }
