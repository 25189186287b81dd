// Package english is the static encoder that is built into the vantage command, its
// `--encoder light` (the default is that of package sides): a table of
// 15,380 tokens × 256 dimensions, as int8, for English only, and a small pack that reads queries. A program that imports it
// grows by 10 MB; a program that only opens collections does not need it, because
// collections carry their encoder.
//
// Its model card is internal/model/builtin/english/README.md.
package english

import (
	"io/fs"
	"sync"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/reader"
)

var encoder = sync.OnceValue(func() vantage.Encoder {
	e, err := builtin.Builtin().Encoder(staticmodel.Options{})
	if err != nil {
		panic("the built-in encoder is damaged: " + err.Error()) // a fault of the build
	}
	return bridge.NewEncoder(e).(vantage.Encoder)
})

// Reader returns the files of the pack that reads queries, for vantage.IndexOptions.Reader. internal/recipes/reader says how it
// was made, and how well it reads.
func Reader() fs.FS { return reader.Files }

// Encoder returns the encoder, the same one each time. It is a static one: see
// vantage.NewStaticEncoder.
func Encoder() vantage.Encoder { return encoder() }
