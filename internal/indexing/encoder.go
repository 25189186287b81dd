package indexing

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/sides"
)

// Names of the encoders that the program brings and a collection can carry.
const (
	Light = "light" // the built-in static encoder
	Sides = "sides" // the bundled pack, which tells sides apart
)

// DefaultEncoder encodes a corpus if the user names neither an encoder nor a model nor
// vectors.
const DefaultEncoder = Sides

// openEncoder opens an encoder that the collection will carry.
func (r *run) openEncoder(ctx context.Context) error {
	if r.Encoder == Light {
		place, err := named.Find(ctx, named.Builtin, r.Console)
		if err != nil {
			return err
		}
		return r.openStatic(place)
	}
	switch {
	case r.IDF:
		return fault.Errorf(fault.Query, "--idf weights the tokens of a static encoder: %s is a pack; give --encoder %s", r.Encoder, Light)
	case r.Transformer.Any():
		return fault.Errorf(fault.Query, "--pooling, --max-length, --int8, --prompt and --device are for --model: the pack %s says itself how it encodes", r.Encoder)
	}
	e, err := r.openPack(ctx)
	if err != nil {
		return err
	}
	r.close = append(r.close, e.Close)
	if err := r.choosePackTokens(e); err != nil {
		return err
	}
	r.options.Encoder = open.Encoder(e)
	_, texts := e.Tables()
	r.table = texts[perspective.AutoTable]
	r.options.Journal, r.undo, err = collection.JournalPath(r.Output)
	return err
}

func (r *run) openPack(ctx context.Context) (packmodel.Model, error) {
	if r.Encoder == Sides {
		return packmodel.Open(ctx, sides.Files(), r.Transformer.Threads)
	}
	if _, err := os.Stat(r.Encoder); errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Errorf(fault.Input, "%s: no such folder: --encoder takes %s, %s, or the folder of a pack that vantage model pack has made", r.Encoder, Light, Sides)
	}
	e, err := packmodel.OpenAnyFolder(ctx, r.Encoder, r.Transformer.Threads)
	if err != nil && ctx.Err() == nil {
		err = fault.As(fault.Input, err)
	}
	return e, err
}
