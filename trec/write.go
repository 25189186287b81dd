package trec

import (
	"errors"
	"math"
	"strconv"
)

// Descending returns scores with which a run keeps its order in trec_eval. trec_eval
// compares 32-bit floats, and puts the greater document id first if they are equal.
// scores are in the order of the ranking, best first. Each result is the nearest 32-bit
// float, or the greatest one below the previous result if the nearest is not below it.
// So scores that are equal in 32 bits come out a smallest step apart, and other scores
// are only rounded, unless such steps reach down to them.
//
// It is an error if a score is NaN or above the previous one, or if there is no smaller
// float for the next score.
func Descending(scores []float64) ([]float32, error) {
	out := make([]float32, len(scores))
	for i, s := range scores {
		if math.IsNaN(s) || i > 0 && s > scores[i-1] {
			return nil, errors.New("score " + strconv.Itoa(i+1) + " of a ranking is NaN or above the one before it")
		}
		out[i] = max(-math.MaxFloat32, min(math.MaxFloat32, float32(s)))
		if i > 0 && out[i] >= out[i-1] {
			out[i] = math.Nextafter32(out[i-1], float32(math.Inf(-1)))
		}
		if math.IsInf(float64(out[i]), 0) {
			return nil, errors.New("score " + strconv.Itoa(i+1) + " of a ranking has no 32-bit float of its own below the others")
		}
	}
	return out, nil
}

// AppendRanking appends the lines of a query's ranking in TREC's format, "query Q0
// document rank score run-id". Ranks begin with 1. Scores have the fewest digits that
// read back as the same number.
func AppendRanking(out []byte, query string, documents []string, scores []float32, id string) []byte {
	for i, document := range documents {
		out = append(append(out, query...), " Q0 "...)
		out = append(append(out, document...), ' ')
		out = append(strconv.AppendInt(out, int64(i+1), 10), ' ')
		out = appendScore(out, scores[i])
		out = append(append(append(out, ' '), id...), '\n')
	}
	return out
}

// appendScore uses an exponent only if the plain decimals would be long.
func appendScore(out []byte, score float32) []byte {
	format := byte('f')
	if size := math.Abs(float64(score)); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(out, float64(score), format, -1, 32)
}
