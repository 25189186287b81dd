package packer

import (
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// roundLayers rounds the matrices of the trunk's layers to 4 bits, one layer after
// the other, and stores them. What goes into a layer comes from the layers before
// it as they were rounded. Biases take up the mean error of the outputs, against
// those of the source.
//
// The first layers, as many as plain, are rounded value by value, and keep their biases.
//
// At first, rounded.values has the source's values, except those that are rounded already.
// It receives the values that are rounded here.
func roundLayers(source, rounded *network, plain int, texts []sample, store map[string]packfile.Tensor, step func() error) error {
	theirs, ours := batches(texts), batches(texts)
	for i := range ours {
		source.embed(theirs[i])
		rounded.embed(ours[i])
	}
	for i := range source.c.Layers {
		a, b := source.layer(trunkLayer(i)), &layer{network: rounded, at: trunkLayer(i)}
		// The inputs of parts 1 and 3 are not the state of a batch; those of part 3 are wide,
		// and are computed twice instead of kept.
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
				if i < plain {
					continue
				}
				if m == nil {
					m = newMoments(len(x) / len(ours[j].ids))
				}
				m.add(rounded.pool, ours[j].lengths, s, x)
			}
			for _, name := range names {
				if i < plain {
					roundMatrixPlainly(rounded, b.at+name+".weight", store)
					continue
				}
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
	rows := r.round(rounded.pool, exact)
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
		bias[i] += float32(missing / m.weight)
	}
	encoding, payload := packfile.Floats(bias)
	store[name+".bias"] = packfile.Tensor{Encoding: encoding, Payload: payload}
	rounded.values[name+".weight"], rounded.values[name+".bias"] = values, bias
	return nil
}

// roundMatrixPlainly rounds a matrix value by value.
func roundMatrixPlainly(rounded *network, name string, store map[string]packfile.Tensor) {
	values := rounded.values[name]
	width := rounded.c.Hidden
	if strings.HasSuffix(name, ".output.dense.weight") && !strings.Contains(name, "attention") {
		width = rounded.c.Intermediate
	}
	store[name] = matrix(rows4(values, width, roundPlainly))
	rounded.values[name] = rounded4(values, width, roundPlainly)
}

// roundPlainly is roundPlain, with scales of a ladder.
func roundPlainly(w []float32) row4 { return roundPlain(w).snap() }
