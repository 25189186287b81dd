package trec

import (
	"errors"
	"math"
	"strconv"
)

// Descending are scores as a run has to hold them so that trec_eval, which compares 32-bit floats and puts the greater
// document id first among equal ones, keeps the order of a ranking given best first: each is the nearest 32-bit float or, if
// that is not below the one before, the greatest that is. So equal scores, and those that 32 bits do not tell apart, come out
// smallest steps apart, and every other figure as it was.
//
// The error is that of a NaN, of a score above the one before it, or of a ranking that leaves no float below for the next.
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

// AppendRanking appends the lines of a query's ranking in TREC's format, "query Q0 document rank score run-id", ranks from 1,
// scores as the shortest decimals that read back the same.
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

// appendScore writes plain decimals if these are not long.
func appendScore(out []byte, score float32) []byte {
	format := byte('f')
	if size := math.Abs(float64(score)); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(out, float64(score), format, -1, 32)
}
