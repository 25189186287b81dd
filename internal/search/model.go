package search

import (
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Model is the encoder of a pack in a core. It is read section by section, and may be
// used by several goroutines.
type Model interface {
	// Dim is the number of components of a vector, and of an angle, 0 without a branch.
	Dim() (vector, angle int)
	// File reads the next file of a section (see package pack), whose hash has been
	// compared. An error ends the reading of the section, which begins anew with its
	// first file.
	File(section string, content []byte) error
	// Encode returns a text's vector or, if angle is set, its angle. The sections that
	// it needs must have been read.
	Encode(text string, angle bool) ([]float32, encode.Info, error)
}

// ModelCloser is a Model of the native core, whose workers end when it is closed.
type ModelCloser interface {
	Model
	Close()
}

// OpenPack opens the models of the native core. Package packrun sets it, if the program
// links it.
var OpenPack = refusePack

func refusePack([]byte) (ModelCloser, error) {
	return nil, fault.New(fault.Unsupported, "this program does not run packs: import github.com/vantage-search/vantage/packs, or use package headless")
}

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
