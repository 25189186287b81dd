package trec

import "github.com/vantage-search/vantage/internal/wasm/logs"

// This file has the measures over the whole ranking with binary relevance.

// leastGeometric replaces smaller values in geometric means.
const leastGeometric = .00001

// averagePrecision is the mean, over the relevant documents, of the precision at their
// rank. A document that was not retrieved counts 0.
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

// binaryPreference is bpref of Buckley and Voorhees (SIGIR 2004): the share of pairs in
// the right order, over pairs of a relevant document and one of the first R documents
// judged not relevant. Documents without a judgement are skipped.
func binaryPreference(_ *scratch, j *Judged) float64 {
	sum := 0.0
	above := 0 // judged not relevant so far
	least := min(j.notRelevant(), j.Relevant)
	for rank, grade := range j.Grades {
		switch {
		case grade < 0:
		case !j.IsRelevant(rank):
			above++
		case above == 0:
			sum++
		default:
			sum += 1 - float64(min(above, j.Relevant))/float64(least)
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

// inferredAP is infAP of Yilmaz and Aslam (CIKM 2006): average precision estimated from
// a judged sample of the pool. At a relevant document, the precision of the ranks above
// is estimated as the share of these ranks that the pool covers, times the precision
// among the judged documents there (with ε added to both counts).
func inferredAP(_ *scratch, j *Judged) float64 {
	const epsilon = .00001
	sum := 0.0
	relevant, other, unjudged := 0, 0, 0 // counts above the rank
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

// binaryG is the mean, over the relevant documents, of 1 / log2(2 + number of documents
// above that are not relevant).
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
