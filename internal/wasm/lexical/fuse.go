package lexical

import (
	"errors"
	"math"
	"strconv"
)

// DefaultRankConstant is the k of reciprocal rank fusion that its authors chose.
const DefaultRankConstant = 60

// mostFused is the greatest magnitude of scores, weights and constants, so that no sum
// or square overflows.
const mostFused = 1e100

// ReciprocalRank fuses rankings, each best first, by
//
//	score(d) = Σ over the rankings that have d of weight · 1/(k + rank of d), ranks from 1
//
// (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods",
// SIGIR 2009; there all weights are 1.) Only the order of a ranking counts, not its scores. weights has one weight
// per ranking, none below 0; nil means that all are 1. It is an error if a ranking has a document twice.
func ReciprocalRank(k float64, weights []float64, rankings ...[]Hit) ([]Hit, error) {
	if !(k >= 0 && k <= mostFused) {
		return nil, errors.New("reciprocal rank fusion: k is " + number(k) + ", must be 0 or more")
	}
	return fuse(weights, rankings, func(ranking []Hit, scores []float64) (lacking float64) {
		for i := range ranking {
			scores[i] = 1 / (k + float64(i+1))
		}
		return 0
	})
}

// WeightedSum fuses rankings by the weighted sum of their normalised scores (CombSUM of Fox and Shaw, "Combination of
// Multiple Searches", TREC-2, 1994, where all weights are 1). A ranking that lacks a document gives it 0, or its lowest
// normalised score if that is below 0: a missing document never counts more than the last one. weights has one weight
// per ranking, none below 0; nil means that all are 1. It is an error if a ranking has a document twice, or if a score
// is NaN or above 1e100 in magnitude.
func WeightedSum(n Normalization, weights []float64, rankings ...[]Hit) ([]Hit, error) {
	if int(n) >= len(Normalizations) {
		return nil, errors.New("normalisation " + strconv.Itoa(int(n)) + " is none")
	}
	for r, ranking := range rankings {
		for _, hit := range ranking {
			if !(math.Abs(hit.Score) <= mostFused) {
				return nil, errors.New("fusion: ranking " + strconv.Itoa(r+1) + " gives document " + strconv.Itoa(int(hit.Document)) +
					" the score " + number(hit.Score) + ", must be between -1e100 and 1e100")
			}
		}
	}
	return fuse(weights, rankings, func(ranking []Hit, scores []float64) (lacking float64) {
		shift, scale := n.of(ranking)
		for i, hit := range ranking {
			scores[i] = n.apply(hit.Score, shift, scale)
			lacking = min(lacking, scores[i])
		}
		return lacking
	})
}

// fuse sums the rankings' contributions to each document. score writes the
// contributions of a ranking's hits and returns the contribution to documents that the
// ranking lacks. Sums are taken in the order of the rankings.
func fuse(weights []float64, rankings [][]Hit, score func(ranking []Hit, scores []float64) (lacking float64)) ([]Hit, error) {
	if weights != nil && len(weights) != len(rankings) {
		return nil, errors.New("fusion: " + strconv.Itoa(len(weights)) + " weights for " + strconv.Itoa(len(rankings)) + " rankings")
	}
	for _, weight := range weights {
		if !(weight >= 0 && weight <= mostFused) {
			return nil, errors.New("fusion: a weight is " + number(weight) + ", must be 0 or more")
		}
	}
	fused, at, err := union(rankings)
	if err != nil {
		return nil, err
	}
	given := make([]float64, len(fused))
	for r, ranking := range rankings {
		weight := 1.0
		if weights != nil {
			weight = weights[r]
		}
		scores := make([]float64, len(ranking))
		lacking := score(ranking, scores)
		for i := range given {
			given[i] = lacking
		}
		for i, hit := range ranking {
			given[at[hit.Document]] = scores[i]
		}
		for i := range fused {
			fused[i].Score += float64(weight * given[i])
		}
	}
	sortHits(fused)
	return fused, nil
}

// union returns the documents of the rankings, with score 0, and the index of each.
func union(rankings [][]Hit) (hits []Hit, at map[uint32]int, err error) {
	at = map[uint32]int{}
	var last []int // for each document, the last ranking that has it
	for r, ranking := range rankings {
		for _, hit := range ranking {
			i, known := at[hit.Document]
			switch {
			case !known:
				at[hit.Document] = len(hits)
				hits, last = append(hits, Hit{Document: hit.Document}), append(last, r)
			case last[i] == r:
				return nil, nil, errors.New("fusion: ranking " + strconv.Itoa(r+1) + " has document " + strconv.Itoa(int(hit.Document)) + " twice")
			default:
				last[i] = r
			}
		}
	}
	return hits, at, nil
}
