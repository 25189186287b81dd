package fit

import (
	"slices"

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
	return folders.Replace(dir, contents, kind, ours)
}

// checkTarget says why WriteDir would refuse a folder, before the work that makes the model.
func checkTarget(dir string) error { return folders.CheckReplace(dir, kind, ours) }

const kind = "a model"

// ours reports whether a path is that of a file of a model.
func ours(path string) bool {
	return slices.Contains([]string{staticmodel.TokenizerFile, staticmodel.WeightsFile, staticmodel.ConfigFile, staticmodel.CardFile}, path)
}
