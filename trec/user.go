package trec

import (
	"math"
	"strconv"
)

// This file has Judged, RBP, ERR and nDCG with exponential gains, measures of
// ir_measures that trec_eval lacks. The last three model the gain of a reader who goes
// down the ranking.

// others are the kinds of these measures.
var others = []*kind{
	{name: "Judged", value: judgedShare},
	{name: "RBP", syntax: coefficients, defaults: []float64{.8}, compute: rankBiasedPrecision},
	{name: "ERR", most: mostGrade, value: expectedReciprocalRank},
	{name: "nDCG-exp", most: 50, compute: ndcgExponential},
}

// check refuses judgements from which a measure cannot be computed.
func (q *Qrels) check(m *Measure) error {
	if m.kind.intents && !q.subtopics {
		return measureError(m.names[0], "it is over subtopics, and the judgements have none")
	}
	if m.kind.sided && !q.hasSubtopic(m.side) {
		return measureError(m.names[0], "no query has a subtopic "+quote([]byte(m.side)))
	}
	if m.kind.most == 0 {
		return nil
	}
	for _, id := range q.Queries() {
		levels := q.queries[id].levels
		if n := len(levels); n > 0 && levels[n-1].Grade > m.kind.most {
			return measureError(m.names[0], "it takes grades up to "+strconv.Itoa(int(m.kind.most))+", and query "+quote([]byte(id))+" has a greater one")
		}
	}
	return nil
}

// judgedShare is the share of the retrieved documents that are in the judgements, with any grade, even a negative one.
func judgedShare(_ *scratch, j *Judged) float64 {
	return ratio(len(j.Grades)-j.unpooled, len(j.Grades))
}

// rankBiasedPrecision is RBP of Moffat and Zobel (TOIS 27, 2008): (1−p)·Σ
// p^(rank−1)·gain, with p the probability that a reader continues to the next document.
// The gain is the grade. If the measure has a least relevant grade, or Options has one
// other than 1, the gain is 1 from that grade on and otherwise 0.
func rankBiasedPrecision(_ *scratch, j *Judged, m *Measure, out []float64) {
	p := m.params[0]
	sum, reached := 0.0, 1.0
	for rank, grade := range j.Grades {
		switch {
		case grade <= 0:
		case m.level == 0 && j.Level == 1:
			sum += float64(reached * float64(grade))
		case j.IsRelevant(rank):
			sum += reached
		}
		reached *= p
	}
	out[0] = (1 - p) * sum
}

// mostGrade is the highest grade of the TREC Web tracks' scale, for which their scripts
// compute ERR.
const mostGrade = 4

// expectedReciprocalRank is ERR of Chapelle et al. (CIKM 2009): the expected 1/rank of
// the document that satisfies a reader. A document of grade g does so with probability
// (2^g − 1)/2^4.
func expectedReciprocalRank(_ *scratch, j *Judged) float64 {
	sum, reached := 0.0, 1.0
	for rank, grade := range j.Grades {
		if grade > 0 {
			satisfied := (math.Ldexp(1, int(grade)) - 1) / (1 << mostGrade)
			sum += reached * satisfied / float64(rank+1)
			reached *= 1 - satisfied
		}
	}
	return sum
}

// ndcgExponential is nDCG with gains of 2^grade − 1 (Burges et al., ICML 2005). The
// actual and the best ranking are cut at the same rank.
func ndcgExponential(s *scratch, j *Judged, m *Measure, out []float64) {
	dcg, best := 0.0, 0.0
	for rank, grade := range j.Grades {
		if grade > 0 {
			dcg += (math.Ldexp(1, int(grade)) - 1) / s.logs.Of(rank+2)
		}
	}
	rank := 0
	for l := len(j.Levels) - 1; l >= 0 && j.Levels[l].Grade > 0; l-- {
		for range j.Levels[l].Count {
			if m.cut == 0 || rank < m.cut {
				best += (math.Ldexp(1, int(j.Levels[l].Grade)) - 1) / s.logs.Of(rank+2)
			}
			rank++
		}
	}
	if best > 0 {
		out[0] = dcg / best
	}
}
