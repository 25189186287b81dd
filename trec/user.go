package trec

import (
	"math"
	"strconv"
)

// The measures of ir_measures that trec_eval has not, apart from those over subtopics: what a reader who goes down the
// ranking gains. They are asked for by their names there.

// others are the measures that all_trec leaves out.
var others = []*kind{
	{name: "Judged", value: judgedShare},
	{name: "RBP", syntax: coefficients, defaults: []float64{.8}, compute: rankBiasedPrecision},
	{name: "ERR", most: mostGrade, value: expectedReciprocalRank},
	{name: "nDCG-exp", most: 50, compute: ndcgExponential},
}

// check refuses judgements that a measure cannot be computed from.
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

// judgedShare is the share of the documents retrieved that were judged, with whatever grade.
func judgedShare(_ *scratch, j *Judged) float64 {
	return ratio(len(j.Grades)-j.unpooled, len(j.Grades))
}

// rankBiasedPrecision is RBP of Moffat and Zobel (TOIS 27, 2008): (1−p)·Σ p^(rank−1)·gain, p being the chance that a reader
// goes on to the next document. The gain is the grade or, if a least relevant grade was asked for, 1 from it on.
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

// mostGrade is the highest grade of the TREC Web tracks' scale, which the scripts of these tracks compute ERR on.
const mostGrade = 4

// expectedReciprocalRank is ERR of Chapelle et al. (CIKM 2009): the mean of 1/rank of the document that satisfies a reader,
// which one of a grade g does with the chance (2^g − 1)/2^4.
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

// ndcgExponential is nDCG with gains of 2^grade − 1 (Burges et al., ICML 2005), best and actual ranking cut alike.
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
