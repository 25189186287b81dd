package berds

import (
	"context"

	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// pair is a perspective, such as a claim, and a document that may contain it.
type pair struct{ perspective, document string }

// verdict is what a detector says of a pair.
type verdict struct {
	score float32 // higher if the document more surely contains the perspective
	// The most probable answers: a part of the document supports the perspective, and a part
	// opposes it. A long document may do both.
	supports, opposes bool
}

// detector judges whether documents contain perspectives. A document contains a
// perspective if it supports it (paper, §3 and Appendix A).
type detector interface {
	about() *DetectorInfo
	// judge returns a verdict for each pair. done is called with the number of pairs
	// that are judged.
	judge(ctx context.Context, pairs []pair, done func(pairs int)) ([]verdict, error)
	Close() error
}

// DetectorInfo describes a detector.
type DetectorInfo struct {
	Name  string `json:"name"`  // as it was asked for; for ChatName, the chat model's name
	Model string `json:"model"` // with its revision; for ChatName, how it was asked
	Score string `json:"score"` // what its scores are
	// Decides says that it answers yes or no, so that it needs no threshold.
	Decides bool `json:"decides"`
	// Opposes says that it can tell what opposes the perspective.
	Opposes bool `json:"opposes"`
	// ByPrompt says that a chat model gives the answers, which have no scores.
	ByPrompt bool `json:"by_prompt,omitempty"`

	identity any // all that its verdicts depend on
}

// said is the verdict on a document of several windows. A document contains what one of
// its windows contains, so its score is their highest, and a document that argues both ways
// supports the perspective as well as it opposes it.
type said struct {
	verdict
	any bool
}

// add adds a window with its score and its most probable side.
func (s *said) add(score float64, side stance.Side) {
	s.supports = s.supports || side == stance.For
	s.opposes = s.opposes || side == stance.Against
	if own := float32(score); !s.any || own > s.score {
		s.score = own
	}
	s.any = true
}

// contains says whether a verdict is that the document contains the perspective: by a
// threshold of its score, or without one by the most probable answer.
func contains(v verdict, threshold *float64) bool {
	if threshold != nil {
		return float64(v.score) >= *threshold
	}
	return v.supports
}
