package search

import (
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Model is the encoder of a pack in a core. Its files are read section by section. Several
// goroutines may use a Model of the native core, but only one at a time a Model of core.wasm.
type Model interface {
	// Dim returns the numbers of components of a vector and of an angle. Without a branch,
	// that of an angle is 0.
	Dim() (vector, angle int)
	// File reads the next file of a section (see package pack). The caller has checked its
	// hash. After an error, the section has to be read again from its first file.
	File(section string, content []byte) error
	// Encode returns a text's vector or, if angle is set, its angle. The sections that
	// it needs must have been read.
	Encode(text string, angle bool) ([]float32, encode.Info, error)
	// Read reads a query as Core.Read does, with the help of the model's reader if it has one.
	Read(query string) (perspective.Reading, error)
	// EncodeTokens returns the vectors of a text's tokens, one after the other, as a
	// document or as a query. It is an error if the pack has one vector for a whole text.
	EncodeTokens(text string, document bool) ([]float32, encode.Info, error)
}

// ModelCloser is a Model of the native core. Close ends its workers.
type ModelCloser interface {
	Model
	Close()
}

// OpenPack opens the models of the native core. Package packrun sets it, if the program
// links it.
var OpenPack = func([]byte) (ModelCloser, error) { return nil, errNoPacks }

var errNoPacks = fault.New(fault.Unsupported, "this program does not run packs: import github.com/vantage-search/vantage/packs, or use package headless")

// native is the core of this process. Its index and words need not be closed.
type native struct {
	mu     sync.Mutex
	models []ModelCloser
}

func (n *native) OpenModel(manifest []byte) (Model, error) {
	m, err := OpenPack(manifest)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.models = append(n.models, m)
	return m, nil
}

// Close ends the workers of the models.
func (n *native) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, m := range n.models {
		m.Close()
	}
	n.models = nil
	return nil
}
