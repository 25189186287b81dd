// Package binary holds the wasm modules of the kernel, as built by `go generate
// ./internal/wasm/kernel` from the C files in simd and from the list of signatures.
//
// A host brings them up in this order: Shim, instantiated as module "kernel";
// the Go core, which imports "kernel" and exports its memory "mem"; Kernel, which
// imports that memory as module "go" name "mem", instantiated as "kimpl"; and
// Glue, which imports the table "t" of "kernel" and the functions of "kimpl" and
// writes these functions into the table. Before that last step every call of the
// core into the kernel traps.
package binary

import _ "embed"

//go:embed simd/kernel.wasm
var Kernel []byte

// Relaxed is Kernel with faster products of bytes, and the same results, for engines that
// know the instructions of relaxed SIMD. Browsers may; wazero does not.
//
//go:embed simd/kernel-relaxed.wasm
var Relaxed []byte

//go:embed simd/shim.wasm
var Shim []byte

//go:embed simd/glue.wasm
var Glue []byte

// Read is not part of a search: its one function, read(address, size) → i32, reads
// size bytes (a multiple of 128) of the same memory and only combines them by OR.
// The speed of scans is compared with it.
//
//go:embed simd/read.wasm
var Read []byte
