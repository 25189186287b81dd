package kernel

import "testing"

// Machines without AVX2 get the plain functions behind the same checks.
func TestWithoutAVX2(t *testing.T) {
	defer func(have bool) { useAVX2 = have }(useAVX2)
	useAVX2 = false
	t.Run("scans of f32", TestScansF32AgreeWithPlain)
	t.Run("scans of int8", TestScansI8AgreeWithPlain)
	t.Run("score", TestScoreAgreesWithPlain)
	t.Run("add scaled", TestAddScaled)
	t.Run("select", TestSelect)
}
