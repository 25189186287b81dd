package trec

// The measures that know graded relevance, nDCG after Järvelin and Kekäläinen (TOIS 20, 2002) among them. A document's gain
// is its grade, or what the measure's parameters say for that grade.

// gain is what a document of a grade is worth.
type gain struct {
	grade int32
	value float64
	count int // documents judged to have the grade
}

// maxGap bounds the grades that setGains fills in.
const maxGap = 1000

// setGains lists the gains of a query in s.gains, the least first.
func setGains(s *scratch, j *Judged, m *Measure) {
	s.gains = append(s.gains[:0], m.gains...)
	next := int32(0)
	for _, l := range j.Levels {
		// Grades that no document has matter to the order of sortGains, and there only with gains of the caller's.
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

// sortGains is a merge sort that takes gains for equal which differ by less than one: so does trec_eval, whose comparison
// truncates the difference, and its figures depend on the order that follows from it.
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

// gainOf is the gain of a document of a grade.
func (s *scratch) gainOf(grade int32) float64 {
	for i := range s.gains {
		if s.gains[i].grade == grade {
			return s.gains[i].value
		}
	}
	return 0
}

// idealGains walks through the gains of the best ranking.
type idealGains struct {
	gains []gain
	used  int // documents of the last of gains
}

// current is the gain at the present rank, 0 or less from where the best ranking is worth no more.
func (w *idealGains) current() float64 {
	if len(w.gains) == 0 {
		return 0
	}
	return w.gains[len(w.gains)-1].value
}

// next moves on by a rank, and on the first call to the first.
func (w *idealGains) next() float64 {
	w.used++
	for len(w.gains) > 0 && w.used > w.gains[len(w.gains)-1].count {
		w.gains = w.gains[:len(w.gains)-1]
		w.used = 1
	}
	return w.current()
}

// walkGains calls, rank by rank, with the ranking's gain (0 behind its end) and the best ranking's (0 behind its last
// positive one), until both have ended.
func walkGains(s *scratch, j *Judged, m *Measure, at func(rank int, gain, ideal float64)) {
	setGains(s, j, m)
	best := idealGains{gains: s.gains}
	positive := best.current() > 0
	for rank := 0; rank < len(j.Grades) || positive; rank++ {
		g, ideal := 0.0, 0.0
		if rank < len(j.Grades) {
			g = s.gainOf(j.Grades[rank])
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

// ndcg is the discounted cumulated gain of the ranking over that of the best one, which ranks all judged documents.
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

// ndcgOverRelevant is the mean of nDCG at the ranks of documents with a positive gain; for those not retrieved it is the
// ranking's whole gain over that of the best ranking.
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

// ndcgOverLevels is the mean of nDCG at the ranks where the best ranking's gain falls, and at the ranking's end where that
// lies behind the last positive gain.
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

// normalizedGain is trec_eval's G: the sum of gain / log2(2 + cost so far − gain so far) over the sum of the best
// ranking's gains, where a rank costs the best ranking's gain there, and at least 1.
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
