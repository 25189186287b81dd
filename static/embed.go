// Package static carries the browser's side of Vantage inside Go programs: the
// JavaScript library with the built WebAssembly modules, and the page on it.
package static

import "embed"

// Files holds what browsers load, as it is built (bundle): in lib the library, in
// site the scripts and styles of the page, and in demo the page, which expects these
// beside it, the library in lib/ and a collection in collection/. The modules in lib
// are core.wasm.gz and kernel.wasm; reading one that was not built when this program
// was compiled fails with fs.ErrNotExist.
//
//go:embed lib/*.js lib/*.wasm*
//go:embed site
//go:embed demo/*.html demo/*.png demo/*.svg demo/app.webmanifest demo/judgements.json
var Files embed.FS
