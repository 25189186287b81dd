package berds

import "github.com/vantage-search/vantage/internal/wasm/diversity"

// Figures are measures of one kind of ranking: means over the questions, by k.
type Figures struct {
	MRecall   map[int]float64 `json:"mrecall"`
	Precision map[int]float64 `json:"precision"`
}

// The paper's cut-offs: MRecall@5 and Precision@5 (Table 3), the same at 10 (Table 17), and
// Precision@1. depth is the 100 documents that the paper retrieves (Tables 5 and 6) and
// reranks (Appendix B.6).
var (
	recallCutoffs    = []int{5, 10}
	precisionCutoffs = []int{1, 5, 10}
)

const (
	tuned   = 5   // k for the choice of λ, and for leaning
	deepest = 10  // length of a reranked or merged ranking
	depth   = 100 // documents retrieved per query
)

// Lambdas is the grid of MMR's λ (paper, §5, footnote 5).
var Lambdas = []float64{0.5, 0.75, 0.9, 0.95, 0.99}

// judged is a ranking in the form that internal/wasm/diversity takes: the perspectives
// of the document at each rank. perspectives is the number of those of the claim.
type judged struct {
	perspectives int
	documents    [][]int
}

// judge looks up the perspectives of the documents in a claim's ranking.
func judge(c *Claim, ranking []uint32) judged {
	contained := map[uint32][]int{}
	for side, documents := range c.Documents {
		for _, d := range documents {
			contained[d] = append(contained[d], side)
		}
	}
	out := make([][]int, len(ranking))
	for rank, d := range ranking {
		out[rank] = contained[d]
	}
	return judged{len(c.Documents), out}
}

// measure computes the means over rankings.
func measure(rankings []judged) Figures {
	f := Figures{MRecall: map[int]float64{}, Precision: map[int]float64{}}
	for _, k := range recallCutoffs {
		covered := 0
		for _, r := range rankings {
			if diversity.MRecall(r.documents, r.perspectives, k) {
				covered++
			}
		}
		f.MRecall[k] = ratio(covered, len(rankings))
	}
	for _, k := range precisionCutoffs {
		sum := 0.0
		for _, r := range rankings {
			sum += diversity.Precision(r.documents, k)
		}
		if len(rankings) > 0 {
			sum /= float64(len(rankings))
		}
		f.Precision[k] = sum
	}
	return f
}

// Coverage is how much of a ranking covers all perspectives (paper, Table 5).
type Coverage struct {
	Covered int      `json:"covered"` // questions whose top 100 contain all perspectives
	Share   float64  `json:"share"`   // Covered / questions: MRecall@100
	Size    *float64 `json:"size"`    // mean length of the shortest prefix with all perspectives, over the covered questions; null if Covered is 0
}

func cover(rankings []judged) Coverage {
	var c Coverage
	total := 0
	for _, r := range rankings {
		if size, all := diversity.CoverageSize(r.documents, r.perspectives); all {
			c.Covered++
			total += size
		}
	}
	c.Share = ratio(c.Covered, len(rankings))
	if c.Covered > 0 {
		size := ratio(total, c.Covered)
		c.Size = &size
	}
	return c
}

// Preference says for how many of the questions with two perspectives, as a share, the top
// 5 contain documents of each side (paper, Figure 2).
type Preference struct {
	Supporting float64 `json:"supporting"` // supporting documents only
	Opposing   float64 `json:"opposing"`
	Both       float64 `json:"both"`
	None       float64 `json:"none"`
}

// Leaning is how much a retriever prefers the supporting side (paper, Figure 3): p and
// n are the shares of supporting and opposing documents among the top 5. It is measured on
// the questions with two perspectives.
type Leaning struct {
	Supporting float64  `json:"supporting"` // p, mean over these questions
	Opposing   float64  `json:"opposing"`   // n, mean over these questions
	Delta      *float64 `json:"delta"`      // (p − n)/p; null if p is 0
	// MeanDelta is the mean of each question's Δ. Undefined counts the questions with p
	// = 0, which the mean leaves out.
	MeanDelta *float64 `json:"mean_delta"`
	Undefined int      `json:"undefined"`
}

// stances counts the sides in the top 5 of each ranking of a claim with two perspectives.
func stances(rankings []judged) (out []diversity.Stances) {
	for _, r := range rankings {
		if r.perspectives != Perspectives {
			continue
		}
		var s diversity.Stances
		for _, perspectives := range r.documents[:min(tuned, len(r.documents))] {
			for _, p := range perspectives {
				if p == Support {
					s.Supporting++
				} else {
					s.Opposing++
				}
			}
		}
		out = append(out, s)
	}
	return out
}

func prefer(rankings []judged) Preference { return Preference(diversity.Prefer(stances(rankings))) }

func lean(rankings []judged) Leaning {
	counted := stances(rankings)
	supporting, opposing := 0, 0
	for _, s := range counted {
		supporting += s.Supporting
		opposing += s.Opposing
	}
	retrieved := tuned * len(counted)
	l := Leaning{Supporting: ratio(supporting, retrieved), Opposing: ratio(opposing, retrieved)}
	if supporting > 0 {
		delta := ratio(supporting-opposing, supporting)
		l.Delta = &delta
	}
	mean, undefined := diversity.Sycophancy(counted)
	l.Undefined = undefined
	if undefined < len(counted) {
		l.MeanDelta = &mean
	}
	return l
}
