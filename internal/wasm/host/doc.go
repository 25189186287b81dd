// Package host runs the browser's core.wasm, the very same bytes, under wazero:
// rankings in Go programs and in CI that agree bit for bit with the page's.
// Package headless offers it to programs.
//
// An Engine and its collections are safe for concurrent use: each query has an
// instance of the core to itself, and an instance that blocks, panics or traps
// is thrown away and replaced.
package host
