package perspective

// Query is what Compile reads. All vectors have the same dimension, the collection's, and need not be normalised.
type Query struct {
	Query        []float32   // q: the whole query, perspective included
	Root         []float32   // r: the query without its perspective; nil if the method needs none
	Perspectives [][]float32 // p: one vector per perspective, at most MaxPerspectives
	Method       string      // a name or alias of Methods, case-insensitive
	Lambda       float64     // λ: strength of the projection, 1 in the paper; ignored by methods that have none
}

// MaxPerspectives bounds the perspectives of one query: each may add a dot product per corpus entry.
const MaxPerspectives = 64

// MaxLambda bounds the strength: −MaxLambda ≤ λ ≤ MaxLambda. 1 is the paper's projection, 0 the plain cosine, −1 the
// notebook's reversed modes, 2 a reflection. Far outside, the perspective alone decides.
const MaxLambda = 10.0

// DenominatorFloor is the smallest share of n² = c·c that the square of a denominator may have. At or below it, the
// entry lies in the perspective's span up to rounding, nothing is left to compare, and its score is 0.
const DenominatorFloor = 1e-6

// Plan scores a corpus entry c, with n² = c·c, x = Vector·c and y from P:
//
//	score(c) = A · (x + X0) / sqrt(n² + D1·y + D2·y² + D0)
//
// The score is 0 if n² is 0 or the expression under the root is at most DenominatorFloor·n². No number in a plan that
// Compile returned is NaN or infinite.
type Plan struct {
	A, X0, D0, D1, D2 float64
	Vector            []float32   // a
	P                 [][]float32 // none: D1 = D2 = 0. One: y = P[0]·c. More: orthonormal, y = sqrt(Σ (P[i]·c)²), D1 = 0
	Gate              *Gate       // nil but for the re-ranking methods
}
