package rerank

// RoundRobin merges ranked lists: the first of each list in the lists' order,
// then the second of each, and so on, until k are chosen or the lists end. A
// list that has ended is passed over.
//
// With distinct, what has been chosen before is skipped, and its list's turn
// with it, as the query expansion of BERDS is described (paper 003, §5: "take
// the top k unique documents from this list"). Without, repetitions stay, as
// its released code leaves them: fewer than k different documents come out.
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
