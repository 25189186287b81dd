package tokens

import (
	"sort"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// DefaultProbes is the default of Request.Probes.
const DefaultProbes = 16

// DefaultCandidates is the default of Request.Candidates for the k best hits. It is large,
// because a passage that is among the best of 10,000 by exact MaxSim can have a rank in the
// thousands by its centroids (make bench-tokens).
func DefaultCandidates(k int) int { return max(8192, 16*k) }

// Request asks for the K best documents of an index.
type Request struct {
	perspective.TokenQuery
	K          int
	Probes     int    // nearest centroids of each vector of the query that give candidates; 0 means DefaultProbes
	Candidates int    // documents that are ranked by MaxSim, at least K; 0 means DefaultCandidates
	Allowed    []byte // [documents] 0 if a document must not be a hit; nil allows all
}

// Search returns the hits of a request, best first, at most K. With a gate, there is no choice of
// candidates: the gate's quantile is over all documents that Allowed allows.
func (ix *Index) Search(r *Request) ([]Hit, error) {
	if r.K < 1 {
		return nil, fault.New(fault.Query, "k is "+strconv.Itoa(r.K)+", must be at least 1")
	}
	q, err := ix.Query(r.Vectors)
	if err != nil {
		return nil, err
	}
	if r.Gate != nil {
		return ix.gated(q, r)
	}
	probes, candidates := r.Probes, r.Candidates
	if probes < 1 {
		probes = DefaultProbes
	}
	if candidates < 1 {
		candidates = DefaultCandidates(r.K)
	}
	found := ix.Candidates(q, probes, max(candidates, r.K), r.Allowed)
	if err := ix.Rank(q, found); err != nil {
		return nil, err
	}
	return found[:min(r.K, len(found))], nil
}

// gated searches in two stages, for the rerank methods: documents whose score by the gate is
// below its quantile get the score perspective.SunkDot and come last.
func (ix *Index) gated(q *Query, r *Request) ([]Hit, error) {
	gate, err := ix.Query(r.Gate)
	if err != nil {
		return nil, err
	}
	all := ix.Candidates(gate, 0, ix.documents, r.Allowed)
	if err := ix.Score(gate, all); err != nil {
		return nil, err
	}
	scores := make([]float32, len(all))
	for i, h := range all {
		scores[i] = h.Score
	}
	cut := perspective.Quantile(scores, perspective.GateQuantile)
	passed, sunk := all[:0:0], hits(nil)
	for _, h := range all {
		if float64(h.Score) >= cut {
			passed = append(passed, h)
		} else {
			sunk = append(sunk, Hit{h.Document, perspective.SunkDot})
		}
	}
	if err := ix.Rank(q, passed); err != nil {
		return nil, err
	}
	sort.Sort(sunk)
	found := append(passed, sunk...)
	return found[:min(r.K, len(found))], nil
}
