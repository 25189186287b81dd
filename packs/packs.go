// Package packs runs packs: transformers of type bert with weights of 4 or 8 bits, as
// `vantage model pack` writes them, in files small enough for a page. Their vectors have the
// same bits in every engine.
//
// A program that imports this package, even as _, lets the native engine encode queries with
// the packs that collections carry:
//
//	import _ "github.com/vantage-search/vantage/packs"
//
// Without it, such a collection can be searched only by words (BM25), and by queries that
// are vectors; Result.Notice says so. A collection without an index of words
// (IndexOptions.Words) cannot be searched at all then, unless OpenOptions gives an encoder. The pack that reads
// queries for the built-in static encoder (package english) needs this package, too: without it, the grammar
// alone reads them.
// The engine of package headless runs packs by itself. Package sides, which has the bundled
// pack, imports this one.
package packs

import (
	"context"
	"io/fs"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	_ "github.com/vantage-search/vantage/internal/search/packrun" // for the native engine
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Open opens a pack. A collection that is indexed with it contains a copy of it. If the pack
// has a branch, each document also gets an angle, a second vector, which says from which side
// the text speaks. If it was made from a ColBERT model, set IndexOptions.TokenBits: each
// token of a document gets a vector.
//
// files must contain pack.json and the folder data, as in os.DirFS("pack") or in an
// embed.FS. Open compares every file with its hash. The encoder needs about twice as much
// memory as the files have bytes.
//
// Errors are of kind ErrInput, ErrIntegrity, ErrLimit, ErrVersion or ErrUnsupported, or
// those of the file system.
func Open(files fs.FS) (vantage.Encoder, error) {
	e, err := packmodel.OpenAny(context.Background(), files, 0)
	if err != nil {
		if fault.Of(err) == "" && !fault.Is[*fs.PathError](err) {
			err = fault.As(fault.Input, err)
		}
		return nil, err
	}
	return bridge.NewEncoder(e).(vantage.Encoder), nil
}
