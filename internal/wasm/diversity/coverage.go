package diversity

// MRecall is MRecall@k: whether the first k documents contain all m perspectives, or, if m is greater than k, at least
// k of them. Any ranking covers a question without perspectives.
func MRecall(contained [][]int, m, k int) bool {
	return Covered(contained, m, k) >= min(m, max(k, 0))
}

// Covered counts the perspectives that the first k documents contain.
func Covered(contained [][]int, m, k int) int {
	seen := make([]bool, m)
	covered := 0
	for _, perspectives := range contained[:clip(k, len(contained))] {
		for _, p := range perspectives {
			if !seen[p] {
				seen[p] = true
				covered++
			}
		}
	}
	return covered
}

// Precision is Precision@k: the share of the first k documents that contain any
// perspective. A ranking with fewer than k documents counts as if documents without
// perspectives followed.
func Precision(contained [][]int, k int) float64 {
	if k <= 0 {
		return 0
	}
	holding := 0
	for _, perspectives := range contained[:clip(k, len(contained))] {
		if len(perspectives) > 0 {
			holding++
		}
	}
	return float64(holding) / float64(k)
}

// CoverageSize is the length of the shortest prefix that contains all m perspectives.
// It returns false if the ranking does not contain all.
func CoverageSize(contained [][]int, m int) (int, bool) {
	seen := make([]bool, m)
	missing := m
	for rank, perspectives := range contained {
		if missing == 0 {
			return rank, true
		}
		for _, p := range perspectives {
			if !seen[p] {
				seen[p] = true
				missing--
			}
		}
	}
	return len(contained), missing == 0
}

func clip(k, length int) int { return max(0, min(k, length)) }
