package packer

import (
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// encoded runs texts through a pack as pages do: with inputs of 8 bits, too.
func encoded(files packfile.Files, pool *dense.Pool, texts []sample) (*output, error) {
	read, err := packfile.Read(files.Get)
	if err != nil {
		return nil, err
	}
	c := packed.Config(read.Manifest)
	m, err := transformer.NewQuantized(c, read)
	if err != nil {
		return nil, err
	}
	width, side := read.Manifest.Config.Dimension(), c.Branch.Out
	if c.Branch.Layers > 0 {
		if err := m.AddBranch(read); err != nil {
			return nil, err
		}
	}
	out := &output{}
	for _, b := range batches(texts) {
		if c.Tokens > 0 {
			batch := &transformer.Batch{IDs: b.ids, Types: b.types, Lengths: b.lengths, Keys: b.keys}
			vectors := make([]float32, len(b.ids)*c.Tokens)
			if err := m.EncodeTokens(vectors, batch, m.NewScratch(pool, len(b.ids))); err != nil {
				return nil, err
			}
			out.vectors = appendRows(out.vectors, vectors, c.Tokens)
			continue
		}
		batch := &transformer.Batch{IDs: b.ids, Types: b.types, Lengths: b.lengths}
		scratch := m.NewScratch(pool, len(b.ids))
		n := len(b.lengths)
		if read.Manifest.Kind == pack.Classifier {
			logits := make([]float32, n*c.Labels)
			if err := m.Classify(logits, batch, scratch); err != nil {
				return nil, err
			}
			out.vectors = appendRows(out.vectors, logits, c.Labels)
			continue
		}
		vectors, angles := make([]float32, n*width), []float32(nil)
		if side > 0 {
			angles = make([]float32, n*side)
		}
		if err := m.Encode(vectors, angles, batch, scratch); err != nil {
			return nil, err
		}
		out.vectors = appendRows(out.vectors, vectors, width)
		out.angles = appendRows(out.angles, angles, side)
	}
	return out, nil
}

func appendRows(list [][]float32, rows []float32, width int) [][]float32 {
	for ; len(rows) > 0; rows = rows[width:] {
		list = append(list, rows[:width])
	}
	return list
}
