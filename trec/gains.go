package trec

// This file has the measures over graded relevance, such as nDCG (Järvelin and
// Kekäläinen, TOIS 20, 2002). A document's gain is its grade, or the gain that the
// measure's parameters give for that grade.

// gain is the gain of documents with a grade.
type gain struct {
	grade int32
	value float64
	count int // number of documents judged to have the grade
}

// maxGap is the greatest grade up to which setGains fills in missing grades.
const maxGap = 1000

// setGains lists the gains of a query in s.gains, in ascending order.
func setGains(s *scratch, j *Judged, m *Measure) {
	s.gains = append(s.gains[:0], m.gains...)
	next := int32(0)
	for _, l := range j.Levels {
		// Grades without documents only affect the order that sortGains gives, and only
		// if the caller sets gains.
		if len(m.gains) > 0 && l.Grade <= maxGap {
			for ; next < l.Grade; next++ {
				s.setGain(m, Level{Grade: next})
			}
		}
		s.setGain(m, l)
		next = l.Grade + 1
	}
	s.other = append(s.other[:0], s.gains...)
	sortGains(s.gains, s.other)
}

func (s *scratch) setGain(m *Measure, l Level) {
	for i := range m.gains {
		if m.gains[i].grade == l.Grade {
			s.gains[i].count = l.Count
			return
		}
	}
	s.gains = append(s.gains, gain{grade: l.Grade, value: float64(l.Grade), count: l.Count})
}

// sortGains is a merge sort that treats gains as equal if they differ by less than one.
// trec_eval's comparison truncates the difference in this way, and its figures depend
// on the resulting order.
func sortGains(gains, spare []gain) {
	if len(gains) < 2 {
		return
	}
	half := len(gains) / 2
	sortGains(spare[:half], gains[:half])
	sortGains(spare[half:], gains[half:])
	left, right := spare[:half], spare[half:]
	for i := range gains {
		if len(right) == 0 || len(left) > 0 && int(left[0].value-right[0].value) <= 0 {
			gains[i], left = left[0], left[1:]
		} else {
			gains[i], right = right[0], right[1:]
		}
	}
}

// gainOf is the gain of a document of a grade. It looks only at the gains that the measure's parameters give: a query
// may have as many grades as documents.
func (m *Measure) gainOf(grade int32) float64 {
	for i := range m.gains {
		if m.gains[i].grade == grade {
			return m.gains[i].value
		}
	}
	return float64(max(grade, 0))
}

// idealGains walks through the gains of the best ranking.
type idealGains struct {
	gains []gain
	used  int // documents used of the last entry of gains
}

// current is the gain at the current rank. It is 0 or less after the last positive gain
// of the best ranking.
func (w *idealGains) current() float64 {
	if len(w.gains) == 0 {
		return 0
	}
	return w.gains[len(w.gains)-1].value
}

// next moves to the next rank. The first call moves to the first rank.
func (w *idealGains) next() float64 {
	w.used++
	for len(w.gains) > 0 && w.used > w.gains[len(w.gains)-1].count {
		w.gains = w.gains[:len(w.gains)-1]
		w.used = 1
	}
	return w.current()
}

// walkGains calls at for each rank until both rankings have ended. gain is the
// ranking's gain (0 after its end), ideal that of the best ranking (0 after its last
// positive gain).
func walkGains(s *scratch, j *Judged, m *Measure, at func(rank int, gain, ideal float64)) {
	setGains(s, j, m)
	best := idealGains{gains: s.gains}
	positive := best.current() > 0
	for rank := 0; rank < len(j.Grades) || positive; rank++ {
		g, ideal := 0.0, 0.0
		if rank < len(j.Grades) {
			g = m.gainOf(j.Grades[rank])
		}
		if positive {
			ideal = best.next()
			if positive = ideal > 0; !positive {
				if rank >= len(j.Grades) {
					return
				}
				ideal = 0
			}
		}
		at(rank, g, ideal)
	}
}

// ndcg is the discounted cumulated gain of the ranking over that of the best ranking of
// all judged documents.
func ndcg(s *scratch, j *Judged, m *Measure, out []float64) {
	dcg, best := 0.0, 0.0
	walkGains(s, j, m, func(rank int, gain, ideal float64) {
		dcg += gain / s.logs.Of(rank+2)
		best += ideal / s.logs.Of(rank+2)
	})
	if best > 0 {
		out[0] = finite(dcg / best)
	}
}

// ndcgOverRelevant is the mean, over documents with a positive gain, of nDCG at their
// ranks. For a document that was not retrieved, it takes the ranking's whole gain over
// that of the best ranking.
func ndcgOverRelevant(s *scratch, j *Judged, m *Measure, out []float64) {
	dcg, best, sum := 0.0, 0.0, 0.0
	retrieved, all := 0, 0
	walkGains(s, j, m, func(rank int, gain, ideal float64) {
		dcg += gain / s.logs.Of(rank+2)
		best += ideal / s.logs.Of(rank+2)
		if ideal > 0 {
			all++
		}
		if gain > 0 {
			retrieved++
			sum += dcg / best
		}
	})
	if all == 0 {
		return
	}
	sum += float64(all-retrieved) * dcg / best
	if sum > 0 {
		out[0] = finite(sum / float64(all))
	}
}

// ndcgOverLevels is the mean of nDCG at the ranks after which the best ranking's gain
// falls, and at the ranking's end if it is two ranks or more after the last positive gain.
func ndcgOverLevels(s *scratch, j *Judged, m *Measure, out []float64) {
	if j.Relevant == 0 {
		return
	}
	dcg, best, sum := 0.0, 0.0, 0.0
	points := 0
	add := func() {
		if best > 0 {
			sum += dcg / best
			points++
		}
	}
	last := 0.0
	ended := -1 // the first rank without ideal gain
	walkGains(s, j, m, func(rank int, gain, ideal float64) {
		if ideal != last && ended < 0 {
			add()
			last = ideal
		}
		if ideal == 0 && ended < 0 {
			ended = rank
		}
		dcg += gain / s.logs.Of(rank+2)
		best += ideal / s.logs.Of(rank+2)
	})
	if ended < 0 || ended+1 < len(j.Grades) {
		add()
	}
	if points > 0 {
		out[0] = finite(sum / float64(points))
	}
}

// normalizedGain is trec_eval's G: the sum of gain / log2(2 + cost so far − gain so
// far), divided by the sum of the best ranking's gains. The cost of a rank is the best
// ranking's gain at that rank, but at least 1.
func normalizedGain(s *scratch, j *Judged, m *Measure, out []float64) {
	g, gained, cost, best := 0.0, 0.0, 0.0, 0.0
	walkGains(s, j, m, func(rank int, gain, ideal float64) {
		best += ideal
		gained += gain
		cost += max(ideal, 1)
		if gain != 0 {
			g += gain / s.logs.At(2+cost-gained)
		}
	})
	if best > 0 {
		out[0] = finite(g / best)
	}
}
