// Package sides is the bundled pack: a transformer for English that gives a text two
// vectors, its topic (384 components) and its angle (128 components), which says from which side
// the text speaks. A small pack beside it reads queries. A program that imports it grows by 20 MB. A program that only opens
// collections can import package packs instead, because collections carry their encoder.
//
// Its model card is sides/README.md.
package sides

import (
	"context"
	"embed"
	"io/fs"
	"sync"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/reader"
	_ "github.com/vantage-search/vantage/packs" // so that collections run their packs
)

//go:embed pack/pack.json pack/data
var embedded embed.FS

var opened = sync.OnceValue(func() vantage.Encoder {
	e, err := packmodel.OpenBeside(context.Background(), Files(), reader.Files, 0)
	if err != nil {
		panic("the bundled pack is damaged: " + err.Error()) // a fault of the build
	}
	return bridge.NewEncoder(e).(vantage.Encoder)
})

// Encoder returns the encoder, the same one each time: see packs.Open. The
// first call takes some tens of milliseconds, and 30 MB of memory.
func Encoder() vantage.Encoder { return opened() }

// Files are the files of the pack, pack.json and the folder data.
func Files() fs.FS {
	files, err := fs.Sub(embedded, "pack")
	if err != nil {
		panic(err) // a fault of the build
	}
	return files
}
