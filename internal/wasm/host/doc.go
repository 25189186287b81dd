// Package host runs the browser's core.wasm, the same bytes, under wazero, so
// that rankings agree bit for bit with those in the page. Package headless
// offers it to programs.
//
// An Engine and its collections are safe for concurrent use: each query has an
// instance of the core to itself, and an instance that blocks, panics or traps
// is thrown away and replaced.
package host
