package pgra

import "math"

// Measures say how well retrieved evidence agrees with the labels of the test rows.
type Measures struct {
	// Vote is the accuracy, or Matthews' correlation, if the guess is the most frequent label of
	// the evidence (the paper's k-NN).
	Vote float64 `json:"vote"`
	// Consistency is the mean share of the evidence that has the text's own label (§4.3).
	Consistency float64 `json:"label_consistency"`
	// Consistent[n] is the number of texts for which n texts of the evidence have their label, for
	// n from 0 to d (Figure 2).
	Consistent []int `json:"consistent"`
}

// measure measures the first d of every text's evidence.
func (s *Set) measure(evidence [][]hit, d int) Measures {
	m := Measures{Consistent: make([]int, d+1)}
	guesses := make([]int, len(s.Test))
	for i := range s.Test {
		own := evidence[i][:min(d, len(evidence[i]))]
		guesses[i] = s.vote(own)
		same := 0
		for _, e := range own {
			if s.Evidence[e.row].Label == s.Test[i].Label {
				same++
			}
		}
		m.Consistent[same]++
		if len(own) > 0 {
			m.Consistency += float64(same) / float64(len(own))
		}
	}
	m.Consistency /= float64(len(s.Test))
	m.Vote = s.score(guesses)
	return m
}

// vote returns the most frequent label of the evidence for a text. If several are, it is the one
// of the nearest text. If there is no evidence, it is the most frequent label of the set.
func (s *Set) vote(evidence []hit) int {
	if len(evidence) == 0 {
		return s.majority()
	}
	counts := make([]int, len(s.template.Labels))
	for _, e := range evidence {
		counts[s.Evidence[e.row].Label]++
	}
	best := s.Evidence[evidence[0].row].Label
	for _, e := range evidence {
		if label := s.Evidence[e.row].Label; counts[label] > counts[best] {
			best = label
		}
	}
	return best
}

// majority returns the most frequent label of the set's evidence, or the first of several.
func (s *Set) majority() int {
	counts := make([]int, len(s.template.Labels))
	for i := range s.Evidence {
		counts[s.Evidence[i].Label]++
	}
	best := 0
	for label, n := range counts {
		if n > counts[best] {
			best = label
		}
	}
	return best
}

// score measures guesses by the task's metric.
func (s *Set) score(guesses []int) float64 {
	labels := make([]int, len(s.Test))
	for i := range labels {
		labels[i] = s.Test[i].Label
	}
	if s.task.matthews {
		return Matthews(labels, guesses)
	}
	return Accuracy(labels, guesses)
}

// Accuracy is the share of guesses that equal their label, from 0 to 1.
func Accuracy(labels, guesses []int) float64 {
	right := 0
	for i, label := range labels {
		if guesses[i] == label {
			right++
		}
	}
	return float64(right) / float64(max(1, len(labels)))
}

// Matthews is Matthews' correlation coefficient of labels and guesses, from -1 to 1, for two or
// more classes (Gorodkin 2004; scikit-learn computes the same). If all labels or all guesses are
// equal, it is 0.
func Matthews(labels, guesses []int) float64 {
	type counts struct{ labels, guesses float64 }
	of := map[int]counts{}
	right, n := 0.0, float64(len(labels))
	for i, label := range labels {
		c := of[label]
		c.labels++
		of[label] = c
		c = of[guesses[i]]
		c.guesses++
		of[guesses[i]] = c
		if guesses[i] == label {
			right++
		}
	}
	// All sums are of integers, so their order does not matter.
	both, squaredLabels, squaredGuesses := 0.0, 0.0, 0.0
	for _, c := range of {
		both += c.labels * c.guesses
		squaredLabels += c.labels * c.labels
		squaredGuesses += c.guesses * c.guesses
	}
	spread := (n*n - squaredLabels) * (n*n - squaredGuesses)
	if spread == 0 {
		return 0
	}
	return (right*n - both) / math.Sqrt(spread)
}
