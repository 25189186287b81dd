// Package static carries the browser's side of Vantage inside Go programs: the
// JavaScript library with the built WebAssembly modules, and the page on it.
package static

import "embed"

// Files holds two folders: lib, the npm package as it is published, and demo,
// the page, which expects the library in lib/ beside it and a collection in
// collection/. The modules in lib are core.wasm.gz and kernel.wasm; reading one
// that was not built when this program was compiled fails with fs.ErrNotExist.
//
//go:embed lib demo
var Files embed.FS
