package trec

import "github.com/vantage-search/vantage/internal/wasm/logs"

// The measures over the whole ranking that know relevant and not relevant.

// leastGeometric is what the geometric means take in place of smaller values.
const leastGeometric = .00001

// averagePrecision is the mean over the relevant documents of the precision at their rank, 0 for those not retrieved.
func averagePrecision(_ *scratch, j *Judged) float64 {
	hits, sum := 0, 0.0
	for rank := range j.Grades {
		if j.IsRelevant(rank) {
			hits++
			sum += float64(hits) / float64(rank+1)
		}
	}
	if hits == 0 {
		return 0
	}
	return sum / float64(j.Relevant)
}

func logAveragePrecision(s *scratch, j *Judged) float64 {
	return logs.Log(max(averagePrecision(s, j), leastGeometric))
}

// rPrecision is the precision at rank R, the number of relevant documents.
func rPrecision(_ *scratch, j *Judged) float64 {
	hits := 0
	for rank := range min(j.Relevant, len(j.Grades)) {
		if j.IsRelevant(rank) {
			hits++
		}
	}
	return ratio(hits, j.Relevant)
}

func reciprocalRank(_ *scratch, j *Judged) float64 {
	for rank := range j.Grades {
		if j.IsRelevant(rank) {
			return 1 / float64(rank+1)
		}
	}
	return 0
}

// binaryPreference is bpref of Buckley and Voorhees (SIGIR 2004): of the pairs of a relevant document and one of the first
// R documents judged not relevant, the share that is ranked the right way round. Documents without judgement are skipped.
func binaryPreference(_ *scratch, j *Judged) float64 {
	sum := 0.0
	above := 0 // judged not relevant so far
	for rank, grade := range j.Grades {
		switch {
		case grade < 0:
		case !j.IsRelevant(rank):
			above++
		case above == 0:
			sum++
		default:
			sum += 1 - float64(min(above, j.Relevant))/float64(min(j.notRelevant(), j.Relevant))
		}
	}
	if j.Relevant == 0 {
		return 0
	}
	return sum / float64(j.Relevant)
}

func logBinaryPreference(s *scratch, j *Judged) float64 {
	return logs.Log(max(binaryPreference(s, j), leastGeometric))
}

// inferredAP is infAP of Yilmaz and Aslam (CIKM 2006): average precision estimated from a sample of the pool. At a
// relevant document of rank k, the precision above it is that among its judged documents (with ε added to either count),
// for the share of the ranks above that the pool covers.
func inferredAP(_ *scratch, j *Judged) float64 {
	const epsilon = .00001
	sum := 0.0
	relevant, other, unjudged := 0, 0, 0 // above the rank
	for rank, grade := range j.Grades {
		switch {
		case grade == Unpooled:
		case grade == Unjudged:
			unjudged++
		case !j.IsRelevant(rank):
			other++
		default:
			if rank == 0 {
				sum++
			} else {
				above := float64(rank)
				pooled := float64(relevant+other+unjudged) / above
				precise := (float64(relevant) + epsilon) / (float64(relevant+other) + 2*epsilon)
				sum += 1/(above+1) + float64(above/(above+1)*pooled*precise)
			}
			relevant++
		}
	}
	if j.Relevant == 0 {
		return 0
	}
	return sum / float64(j.Relevant)
}

// binaryG is the mean over the relevant documents of 1 / log2(2 + documents not relevant above).
func binaryG(s *scratch, j *Judged) float64 {
	hits, sum := 0, 0.0
	for rank := range j.Grades {
		if j.IsRelevant(rank) {
			hits++
			sum += 1 / s.logs.Of(3+rank-hits)
		}
	}
	if hits == 0 {
		return 0
	}
	return sum / float64(j.Relevant)
}
