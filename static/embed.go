// Package static embeds the browser's side of Vantage in Go programs: the JavaScript
// library with the built WebAssembly modules, and the pages.
package static

import "embed"

// Files holds the built files that browsers load, and the templates of the pages: the library
// in lib, the pages' scripts and styles in site, the search page and the owner's styles in
// search, and the other pages with their images in demo. The pages expect their scripts beside
// them, the library in lib/ and a collection in collection/. The modules in lib are
// core.wasm.gz, kernel.wasm and kernel-relaxed.wasm. If one was not built when this program was
// compiled, reading it fails with fs.ErrNotExist.
//
//go:embed lib/*.js lib/*.wasm*
//go:embed site
//go:embed search/index.html search/theme.css
//go:embed demo/*.html demo/*.png demo/*.svg demo/app.webmanifest demo/judgements.json
var Files embed.FS
