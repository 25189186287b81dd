// Package lib embeds the WebAssembly core for package headless, which needs nothing
// else of the npm package around it. Programs should not import it.
package lib

import _ "embed" // the core

// Core is core.wasm, gzipped.
//
//go:embed core.wasm.gz
var Core []byte
