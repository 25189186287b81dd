// Package weights has the form in which packs keep matrices and transformers take them,
// so that readers of packs need not link transformers.
package weights

// Matrix8 is the weight of a linear layer or an embedding table, rounded to 8
// bits: [Out, In], row-major, weight[o][i] = Scales[o] * Values[o*In+i]. Values lie
// between -127 and 127. Whoever asks for one owns it: an encoder reorders Values in
// place, so that weights are in memory once.
type Matrix8 struct {
	Out, In int
	Values  []int8    // Out * In
	Scales  []float32 // Out
}
