package metrics

// LabelShare is one label's share of what root queries retrieve. A label is, for
// example, a perspective or a location.
type LabelShare struct {
	Label     string
	Queries   float64 // share of the queries with a hit whose hits include the label; these shares can sum to more than 1
	Documents float64 // share of all hit documents that have the label; these sum to 1; to compare with the paper's Table 3
}

// Bias is the analysis of the paper's Table 3: hits[i] has the labels of the gold
// documents among the first k that root query i retrieved, one per document. Bias
// returns the labels in the order in which they first appear, and the number of queries
// with a hit, of which LabelShare.Queries is a share. The caller must leave out documents without a
// label, such as those with an unknown location.
func Bias(hits [][]string) (shares []LabelShare, queries int) {
	at := make(map[string]int)
	last := []int{} // the last query that each label was counted for
	documents := 0
	for i, labels := range hits {
		if len(labels) == 0 {
			continue
		}
		queries++
		for _, label := range labels {
			l, known := at[label]
			if !known {
				l = len(shares)
				at[label] = l
				shares = append(shares, LabelShare{Label: label})
				last = append(last, -1)
			}
			documents++
			shares[l].Documents++
			if last[l] != i {
				last[l] = i
				shares[l].Queries++
			}
		}
	}
	for l := range shares {
		shares[l].Queries /= float64(queries)
		shares[l].Documents /= float64(documents)
	}
	return shares, queries
}
