package lexical

import (
	"errors"
	"math"
	"strconv"
)

// Normalization is a way to normalise the scores of a ranking before they are summed
// with those of others.
type Normalization uint8

const (
	MinMax Normalization = iota // (s − min)/(max − min), 1 if all are equal
	Max                         // s / max|s|, 0 if all are 0; for nonnegative scores, the share of the best one
	ZScore                      // (s − mean) / standard deviation (of the population), 0 if all are equal
	None                        // s, unchanged
)

// Normalizations are the names of normalisations.
var Normalizations = [...]string{MinMax: "min-max", Max: "max", ZScore: "z-score", None: "none"}

// ParseNormalization returns the normalisation of a name.
func ParseNormalization(name string) (Normalization, error) {
	for n, known := range Normalizations {
		if name == known {
			return Normalization(n), nil
		}
	}
	return 0, errors.New("no normalisation is called " + strconv.Quote(name) + ": there are min-max, max, z-score and none")
}

// of returns the number to subtract from the scores of a ranking and the number to divide by
// then. The latter is 0 if all scores are equal or, for Max, if all are 0. For None it is 1.
func (n Normalization) of(ranking []Hit) (shift, scale float64) {
	if n == None || len(ranking) == 0 {
		return 0, 1
	}
	low, high, sum := ranking[0].Score, ranking[0].Score, 0.0
	for _, hit := range ranking {
		low, high = min(low, hit.Score), max(high, hit.Score)
		sum += hit.Score
	}
	switch {
	case n == Max:
		return 0, max(math.Abs(low), math.Abs(high))
	case low == high:
		return low, 0
	case n == MinMax:
		return low, high - low
	}
	mean, square := sum/float64(len(ranking)), 0.0
	for _, hit := range ranking {
		square += float64((hit.Score - mean) * (hit.Score - mean))
	}
	return mean, math.Sqrt(square / float64(len(ranking)))
}

func (n Normalization) apply(score, shift, scale float64) float64 {
	switch {
	case scale != 0:
		return (score - shift) / scale
	case n == MinMax:
		return 1
	}
	return 0
}
