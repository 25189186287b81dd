// Package lib carries the WebAssembly core for package headless, which needs nothing
// else of the npm package around it. It is not for programs to import.
package lib

import _ "embed" // the core

// Core is core.wasm, gzipped.
//
//go:embed core.wasm.gz
var Core []byte
