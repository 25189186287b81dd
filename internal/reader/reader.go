// Package reader embeds the pack that reads everyday queries, beside any encoder. internal/recipes/reader describes it.
package reader

import (
	"embed"
	"io/fs"
)

//go:embed pack/pack.json pack/data
var embedded embed.FS

// Files are pack.json and its payload files.
var Files = func() fs.FS {
	files, err := fs.Sub(embedded, "pack")
	if err != nil {
		panic(err) // a fault of the build
	}
	return files
}()
