package accuracy

// Kendall is Kendall's τ between two rankings of the same items 0 … n−1, each without
// ties: 1 − 4·inversions/(n(n−1)). It is 1 for the same order, −1 for the opposite one,
// and 1 for fewer than two items.
func Kendall(a, b []int) float64 {
	n := len(a)
	if n < 2 {
		return 1
	}
	place := make([]int, n) // position of each item in b
	for i, item := range b {
		place[item] = i
	}
	order := make([]int, n) // positions in b, in a's order
	for i, item := range a {
		order[i] = place[item]
	}
	return 1 - 4*float64(inversions(order, make([]int, n)))/(float64(n)*float64(n-1))
}

// inversions counts the pairs of v that are out of order, by sorting it.
func inversions(v, spare []int) int {
	if len(v) < 2 {
		return 0
	}
	half := len(v) / 2
	count := inversions(v[:half], spare[:half]) + inversions(v[half:], spare[half:])
	i, j := 0, half
	for k := range spare {
		if j == len(v) || i < half && v[i] <= v[j] {
			spare[k] = v[i]
			i++
		} else {
			spare[k] = v[j]
			j++
			count += half - i
		}
	}
	copy(v, spare)
	return count
}

// overlap is the share of a's first k that are among b's first k.
func overlap(a, b []int, k int) float64 {
	k = min(k, len(a))
	held := map[int]bool{}
	for _, item := range b[:k] {
		held[item] = true
	}
	n := 0
	for _, item := range a[:k] {
		if held[item] {
			n++
		}
	}
	return float64(n) / float64(k)
}
