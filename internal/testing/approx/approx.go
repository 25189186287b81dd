// Package approx compares numbers with a tolerance, in tests.
package approx

import "math"

// Apart says whether two numbers are further from each other than the tolerance. NaN is
// apart from everything, so that a test fails on it: math.Abs(got-want) > tolerance does
// not, since no comparison with NaN is true.
func Apart(got, want, tolerance float64) bool {
	return got != want && !(math.Abs(got-want) <= tolerance) // an infinity is not apart from itself
}
