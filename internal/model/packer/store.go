package packer

import (
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// store encodes all tensors. Vectors stay floats. Matrices have 8 bits if the options say so;
// otherwise those of the trunk are rounded row by row with round, and those of the branch with
// roundBranch. Matrices after the trunk's layers are small and always have 8 bits.
func (p *packing) store(round func(w []float32) row4) map[string]packfile.Tensor {
	all := map[string]packfile.Tensor{}
	for _, section := range []string{pack.Trunk, pack.BranchSection, pack.ReaderSection} {
		p.manifest.Config.Needs(p.manifest.Kind, section, func(n pack.Need) {
			w := p.values[n.Name]
			switch {
			case !n.Matrix:
				encoding, payload := packfile.Floats(w)
				all[n.Name] = packfile.Tensor{Encoding: encoding, Payload: payload}
			case p.options.Bits == 8 || isHead(n.Name):
				t := packfile.Tensor{Encoding: pack.Q8}
				for row := range slices.Chunk(w, n.Shape[1]) {
					t.Payload = packfile.AppendQ8(t.Payload, row)
				}
				all[n.Name] = t
			case section == pack.BranchSection: // which is on the grid if it was trained for it
				all[n.Name] = matrix(rows4(w, n.Shape[1], roundBranch))
			default:
				all[n.Name] = matrix(rows4(w, n.Shape[1], round))
			}
		})
	}
	return all
}

// roundBranch rounds a row, whose values stay if roundPlain has made them, and moves its scales to a ladder.
func roundBranch(w []float32) row4 { return roundSearched(w).snap() }

// isHead reports whether a matrix comes after the layers of the trunk.
func isHead(name string) bool {
	return name == pack.ProjectionTensor || strings.HasPrefix(name, "dense.") || strings.HasPrefix(name, "pooler.") || strings.HasPrefix(name, "classifier.") || strings.HasPrefix(name, "reader.")
}

func rows4(w []float32, width int, round func(w []float32) row4) (rows []row4) {
	for row := range slices.Chunk(w, width) {
		rows = append(rows, round(row))
	}
	return rows
}

// rounded4 is a matrix after rounding.
func rounded4(w []float32, width int, round func(w []float32) row4) []float32 {
	out := make([]float32, len(w))
	for i, row := range rows4(w, width, round) {
		row.put(out[i*width:][:width])
	}
	return out
}
