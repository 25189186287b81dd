package sides

import (
	"math"

	"github.com/vantage-search/vantage/perspective"
)

// Scored is a text's score for a root, and its side as judged by people.
type Scored struct {
	Score float64
	Side  Side
}

// Ordered considers all pairs of a text that is for a root and one that is against it. It
// returns the share of pairs in which the text for the root has the higher score. Equal scores
// are not in order. ok is false if there are no pairs.
func Ordered(texts []Scored) (share float64, ok bool) {
	right, pairs := 0, 0
	for _, f := range texts {
		for _, a := range texts {
			if f.Side == For && a.Side == Against {
				pairs++
				if f.Score > a.Score {
					right++
				}
			}
		}
	}
	if pairs == 0 {
		return 0, false
	}
	return float64(right) / float64(pairs), true
}

// RightSigns counts the texts with a side, and those of them whose score has the right sign:
// above 0 if they are for the root, below 0 if they are against it. A score of 0 is wrong.
func RightSigns(texts []Scored) (right, of int) {
	for _, t := range texts {
		if t.Side == Neither {
			continue
		}
		of++
		if t.Side == For && t.Score > 0 || t.Side == Against && t.Score < 0 {
			right++
		}
	}
	return right, of
}

// Prediction has the probability of the most probable side of a text, and whether the text is
// on that side.
type Prediction struct {
	Confidence float64
	Right      bool
}

// bins is the number of bins of CalibrationError.
const bins = 10

// CalibrationError is the expected calibration error (Guo et al., "On Calibration of
// Modern Neural Networks", ICML 2017, section 2): confidences are divided into ten bins
// of equal width, each of which includes its upper end; the differences between the mean confidence
// of a bin and the share of right predictions in it are averaged, weighted by the
// number of predictions. It is 0 without predictions.
func CalibrationError(predictions []Prediction) float64 {
	var count, right, confidence [bins]float64
	for _, p := range predictions {
		bin := max(0, min(bins-1, int(math.Ceil(p.Confidence*bins))-1))
		count[bin]++
		confidence[bin] += p.Confidence
		if p.Right {
			right[bin]++
		}
	}
	sum := 0.0
	for i := range bins {
		sum += math.Abs(confidence[i] - right[i])
	}
	return sum / max(1, float64(len(predictions)))
}

// Top ranks all texts as the method contrast does, by topic + beta·score with at most |beta|·perspective.MostSlant in place
// of beta·score. Here topic is the cosine of root and text. Top returns the index of the best, and the first of several that
// are equal.
func Top(topics, scores []float64, beta float64) int {
	top, best, most := -1, 0.0, math.Abs(beta)*perspective.MostSlant
	for i, topic := range topics {
		if v := topic + min(float64(beta*scores[i]), most); top < 0 || v > best {
			top, best = i, v
		}
	}
	return top
}
