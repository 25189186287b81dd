// Package builtin embeds the static encoder that is built into the program, and the pack that reads queries for it.
package builtin

import (
	_ "embed"
	"sync"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/reader"
)

// BuiltinID is the name of the built-in model.
const BuiltinID = "vantage-static-en"

var (
	//go:embed english/tokenizer.json
	englishTokenizer []byte
	//go:embed english/model.safetensors
	englishWeights []byte
	//go:embed english/config.json
	englishConfig []byte
)

// builtin computes the hash of the four megabytes only once.
var builtin = sync.OnceValue(func() staticmodel.Files {
	f := staticmodel.New(BuiltinID, englishTokenizer, englishWeights, englishConfig)
	f.Language, f.Reader = "en", reader.Files
	return f
})

// Builtin returns the built-in model, 15,380 tokens × 256 dimensions as int8. It is for
// English only; english/README.md is its model card. internal/recipes/reader describes its reader of queries.
func Builtin() staticmodel.Files { return builtin() }
