package search

import (
	"runtime"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/packed"
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

// native is the core of this process. Its index and words need not be closed.
type native struct {
	mu    sync.Mutex
	pools []*dense.Pool // of its models
}

func (n *native) OpenModel(manifest []byte) (Model, error) {
	pool := dense.NewPool(runtime.GOMAXPROCS(0))
	e, err := packed.Open(manifest, nil, pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.pools = append(n.pools, pool)
	return &nativeModel{encoder: e}, nil
}

// Close ends the workers of the models.
func (n *native) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range n.pools {
		p.Close()
	}
	n.pools = nil
	return nil
}

// nativeModel lets one text be encoded at a time, by all workers.
type nativeModel struct {
	turn    sync.Mutex
	encoder *packed.Encoder
}

func (m *nativeModel) Dim() (vector, angle int) { return m.encoder.Dim() }

func (m *nativeModel) File(section string, content []byte) error {
	m.turn.Lock()
	defer m.turn.Unlock()
	return m.encoder.File(section, content)
}

func (m *nativeModel) Encode(text string, angle bool) ([]float32, encode.Info, error) {
	m.turn.Lock()
	defer m.turn.Unlock()
	dim, angleDim := m.encoder.Dim()
	if angle {
		dim = angleDim
	}
	out := make([]float32, dim)
	vector, branch := out, []float32(nil)
	if angle {
		vector, branch = nil, out
	}
	info, err := m.encoder.Encode(vector, branch, text)
	return out, info, err
}
