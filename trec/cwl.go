package trec

import "github.com/vantage-search/vantage/internal/wasm/logs"

// Measures of the C/W/L framework (Moffat, Bailey, Scholer and Thomas, TOIS 35, 2017): a reader goes from rank i on to
// the next with a chance C(i). The measure is the mean gain of the documents that are read, Σ W(i)·gain(i), with W(i)
// proportional to the chance C(1)·…·C(i−1) that rank i is read and Σ W(i) = 1. Gains are grades on the scale from min_rel
// to max_rel, 0 to 1; documents without a judgement have 0. As in cwl_eval (Azzopardi, Thomas and Moffat, SIGIR 2019),
// which ir_measures calls, the ranking has 1,000 ranks, those behind its end being worth nothing.

const cwlDepth = 1000

// reader is the state of a reader who has read the documents up to a rank, counted from 1.
type reader struct {
	rank   int
	gain   float64 // of the document there
	gained float64 // up to there
	own    float64 // the measure's own parameter, T or p
}

// cwl is the measure of readers who go on with the chance that goesOn says; behind the cutoff they do not.
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

// untilSatisfied is BPM, the static Bejeweled Player Model of Zhang et al. (SIGIR 2017): until T was gained or k documents read.
func untilSatisfied(r *reader) float64 {
	if r.gained < r.own {
		return 1
	}
	return 0
}

// logarithmic is SDCG: nDCG's discount 1/log2(1 + rank), over what k documents of the greatest gain would give
// (Moffat, Bailey, Scholer and Thomas, ADCS 2015).
func logarithmic(r *reader) float64 {
	return logs.Log2(float64(r.rank+1)) / logs.Log2(float64(r.rank+2))
}

// patience is INSQ's chance to go on from rank i, ((i + 2T − 1) / (i + 2T))².
func patience(goal float64) float64 {
	chance := (goal - 1) / goal
	return chance * chance
}

// patient is INSQ (Moffat, Scholer and Thomas, ADCS 2012): who wants T goes on the sooner the deeper they are.
func patient(r *reader) float64 { return patience(float64(r.rank) + float64(2*r.own)) }

// adaptive is INST (Moffat, Bailey, Scholer and Thomas, ADCS 2015): INSQ with what is still wanted of T.
func adaptive(r *reader) float64 { return patience(float64(r.rank) + r.own + (r.own - r.gained)) }

// The nearly-ERR measures of Azzopardi, Mackenzie and Moffat (ICTIR 2021): readers stop with the chance that a document
// satisfies them, which is its gain.

// cascade is NERR8, their Eq. 8.
func cascade(r *reader) float64 { return 1 - r.gain }

// discountedCascade is NERR9, their Eq. 9.
func discountedCascade(r *reader) float64 {
	return float64(r.rank) / float64(r.rank+1) * (1 - r.gain)
}

// rankBiasedCascade is NERR10, their Eq. 10: with RBP's p.
func rankBiasedCascade(r *reader) float64 { return r.own * (1 - r.gain) }

// patientCascade is NERR11, their Eq. 11: with INSQ's T.
func patientCascade(r *reader) float64 { return patient(r) * (1 - r.gain) }
