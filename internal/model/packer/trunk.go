package packer

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// roundLayers rounds the matrices of the trunk's layers to 4 bits, one layer after
// the other, and stores them. What goes into a layer comes from the layers before
// it as they were rounded, so that each also makes up for their errors; what is to
// come out is the source's. Biases take up what is left of the mean error.
//
// rounded.values has the source's values, but those that are rounded already, and
// gets the rounded ones.
func roundLayers(source, rounded *network, texts []sample, store map[string]packfile.Tensor, step func() error) error {
	theirs, ours := batches(texts), batches(texts)
	for i := range ours {
		source.embed(theirs[i])
		rounded.embed(ours[i])
	}
	for i := range source.c.Layers {
		a, b := source.layer(trunkLayer(i)), &layer{network: rounded, at: trunkLayer(i)}
		// The inputs of parts 1 and 3 are no states; those of part 3 are wide, and are
		// computed twice instead of kept.
		attendedA, attendedB := make([][]float32, len(ours)), make([][]float32, len(ours))
		for part, names := range parts {
			var m *moments
			for j := range ours {
				var s, x []float32
				switch part {
				case 0, 2:
					s, x = theirs[j].x, ours[j].x
				case 1:
					attendedA[j], attendedB[j] = a.attend(theirs[j]), b.attend(ours[j])
					s, x = attendedA[j], attendedB[j]
				case 3:
					s, x = a.widen(theirs[j]), b.widen(ours[j])
				}
				if m == nil {
					m = newMoments(len(x) / len(ours[j].ids))
				}
				m.add(rounded.pool, ours[j].lengths, s, x)
			}
			for _, name := range names {
				if err := roundMatrix(source, rounded, b.at+name, m, store); err != nil {
					return err
				}
			}
			b.prepare(part)
			for j := range ours {
				switch part {
				case 1:
					a.mix(theirs[j], attendedA[j])
					b.mix(ours[j], attendedB[j])
				case 3:
					a.finish(theirs[j], a.widen(theirs[j]))
					b.finish(ours[j], b.widen(ours[j]))
				}
			}
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
}

// roundMatrix rounds a matrix for the inputs of some moments.
func roundMatrix(source, rounded *network, name string, m *moments, store map[string]packfile.Tensor) error {
	exact := source.values[name+".weight"]
	r, err := newRounder(slices.Clone(m.xx), m.n)
	if err != nil {
		return err
	}
	w := exact
	if useTarget {
		w = target(exact, m, r)
	}
	rows := r.round(rounded.pool, w)
	store[name+".weight"] = matrix(rows)
	values := make([]float32, len(exact))
	bias := slices.Clone(source.values[name+".bias"])
	for i := range rows {
		row := values[i*m.n:][:m.n]
		rows[i].put(row)
		missing := 0.0
		for k, v := range row {
			missing += float64(exact[i*m.n+k])*m.s[k] - float64(v)*m.x[k]
		}
		if useBias {
			bias[i] += float32(missing / m.weight)
		}
	}
	encoding, payload := packfile.Floats(bias)
	store[name+".bias"] = packfile.Tensor{Encoding: encoding, Payload: payload}
	rounded.values[name+".weight"], rounded.values[name+".bias"] = values, bias
	return nil
}

// target is the matrix whose outputs for the rounded network's inputs are nearest
// to the exact matrix's outputs for the source's: W + W·(S - H)·H⁻¹, S being the
// sum of s·xᵀ.
func target(exact []float32, m *moments, r *rounder) []float32 {
	n := m.n
	rows := len(exact) / n
	w := mat.NewDense(rows, n, nil)
	for i, v := range exact {
		w.Set(i/n, i%n, float64(v))
	}
	difference := mat.NewDense(n, n, nil)
	for i := range n * n {
		difference.Set(i/n, i%n, m.sx[i]-m.xx[i])
	}
	var right, solved mat.Dense
	right.Mul(w, difference)
	if err := r.factor.SolveTo(&solved, right.T()); err != nil {
		return exact
	}
	moved := make([]float32, len(exact))
	for i := range rows {
		for j := range n {
			moved[i*n+j] = float32(w.At(i, j) + solved.At(j, i))
		}
	}
	return moved
}

var (
	useTarget, useBias, useRefine = true, true, true
	dampingShare, weightPower     = .01, 0.
)
