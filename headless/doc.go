// Package headless runs the browser's core.wasm, the very same bytes, under
// wazero: rankings in Go programs and in CI that agree bit for bit with the
// page's.
//
//	engine, err := headless.New(ctx)
//	defer engine.Close(ctx)
//	collection, err := engine.Open(ctx, os.DirFS("site/collection"))
//	defer collection.Close()
//	result, err := collection.Search(ctx, search.Query{Query: search.Text{Text: "Find a claim that opposes the argument: …"}})
//
// An Engine and its collections are safe for concurrent use: each query has an
// instance of the core to itself, and an instance that blocks, panics or traps
// is thrown away and replaced.
package headless
