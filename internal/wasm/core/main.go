//go:build wasm

// Command core is the engine as a browser module: GOOS=js GOARCH=wasm without
// syscall/js. Its exports are described in internal/wasm/abi. They take addresses and
// lengths in the core's memory, and call other packages for all work.
package main

func main() { select {} }
