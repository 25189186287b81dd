package pireval

import (
	"context"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
)

// angled gives each text an angle of one component, and notes the role it was given in.
type angled struct {
	encoder.Encoder
	roles map[encoder.Role][]string
}

func (a angled) AngleDim() int { return 1 }

func (a angled) Tables() (map[string][]float64, map[string][]string) { return nil, nil }

func (a angled) EncodeAngles(_ context.Context, texts []string, o encoder.Options) ([][]float32, error) {
	a.roles[o.Role] = append(a.roles[o.Role], texts...)
	return slices.Repeat([][]float32{{1}}, len(texts)), nil
}

// Angles are encoded in the roles of their texts, as vectors are: a model may have a prompt
// for each.
func TestAnglesHaveRoles(t *testing.T) {
	tasks, _ := debates(t)
	task, a := &tasks[0], angled{roles: map[encoder.Role][]string{}}
	if err := (Encoded{Encoder: a}).embedAngles(t.Context(), task, &Embedding{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.roles[encoder.Document], task.Corpus) || !slices.Equal(a.roles[encoder.Query], task.Queries) || len(a.roles) != 2 {
		t.Errorf("%d texts as documents, %d as queries, in %d roles", len(a.roles[encoder.Document]), len(a.roles[encoder.Query]), len(a.roles))
	}
}
