package rerank

// RoundRobin merges ranked lists: the first of each list in the lists' order, then the
// second of each, and so on, until k are chosen or the lists end. A list that has ended
// is skipped.
//
// With distinct, a document that was chosen before is skipped, and its list loses the
// turn, as in the description of BERDS' query expansion (Chen and Choi, 2024, §5: "take the top
// k unique documents from this list"). Without distinct, repetitions stay as in BERDS'
// released code, so there may be fewer than k distinct documents.
func RoundRobin(lists [][]uint32, k int, distinct bool) []uint32 {
	longest := 0
	for _, list := range lists {
		longest = max(longest, len(list))
	}
	var merged []uint32
	chosen := map[uint32]bool{}
	for rank := range longest {
		for _, list := range lists {
			if len(merged) >= k {
				return merged
			}
			if rank >= len(list) || distinct && chosen[list[rank]] {
				continue
			}
			chosen[list[rank]] = true
			merged = append(merged, list[rank])
		}
	}
	return merged
}
