package perspective

// Query is the input of Compile. All vectors have the collection's dimension; they need
// not be normalised.
type Query struct {
	Query        []float32   // q: the whole query with its perspective
	Root         []float32   // r: the query without its perspective; nil if the method needs none
	Perspectives [][]float32 // p: one vector per perspective, at most MaxPerspectives
	Method       string      // a name or alias of Methods, case-insensitive
	Lambda       float64     // λ: strength of the projection, 1 in the paper; other methods ignore it
}

// MaxPerspectives is the most perspectives of one query. Each may add a dot product per
// corpus entry.
const MaxPerspectives = 64

// MaxLambda limits the strength: −MaxLambda ≤ λ ≤ MaxLambda. 1 is the paper's
// projection, 0 the plain cosine, −1 the notebook's reversed modes, 2 a reflection.
// With much larger values, only the perspective would count.
const MaxLambda = 10.0

// DenominatorFloor is the least ratio of the square of a denominator to n² = c·c. At or
// below it, the entry lies in the perspective's span up to rounding, so nothing is left
// to compare, and its score is 0.
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
	P                 [][]float32 // if empty, D1 = D2 = 0; if one vector, y = P[0]·c; if more, orthonormal with y = sqrt(Σ (P[i]·c)²) and D1 = 0
	Gate              *Gate       // nil except for the re-ranking methods
}
