package mvrag

import (
	"context"
	"errors"

	"github.com/vantage-search/vantage/internal/chat"
)

// DefaultThreshold is the default of θ: a perspective whose score is at most θ has no
// weight. The paper does not give its own.
const DefaultThreshold = 0.5

// Views says how a query is read from the perspectives of a domain.
type Views interface {
	// Weigh scores how much each perspective of the domain, in its order, matters for a
	// query, from 0 to 1.
	Weigh(ctx context.Context, query string) ([]float64, error)
	// Rewrite returns the query as it is asked from the perspective with an index.
	Rewrite(ctx context.Context, query string, perspective int) (string, error)
}

// Vector is the perspective vector of scores (Eq. 1): a score that is not above θ becomes 0.
func Vector(scores []float64, threshold float64) []float64 {
	weights := make([]float64, len(scores))
	for i, s := range scores {
		if s > threshold {
			weights[i] = s
		}
	}
	return weights
}

// View is a perspective with the query that is asked from it.
type View struct {
	Perspective int     // index in the domain, or Plain
	Weight      float64 // above 0
	Query       string
}

// Plain is the index of no perspective: the query is asked as it is.
const Plain = -1

// Reading is how a query is asked.
type Reading struct {
	Scores  []float64 // of the domain's perspectives; nil if the scores were refused
	Views   []View    // in the order of the domain; at least one
	Refused int       // replies of the chat model that were refused, even after a repair
}

// Read weighs the perspectives and rewrites the query for those with a weight. See Weigh
// and Rewrite.
func Read(ctx context.Context, v Views, query string, threshold float64) (*Reading, error) {
	r, err := Weigh(ctx, v, query)
	if err != nil {
		return nil, err
	}
	return r, r.Rewrite(ctx, v, query, threshold)
}

// Weigh begins a reading with the scores of the perspectives. If the reply is refused, no
// perspective has a weight. Errors are those of v, save *chat.ReplyError.
func Weigh(ctx context.Context, v Views, query string) (*Reading, error) {
	r := &Reading{}
	var err error
	r.Scores, err = v.Weigh(ctx, query)
	return r, r.refused(err)
}

// Rewrite rewrites the query for each perspective whose score is above the threshold. If
// the reply is refused, the perspective has no weight. If no perspective has one, which the
// paper leaves open, the query is asked as it is, with weight 1. Errors are those of v, save
// *chat.ReplyError.
func (r *Reading) Rewrite(ctx context.Context, v Views, query string, threshold float64) error {
	r.Views = nil
	for i, weight := range Vector(r.Scores, threshold) {
		if weight == 0 {
			continue
		}
		text, err := v.Rewrite(ctx, query, i)
		if err == nil {
			r.Views = append(r.Views, View{i, weight, text})
		} else if err := r.refused(err); err != nil {
			return err
		}
	}
	r.Views = orPlain(r.Views, query)
	return nil
}

// refused counts a refused reply, and returns other errors.
func (r *Reading) refused(err error) error {
	if _, ok := errors.AsType[*chat.ReplyError](err); !ok {
		return err
	}
	r.Refused++
	return nil
}

// Without are the views of a reading without one perspective (Section 4.4), as if its
// weight were 0. query is the one that was read.
func (r *Reading) Without(perspective int, query string) []View {
	var rest []View
	for _, v := range r.Views {
		if v.Perspective != perspective {
			rest = append(rest, v)
		}
	}
	return orPlain(rest, query)
}

func orPlain(views []View, query string) []View {
	if len(views) == 0 {
		return []View{{Plain, 1, query}}
	}
	return views
}
