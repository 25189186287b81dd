package dense

import "math"

// Linear8 is Linear with weights of 8 bits, and inputs that are rounded to 8 bits
// on the fly: a quarter of the memory, and integer arithmetic. Weights have a scale
// for each output, inputs a scale and a middle for each row; sums are exact. Every
// build gives the same bits.
type Linear8 struct {
	In, Out int

	groups      int       // of four inputs, the last filled with zeros
	weights     []int8    // for every packRows outputs, the weights of inputs 0 to 3 to each of them, then those of 4 to 7
	offsets     []int32   // what inputs of 128 each would add
	scales      []float32 // of the outputs
	sums        []float32 // of the weights of each output: what inputs of 1 each would give
	bias        []float32
	multipliers []int16 // of groups of weights, nil if the weights are not divided by them (grouped.go)
	form        uint32  // of the weights: the browser module's kernel chooses it, and each product passes it back
}

// inputOffset makes rounded inputs, from -127 to 127, unsigned, as VNNI needs them.
// The build for AVX2 uses it for weights in groups alone, that for WebAssembly never.
const inputOffset = 128

// maxIn8 keeps the sums within 32 bits: each input adds at most 255·127.
const maxIn8 = math.MaxInt32 / (255 * 127)

// NewLinear8 rounds and packs weights w [out, in] and a bias [out], or nil for
// none. It returns nil if there are so many inputs that sums would overflow.
func NewLinear8(w, bias []float32, out, in int) *Linear8 {
	if in > maxIn8 {
		return nil
	}
	values, scales := make([]int8, out*in), make([]float32, out)
	for o := range out {
		row := w[o*in : (o+1)*in]
		var greatest float32
		for _, v := range row {
			greatest = max(greatest, float32(math.Abs(float64(v))))
		}
		if scales[o] = greatest / 127; scales[o] == 0 {
			continue // nothing, or nothing that float32 can scale
		}
		for i, v := range row {
			q := int32(math.RoundToEven(float64(v / scales[o])))
			values[o*in+i] = int8(max(-127, min(127, q)))
		}
	}
	return PackLinear8(values, scales, bias, out, in)
}

// PackLinear8 takes weights that are rounded already: values [out, in] from -127
// to 127, which it reorders in place if out is a multiple of 16 and in one of 4,
// scales [out] and a bias [out], or nil for none. It returns nil if there are so
// many inputs that sums would overflow.
func PackLinear8(values []int8, scales, bias []float32, out, in int) *Linear8 {
	if in > maxIn8 {
		return nil
	}
	panels, groups := (out+panel-1)/panel, (in+3)/4
	l := &Linear8{In: in, Out: out, groups: groups, scales: aligned(panels * panel), sums: aligned(panels * panel), bias: aligned(panels * panel)}
	copy(l.scales, scales[:out])
	copy(l.bias, bias)
	if out%panel == 0 && in%4 == 0 {
		l.weights = values[:out*in]
	} else {
		l.weights = make([]int8, panels*groups*4*panel)
		for o := range out {
			copy(l.weights[o*groups*4:], values[o*in:(o+1)*in])
		}
	}
	l.form = l.pack()
	return l
}

// plainPack reorders the rows of weights in place, and adds them up.
func (l *Linear8) plainPack() {
	if offsetInputs {
		l.offsets = make([]int32, len(l.sums))
	}
	width := 4 * l.groups
	rows := make([]int8, packRows*width)
	for first := 0; first < len(l.sums); first += packRows {
		to := l.weights[first*width : (first+packRows)*width]
		copy(rows, to)
		for o := range packRows {
			row := rows[o*width : (o+1)*width]
			var sum int32
			for _, v := range row {
				sum += int32(v)
			}
			l.sums[first+o] = float32(float32(sum) * l.scales[first+o])
			if offsetInputs {
				l.offsets[first+o] = inputOffset * sum
			}
			for at := 4 * o; len(row) > 0; row, at = row[4:], at+4*packRows {
				*(*[4]int8)(to[at:]) = *(*[4]int8)(row)
			}
		}
	}
}

// Bytes that the weights take.
func (l *Linear8) Bytes() int {
	return len(l.weights) + 4*(len(l.offsets)+len(l.scales)+len(l.sums)+len(l.bias)) + 2*len(l.multipliers)
}

// Size is the number of inputs and of outputs.
func (l *Linear8) Size() (in, out int) { return l.In, l.Out }

// Apply is Linear.Apply with rows that are rounded first.
func (l *Linear8) Apply(p *Pool, y []float32, ldy int, x []float32, ldx, rows int, act Activation) {
	if rows == 0 {
		return
	}
	r, _ := p.rounded.Get().(*Rounded)
	if r == nil {
		r = &Rounded{}
	}
	defer p.rounded.Put(r)
	r.grow(rows, 4*l.groups)
	r.Round(p, x, ldx, rows, l.In)
	l.ApplyRounded(p, y, ldy, r, act)
}

// ApplyRounded is Apply to inputs that are rounded already, with l.In components
// each.
func (l *Linear8) ApplyRounded(p *Pool, y []float32, ldy int, x *Rounded, act Activation) {
	if x.in != l.In {
		panic("dense: rows of another width than the layer's")
	}
	l.share(p, y, ldy, x, act)
}
