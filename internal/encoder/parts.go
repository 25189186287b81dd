package encoder

// Parts of a model that give a text a vector each.
type Parts uint8

// The parts. Both share the first layers.
const (
	Trunk Parts = 1 << iota
	Branch
)

// PartVectors are the vectors of a text. Those of a part that was not asked for are nil.
type PartVectors struct {
	Trunk, Branch []float32
	Tokens        int  // number of tokens with special ones, after truncation
	Truncated     bool // the text was longer than the model's limit
}
