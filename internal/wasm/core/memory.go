//go:build wasm

package main

import (
	"runtime"
	"strconv"
	"unsafe"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// maxBuffer is the size of the largest buffer that a host may ask for. The whole memory
// has 4 GB.
const maxBuffer = 1 << 31

// buffers holds the buffers of allocate by address, which keeps them from being
// collected. Every address that a host passes is looked up here, so that a wrong
// address is an error and not a stray write. The collector never moves heap objects.
var buffers = map[uint32][]byte{}

//go:wasmexport allocate
func allocate(bytes uint32) (pointer uint32) {
	call(func() (int, error) {
		if bytes > maxBuffer {
			return 0, fault.New(fault.Limit, "allocate: "+strconv.Itoa(int(bytes))+" bytes, at most "+strconv.Itoa(maxBuffer))
		}
		const align = 64
		b := make([]byte, int(bytes)+align)
		skip := int(-address(b) % align)
		b = b[skip : skip+int(bytes) : skip+int(bytes)+1] // one spare byte, so that an empty buffer has an address of its own
		pointer = address(b)
		buffers[pointer] = b
		return 0, nil
	})
	return pointer
}

//go:wasmexport release
func release(pointer uint32) int32 {
	return call(func() (int, error) {
		_, err := owned(pointer, 0)
		delete(buffers, pointer)
		return 0, err
	})
}

//go:wasmexport memory_in_use
func memoryInUse() float64 {
	var stats runtime.MemStats
	call(func() (int, error) {
		runtime.ReadMemStats(&stats)
		return 0, nil
	})
	return float64(stats.HeapAlloc)
}

func errAddress(pointer uint32, length uint64) error {
	return &codedError{abi.CodeAddress, "no buffer holds " + strconv.FormatUint(length, 10) + " bytes at address " + strconv.Itoa(int(pointer))}
}

// bytes finds the host's bytes [pointer, pointer+length).
func bytes(pointer, length uint32) ([]byte, error) {
	for base, b := range buffers {
		if pointer >= base && uint64(pointer-base)+uint64(length) <= uint64(len(b)) {
			return b[pointer-base : pointer-base+length : pointer-base+length], nil
		}
	}
	return nil, errAddress(pointer, uint64(length))
}

// owned finds a buffer by the address that allocate returned, and returns its first
// length bytes.
func owned(pointer, length uint32) ([]byte, error) {
	b, ok := buffers[pointer]
	if !ok || uint64(length) > uint64(len(b)) {
		return nil, errAddress(pointer, uint64(length))
	}
	return b[:length:length], nil
}

// view finds count values of a pointer-free type at an address that must be
// aligned for it.
func view[T any](pointer, count uint32) ([]T, error) {
	var zero T
	first, n, err := array(pointer, count, uint32(unsafe.Sizeof(zero)), uint32(unsafe.Alignof(zero)))
	return unsafe.Slice((*T)(first), n), err
}

// array is the part of view that does not depend on the type, so that the core contains
// it only once. It returns the first value and the number of values, which is 0 with an
// error.
//
//go:noinline
func array(pointer, count, size, align uint32) (first unsafe.Pointer, n uint32, err error) {
	if uint64(count)*uint64(size) > maxBuffer || pointer%align != 0 {
		return nil, 0, errAddress(pointer, uint64(count)*uint64(size))
	}
	b, err := bytes(pointer, count*size)
	if err != nil || count == 0 {
		return nil, 0, err
	}
	return unsafe.Pointer(unsafe.SliceData(b)), count, nil
}

// optional is view, except that address 0 gives nil.
func optional[T any](pointer, count uint32) ([]T, error) {
	if pointer == 0 {
		return nil, nil
	}
	return view[T](pointer, count)
}
