package trec

import "github.com/vantage-search/vantage/internal/wasm/logs"

// This file has the measures of the C/W/L framework (Moffat, Bailey, Scholer and
// Thomas, TOIS 35, 2017): a reader continues from rank i to the next with probability
// C(i). The measure is the expected gain per document read, Σ W(i)·gain(i), with W(i)
// proportional to the probability C(1)·…·C(i−1) that rank i is read and Σ W(i) = 1.
// Gains are grades scaled from [min_rel, max_rel] to [0, 1]; documents without a
// judgement have 0. As in cwl_eval (Azzopardi, Thomas and Moffat, SIGIR 2019), which
// ir_measures calls, the ranking has 1,000 ranks, and ranks beyond its end have no
// gain.

const cwlDepth = 1000

// reader is the state of a reader who has read the documents up to a rank.
type reader struct {
	rank   int
	gain   float64 // gain at rank
	gained float64 // sum of the gains up to rank
	own    float64 // the measure's parameter, T or p
}

// cwl is the measure of readers who continue with the probability that goesOn gives.
// They stop at the cutoff.
func cwl(goesOn func(r *reader) float64) func(*scratch, *Judged, *Measure, []float64) {
	return func(_ *scratch, j *Judged, m *Measure, out []float64) {
		least, most := m.params[1], m.params[2]
		r := reader{own: m.params[0]}
		reach, reached, sum := 1.0, 0.0, 0.0
		end := cwlDepth
		if m.cut != 0 {
			end = min(end, m.cut)
		}
		for r.rank = 1; r.rank <= end && reach > 0; r.rank++ {
			r.gain = 0
			if r.rank <= len(j.Grades) {
				r.gain = (min(max(float64(j.Grades[r.rank-1]), least), most) - least) / (most - least)
			}
			r.gained += r.gain
			reached += reach
			sum += float64(reach * r.gain)
			reach *= goesOn(&r)
		}
		out[0] = sum / reached
	}
}

// untilSatisfied is BPM, the static Bejeweled Player Model of Zhang et al. (SIGIR
// 2017): a reader stops after a total gain of T or after k documents.
func untilSatisfied(r *reader) float64 {
	if r.gained < r.own {
		return 1
	}
	return 0
}

// logarithmic is SDCG: DCG with the discount 1/log2(1 + rank), divided by the DCG of k
// documents of the greatest gain (Moffat, Bailey, Scholer and Thomas, ADCS 2015).
func logarithmic(r *reader) float64 {
	return logs.Log2(float64(r.rank+1)) / logs.Log2(float64(r.rank+2))
}

// patience is INSQ's probability to continue from rank i, ((i + 2T − 1) / (i + 2T))².
func patience(goal float64) float64 {
	chance := (goal - 1) / goal
	return chance * chance
}

// patient is INSQ (Moffat, Scholer and Thomas, ADCS 2012): a reader who wants a gain of
// T is more likely to continue at deeper ranks.
func patient(r *reader) float64 { return patience(float64(r.rank) + float64(2*r.own)) }

// adaptive is INST (Moffat, Bailey, Scholer and Thomas, ADCS 2015): INSQ with T plus
// the part of T that is still missing instead of 2T.
func adaptive(r *reader) float64 { return patience(float64(r.rank) + r.own + (r.own - r.gained)) }

// The next four are the nearly-ERR measures of Azzopardi, Mackenzie and Moffat (ICTIR
// 2021). A document satisfies a reader, who then stops, with a probability equal to its
// gain.

// cascade is NERR8 (their Eq. 8).
func cascade(r *reader) float64 { return 1 - r.gain }

// discountedCascade is NERR9 (their Eq. 9).
func discountedCascade(r *reader) float64 {
	return float64(r.rank) / float64(r.rank+1) * (1 - r.gain)
}

// rankBiasedCascade is NERR10 (their Eq. 10), with RBP's p.
func rankBiasedCascade(r *reader) float64 { return r.own * (1 - r.gain) }

// patientCascade is NERR11 (their Eq. 11), with INSQ's T.
func patientCascade(r *reader) float64 { return patient(r) * (1 - r.gain) }
