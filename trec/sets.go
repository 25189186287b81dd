package trec

import "math"

// This file has the measures over the set of retrieved documents.

func one(*scratch, *Judged) float64 { return 1 }

func numRetrieved(_ *scratch, j *Judged) float64 { return float64(len(j.Grades)) }

func numRelevant(_ *scratch, j *Judged) float64 { return float64(j.Relevant) }

func numRelevantRetrieved(_ *scratch, j *Judged) float64 { return float64(j.RelevantRetrieved) }

func numNotRelevantRetrieved(_ *scratch, j *Judged) float64 {
	return float64(len(j.Grades) - j.unpooled - j.unjudged - j.RelevantRetrieved)
}

func setPrecision(_ *scratch, j *Judged) float64 { return ratio(j.RelevantRetrieved, len(j.Grades)) }

func setRecall(_ *scratch, j *Judged) float64 { return ratio(j.RelevantRetrieved, j.Relevant) }

// setRelativePrecision is the precision divided by the greatest precision that a set of
// that size can have.
func setRelativePrecision(_ *scratch, j *Judged) float64 {
	return ratio(j.RelevantRetrieved, min(len(j.Grades), j.Relevant))
}

// setAveragePrecision is precision times recall.
func setAveragePrecision(_ *scratch, j *Judged) float64 {
	if len(j.Grades) == 0 || j.Relevant == 0 {
		return 0
	}
	hits := float64(j.RelevantRetrieved)
	return hits * hits / (float64(len(j.Grades)) * float64(j.Relevant))
}

// setF is (x+1)·P·R / (x·P + R), with x the importance of recall over that of precision (van Rijsbergen 1979).
func setF(s *scratch, j *Judged, m *Measure, out []float64) {
	if j.RelevantRetrieved == 0 {
		return
	}
	x, p, r := m.params[0], setPrecision(s, j), setRecall(s, j)
	if denominator := float64(x*p) + r; denominator != 0 {
		out[0] = (x + 1) * p * r / denominator
	}
}

// utility is the weighted sum of the four cells of the contingency table: relevant and
// retrieved, retrieved only, relevant only, neither.
func utility(s *scratch, j *Judged, m *Measure, out []float64) {
	hits, retrieved := j.RelevantRetrieved, len(j.Grades)
	neither := s.collection + hits - retrieved - j.Relevant
	out[0] = float64(m.params[0]*float64(hits)) + float64(m.params[1]*float64(retrieved-hits)) +
		float64(m.params[2]*float64(j.Relevant-hits)) + float64(m.params[3]*float64(neither))
}

// ratio is a/b, and 0 if b is 0.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// finite replaces NaN and infinities, which result from extreme gains or coefficients
// of a caller.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
