package berds

import (
	"context"

	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// pair is a perspective, such as a claim, and a document that may contain it.
type pair struct{ perspective, document string }

// verdict is what a detector says of a pair.
type verdict struct {
	score float32     // higher if the document more surely contains the perspective
	side  stance.Side // the most probable: the document is for the perspective, neither, or against it
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
	// Decides says that its verdicts have a side, so that it needs no threshold.
	Decides bool `json:"decides"`
	// Opposes says that the side may be against the perspective.
	Opposes bool `json:"opposes"`
	// ByPrompt says that a chat model gives the answers, which have no scores.
	ByPrompt bool `json:"by_prompt,omitempty"`

	identity any // all that its verdicts depend on
}

// said is the verdict on a document of several windows. A document contains what one of
// its windows contains, so its score is their highest. Its side is that of the window
// that is most probably on a side, the first of several.
type said struct {
	verdict
	sure float64
	any  bool
}

// add adds a window with its score, its most probable side, and the probability of being
// on a side, whichever is more probable.
func (s *said) add(score float64, side stance.Side, sure float64) {
	if !s.any || sure > s.sure {
		s.side, s.sure = side, sure
	}
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
	return v.side == stance.For
}
