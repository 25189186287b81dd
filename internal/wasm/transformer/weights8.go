package transformer

// Matrix8 is the weight of a linear layer or an embedding table, rounded to 8
// bits: [Out, In], row-major, weight[o][i] = Scales[o] * Values[o*In+i]. Values lie
// within -127 and 127. Whoever asks for one owns it: an encoder reorders Values in
// place, so that weights are in memory once.
type Matrix8 struct {
	Out, In int
	Values  []int8    // Out * In
	Scales  []float32 // Out
}

// Weights8 gives the tensors of an encoder with weights of 8 bits by BERT's names:
// "embeddings.word_embeddings.weight",
// "encoder.layer.0.attention.self.query.weight" and so on; a branch's layers are
// "branch.0.attention.self.query.weight" and so on, and "projection.weight".
type Weights8 interface {
	// Matrix of that shape. Its error names a tensor that is missing or of another
	// shape.
	Matrix(name string, out, in int) (Matrix8, error)
	// Vector of n values: biases, norms, and the tables of positions and token
	// types, whose n is rows * width.
	Vector(name string, n int) ([]float32, error)
	// Has reports whether there is a tensor of that name.
	Has(name string) bool
}
