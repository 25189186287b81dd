package transformer

import "github.com/vantage-search/vantage/internal/wasm/weights"

// Weights8 gives the tensors of an encoder with weights of 8 bits by BERT's names:
// "embeddings.word_embeddings.weight",
// "encoder.layer.0.attention.self.query.weight" and so on; a branch's layers are
// "branch.0.attention.self.query.weight" and so on, and "projection.weight".
type Weights8 interface {
	// Matrix of that shape. Its error names a tensor that is missing or of another
	// shape.
	Matrix(name string, out, in int) (weights.Matrix8, error)
	// Vector of n values: biases, norms, and the tables of positions and token
	// types, whose n is rows * width.
	Vector(name string, n int) ([]float32, error)
	// Has reports whether there is a tensor of that name.
	Has(name string) bool
}
