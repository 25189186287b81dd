package trec

// This file has the measures at cutoffs. A ranking that ends before a cutoff counts as
// if documents that are not relevant followed.

// hitsAt calls its argument for each cutoff in ascending order, with the number of
// relevant documents up to that rank.
func hitsAt(j *Judged, m *Measure, at func(i, cutoff, hits int)) {
	rank, hits := 0, 0
	for i, c := range m.params {
		for ; rank < int(c) && rank < len(j.Grades); rank++ {
			if j.IsRelevant(rank) {
				hits++
			}
		}
		at(i, int(c), hits)
	}
}

func precisionAt(_ *scratch, j *Judged, m *Measure, out []float64) {
	hitsAt(j, m, func(i, cutoff, hits int) { out[i] = ratio(hits, cutoff) })
}

func recallAt(_ *scratch, j *Judged, m *Measure, out []float64) {
	hitsAt(j, m, func(i, _, hits int) { out[i] = ratio(hits, j.Relevant) })
}

// relativePrecisionAt is the precision divided by the greatest possible precision. It
// equals precision up to rank R, and recall from there on.
func relativePrecisionAt(_ *scratch, j *Judged, m *Measure, out []float64) {
	hitsAt(j, m, func(i, cutoff, hits int) { out[i] = ratio(hits, min(cutoff, j.Relevant)) })
}

func successAt(_ *scratch, j *Judged, m *Measure, out []float64) {
	hitsAt(j, m, func(i, _, hits int) { out[i] = float64(min(hits, 1)) })
}

func averagePrecisionAt(_ *scratch, j *Judged, m *Measure, out []float64) {
	if j.Relevant == 0 {
		return
	}
	rank, hits, sum := 0, 0, 0.0
	for i, c := range m.params {
		for ; rank < int(c) && rank < len(j.Grades); rank++ {
			if j.IsRelevant(rank) {
				hits++
				sum += float64(hits) / float64(rank+1)
			}
		}
		out[i] = sum / float64(j.Relevant)
	}
}

// ndcgAt is nDCG at each cutoff: DCG over that of the best ranking of the judged
// documents, both cut at the same rank. Gains are the grades, regardless of Level.
func ndcgAt(s *scratch, j *Judged, m *Measure, out []float64) {
	s.ideal = s.ideal[:0]
	for l := len(j.Levels) - 1; l >= 0 && j.Levels[l].Grade > 0; l-- {
		for range min(j.Levels[l].Count, int(m.params[len(m.params)-1])-len(s.ideal)) {
			s.ideal = append(s.ideal, float64(j.Levels[l].Grade))
		}
	}
	rank, dcg, best := 0, 0.0, 0.0
	for i, c := range m.params {
		for ; rank < int(c) && rank < max(len(j.Grades), len(s.ideal)); rank++ {
			if rank < len(j.Grades) && j.Grades[rank] > 0 {
				dcg += float64(j.Grades[rank]) / s.logs.Of(rank+2)
			}
			if rank < len(s.ideal) {
				best += s.ideal[rank] / s.logs.Of(rank+2)
			}
		}
		if best > 0 {
			out[i] = dcg / best
		}
	}
}
