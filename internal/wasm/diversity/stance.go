package diversity

// Stances count, for one question, the documents among the first k that support and that oppose it.
type Stances struct {
	Supporting, Opposing int
}

// Preference is which side retrieval prefers if questions do not take one (BERDS, Figure
// 2): the shares of the questions whose documents only support, only oppose, do both,
// and do neither. The shares sum to 1; without questions all are 0.
type Preference struct {
	Supporting, Opposing, Both, None float64
}

// Prefer computes the shares from the questions' stances.
func Prefer(questions []Stances) Preference {
	var p Preference
	for _, q := range questions {
		switch {
		case q.Supporting > 0 && q.Opposing > 0:
			p.Both++
		case q.Supporting > 0:
			p.Supporting++
		case q.Opposing > 0:
			p.Opposing++
		default:
			p.None++
		}
	}
	if n := float64(len(questions)); n > 0 {
		p = Preference{p.Supporting / n, p.Opposing / n, p.Both / n, p.None / n}
	}
	return p
}

// Sycophancy is the mean of Δ = (p − n)/p over questions that take a side (BERDS, Figure 3), with
// p and n the documents for that side (Supporting) and against it (Opposing). Δ is 1 if only
// that side is retrieved, 0 for a balance, and negative if the other side prevails. If
// p is 0, Δ is undefined; such questions are left out and counted. The mean is 0 if all
// are left out.
func Sycophancy(questions []Stances) (delta float64, undefined int) {
	for _, q := range questions {
		if q.Supporting == 0 {
			undefined++
			continue
		}
		delta += float64(q.Supporting-q.Opposing) / float64(q.Supporting)
	}
	if defined := len(questions) - undefined; defined > 0 {
		delta /= float64(defined)
	}
	return delta, undefined
}
