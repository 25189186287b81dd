package mvrag

import "context"

// Static reads queries without a chat model: every perspective weighs 1, and the query is
// joined with the perspective's name and description.
type Static struct{ Domain *Domain }

// Weigh implements Views.
func (s Static) Weigh(context.Context, string) ([]float64, error) {
	scores := make([]float64, len(s.Domain.Perspectives))
	for i := range scores {
		scores[i] = 1
	}
	return scores, nil
}

// Rewrite implements Views.
func (s Static) Rewrite(_ context.Context, query string, perspective int) (string, error) {
	p := s.Domain.Perspectives[perspective]
	return query + " " + p.Name + ": " + p.Description, nil
}
