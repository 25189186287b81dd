package lexical

import "errors"

// Reciprocal names the fusion by reciprocal rank.
const Reciprocal = "rrf"

// Fusions are the names that Fuse accepts: Reciprocal and those of Normalizations.
func Fusions() []string { return append([]string{Reciprocal}, Normalizations[:]...) }

// CheckFusion returns an error for a name that Fuse does not accept. "" means
// Reciprocal.
func CheckFusion(name string) error {
	if name == "" || name == Reciprocal {
		return nil
	}
	if _, err := ParseNormalization(name); err != nil {
		return errors.New("hybrid: " + err.Error() + ", and " + Reciprocal)
	}
	return nil
}

// Fuse fuses a ranking by vectors with one by words. The words have the given weight,
// from 0 to 1, and the vectors have the rest. "" means Reciprocal.
func Fuse(name string, weight float64, vectors, words []Hit) ([]Hit, error) {
	if err := CheckFusion(name); err != nil {
		return nil, err
	}
	if !(weight >= 0 && weight <= 1) {
		return nil, errors.New("hybrid: the weight of the words is " + number(weight) + ", must be between 0 (vectors alone) and 1 (words alone)")
	}
	weights := []float64{1 - weight, weight}
	if name == "" || name == Reciprocal {
		return ReciprocalRank(DefaultRankConstant, weights, vectors, words)
	}
	n, err := ParseNormalization(name)
	if err != nil {
		return nil, err
	}
	return WeightedSum(n, weights, vectors, words)
}
