// Package host runs the same core.wasm as the browser under wazero, so that rankings
// agree bit for bit with those in a page. Package headless makes it available to
// programs.
//
// An Engine and its collections are safe for concurrent use: each query has an instance
// of the core to itself, and an instance that blocks, panics or traps is replaced.
package host
