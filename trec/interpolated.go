package trec

// This file has the measures at shares of the relevant documents.

// share is the number of documents in a share of n, rounded as in trec_eval.
func share(part float64, n int) int { return int(float64(part*float64(n)) + .9) }

// interpolate calls its argument for each share of the relevant documents, from the
// last to the first. The precision is the greatest one at or after the rank at which
// that share is retrieved. Shares that the ranking does not reach are left out.
func interpolate(s *scratch, j *Judged, shares []float64, at func(i int, precision float64)) {
	s.cuts = s.cuts[:0]
	for _, part := range shares {
		s.cuts = append(s.cuts, share(part, j.Relevant))
	}
	i := len(s.cuts) - 1
	for i >= 0 && s.cuts[i] > j.RelevantRetrieved {
		i--
	}
	hits := j.RelevantRetrieved
	best := 0.0
	for rank := len(j.Grades); rank > 0 && hits > 0; rank-- {
		best = max(best, ratio(hits, rank))
		if !j.IsRelevant(rank - 1) {
			continue
		}
		for ; i >= 0 && s.cuts[i] == hits; i-- {
			at(i, best)
		}
		hits--
	}
	for ; i >= 0; i-- {
		at(i, best)
	}
}

// precisionAtRecall is the interpolated precision at each share of the relevant documents.
func precisionAtRecall(s *scratch, j *Judged, m *Measure, out []float64) {
	interpolate(s, j, m.params, func(i int, precision float64) { out[i] = precision })
}

// averageOverRecall is the mean of the interpolated precision over shares of the relevant documents.
func averageOverRecall(s *scratch, j *Judged, m *Measure, out []float64) {
	sum := 0.0
	interpolate(s, j, m.params, func(_ int, precision float64) { sum += precision })
	out[0] = sum / float64(len(m.params))
}

// precisionAtMultiples is the precision at multiples of R, the number of relevant documents.
func precisionAtMultiples(_ *scratch, j *Judged, m *Measure, out []float64) {
	rank, hits := 0, 0
	for i, multiple := range m.params {
		cutoff := share(multiple, j.Relevant)
		for ; rank < cutoff && rank < len(j.Grades); rank++ {
			if j.IsRelevant(rank) {
				hits++
			}
		}
		if cutoff > 0 {
			out[i] = ratio(hits, cutoff)
		}
	}
}
