// Package packrun lets the native engine run packs. It links the transformer, so it is a
// package of its own: only programs that import package packs contain it.
package packrun

import (
	"runtime"
	"sync"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/perspective"
)

func init() { search.OpenPack = open }

func open(manifest []byte) (search.ModelCloser, error) {
	pool := dense.NewPool(runtime.GOMAXPROCS(0))
	e, err := packed.Open(manifest, nil, pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &model{pool: pool, encoder: e}, nil
}

// model encodes one text at a time, with all workers.
type model struct {
	pool    *dense.Pool
	turn    sync.Mutex
	encoder *packed.Encoder
}

func (m *model) Close() { m.pool.Close() }

func (m *model) Dim() (vector, angle int) { return m.encoder.Dim() }

func (m *model) File(section string, content []byte) error {
	m.turn.Lock()
	defer m.turn.Unlock()
	return m.encoder.File(section, content)
}

func (m *model) EncodeTokens(text string, document bool) ([]float32, encode.Info, error) {
	m.turn.Lock()
	defer m.turn.Unlock()
	vectors := make([]float32, m.encoder.TokenRoom(document))
	rows, info, err := m.encoder.EncodeTokens(vectors, text, document)
	if err != nil {
		return nil, info, err
	}
	dim, _ := m.encoder.Dim()
	return vectors[:rows*dim], info, nil
}

func (m *model) Encode(text string, angle bool) ([]float32, encode.Info, error) {
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

func (m *model) Read(query string) (perspective.Reading, error) {
	m.turn.Lock()
	defer m.turn.Unlock()
	return m.encoder.Read(query)
}
