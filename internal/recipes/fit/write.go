package fit

import (
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/folders"
)

// WriteDir writes the model into a folder of its own, as folders.Replace does. It
// replaces a folder only if that is empty or holds a model and nothing else.
func (f Files) WriteDir(dir string) error {
	contents := map[string][]byte{
		staticmodel.TokenizerFile: f.Tokenizer,
		staticmodel.WeightsFile:   f.Weights,
		staticmodel.ConfigFile:    f.Config,
		staticmodel.CardFile:      f.Card,
	}
	return folders.Replace(dir, contents, "a model", func(path string) bool { return contents[path] != nil })
}
