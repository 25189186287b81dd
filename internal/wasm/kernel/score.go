package kernel

// Form holds the coefficients of a scoring method, the plan's numbers: with
// x = a·c, y = p·c and n² = c·c of a corpus row c, its score is
//
//	A·(x + X0) / √(n² + D1·y + D2·y² + D0)
type Form struct{ A, X0, D0, D1, D2 float64 }

// guard is the share of n² at or below which the square of the denominator
// counts as zero: what is left of the row there is rounding noise.
const guard = 1e-6

// Score sets, for every i < len(out),
//
//	out[i] = float32(A·(x[i]+X0) / √(((n² + D1·y[i]) + D2·(y[i]·y[i])) + D0)),  n² = norm2[i],
//
// each operation rounded to float64 in the order written, or 0 if n² is 0 or
// the square of the denominator is at most 1e-6·n². A nil y counts as zeros.
// The other operands must be at least as long as out; out may be x or y itself.
// With ones as norm2, no y and D0 = 0, the score is A·(x[i]+X0): a dot product.
func Score(out, x, y, norm2 []float32, f *Form) {
	n := len(out)
	checkLen(len(x), n)
	checkLen(len(norm2), n)
	if y != nil {
		checkLen(len(y), n)
	}
	if n == 0 {
		return
	}
	score(out, x, y, norm2, f)
}

// AddScaled adds x[i]·scale[i], rounded to float32, to out[i] for every i < len(out), and most in place of greater
// products. x and scale must be at least as long as out.
func AddScaled(out, x, scale []float32, most float32) {
	checkLen(len(x), len(out))
	checkLen(len(scale), len(out))
	if len(out) == 0 {
		return
	}
	addScaled(out, x, scale, most)
}

// Select writes to idx, in ascending order, the indexes i with
// scores[i] >= threshold, and returns how many there are.
// len(idx) must be at least len(scores); what lies beyond the result may be
// overwritten.
func Select(idx []uint32, scores []float32, threshold float32) int {
	checkLen(len(idx), len(scores))
	if len(scores) == 0 {
		return 0
	}
	return selectGE(idx, scores, threshold)
}
