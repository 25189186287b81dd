package perspective

// Query is the input of Compile. All vectors but Angles have the collection's dimension;
// none needs to be normalised.
type Query struct {
	Query        []float32   // q: the whole query with its perspective
	Root         []float32   // r: the query without its perspective; nil if the method needs none
	Perspectives [][]float32 // p: one vector per perspective, at most MaxPerspectives
	Score        Score       // how vectors are compared; "" is Cosine
	Method       string      // a name or alias of Methods, case-insensitive
	Lambda       float64     // λ: strength of the projection, 1 in the paper; other methods ignore it

	// Angles are as many vectors as Method.Angles says, of the dimension of the entries'
	// angles and of any length: for contrast, u and v, the root asked for the wanted side
	// and for the opposite one; for aspect, the angle of the whole query. Aspect also takes u and v, and
	// then counts the slant without contrast's bound.
	Angles   [][]float32
	Strength float64 // β of contrast and γ of aspect; other methods ignore it
}

// MaxPerspectives is the greatest number of perspectives of one query. Each may add a dot product per
// corpus entry.
const MaxPerspectives = 64

// MaxLambda limits the strength: −MaxLambda ≤ λ ≤ MaxLambda. 1 is the paper's
// projection, 0 the plain cosine, −1 the notebook's reversed modes, 2 a reflection.
// With much larger values, only the perspective would count.
const MaxLambda = 10.0

// MaxStrength limits the strength of the angle: −MaxStrength ≤ Query.Strength ≤
// MaxStrength. 0 leaves the angle out, and a negative strength asks for the opposite.
// With much larger values, only the angle would count.
const MaxStrength = 10.0

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
//
// Under the dot product the denominator is 1, whatever the row, and a row of zeros scores 0:
//
//	score(c) = A · x
//
// If there is an Angle, the entry's second vector b, its angle, adds Angle·b / ‖b‖ to
// that score, or 0 if b is zero, and at most AngleCap unless that is 0.
type Plan struct {
	A, X0, D0, D1, D2 float64
	Dot               bool        // the dot product, with neither X0, D0, D1, D2 nor P
	Vector            []float32   // a
	P                 [][]float32 // if empty, D1 = D2 = 0; if one vector, y = P[0]·c; if more, orthonormal with y = sqrt(Σ (P[i]·c)²) and D1 = 0
	Angle             []float32   // of the dimension of the entries' angles; nil if the plan does not use them
	AngleCap          float64     // the most that the angle adds to a score; 0 if there is no bound
	Gate              *Gate       // nil except for the re-ranking methods
}
