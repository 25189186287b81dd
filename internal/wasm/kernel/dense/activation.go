package dense

// Activation is applied to a layer's output.
type Activation uint8

// The activations of the models that we read, with the names in their
// configurations.
const (
	None     Activation = iota
	GELU                // gelu: x·Φ(x), by erf
	GELUTanh            // gelu_new, gelu_pytorch_tanh, gelu_fast: by tanh
	ReLU                // relu
	Tanh                // tanh
	SiLU                // silu, swish
)

// apply replaces rows of columns.
func (a Activation) apply(x []float32, rows, columns, ld int) {
	switch a {
	case None:
		return
	case GELU:
		gelu(x, rows, columns, ld)
		return
	}
	for i := range rows {
		row := x[i*ld : i*ld+columns]
		switch a {
		case GELUTanh: // x/2·(1+tanh(u)) = x/(1+e^-2u)
			overSigmoid(row, func(x float32) float32 {
				const root = 1.5957691216057308 // 2·sqrt(2/π)
				return -root * (x + 0.044715*x*x*x)
			})
		case SiLU:
			overSigmoid(row, func(x float32) float32 { return -x })
		case ReLU:
			for j, v := range row {
				if !(v > 0) {
					row[j] = 0
				}
			}
		case Tanh:
			for j, v := range row {
				row[j] = tanh(v)
			}
		}
	}
}

// overSigmoid replaces x by x/(1+e^f(x)), a few at a time.
func overSigmoid(row []float32, f func(float32) float32) {
	var powers [4 * panel]float32
	for len(row) > 0 {
		n := min(len(row), len(powers))
		for j, v := range row[:n] {
			powers[j] = f(v)
		}
		exponentials(powers[:])
		for j := range row[:n] {
			row[j] /= 1 + powers[j]
		}
		row = row[n:]
	}
}

// tanh has less than 3e-7 of error; near 0 it is the odd series, because the
// exponential would cancel there.
func tanh(x float32) float32 {
	if x > -0.25 && x < 0.25 {
		s := x * x
		return x + x*s*(-1.0/3+s*(2.0/15+s*(-17.0/315+s*(62.0/2835))))
	}
	if x > 9 {
		return 1
	}
	if x < -9 {
		return -1
	}
	return 1 - 2/(1+exp(2*x))
}
