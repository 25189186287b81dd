package retrieve

import (
	"slices"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// folderName is the name of the built-in model's folder, which users may give in place of its
// own name.
const folderName = "english"

// CheckNames replaces, in place, the built-in model's folder name by its own name, and refuses a
// retriever that is given twice. The error is fault.Query and names --retriever.
func CheckNames(retrievers []string) error {
	for i, name := range retrievers {
		if name == folderName {
			name = model.Builtin
		}
		if retrievers[i] = name; slices.Contains(retrievers[:i], name) {
			return fault.Errorf(fault.Query, "--retriever %s is given twice", name)
		}
	}
	return nil
}
