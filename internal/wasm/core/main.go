//go:build wasm

// Command core is the engine as a browser module: GOOS=js GOARCH=wasm without
// syscall/js. Its exports, described in internal/wasm/abi, take addresses and lengths
// in its memory; everything they do is in the packages that they call.
package main

func main() { select {} }
