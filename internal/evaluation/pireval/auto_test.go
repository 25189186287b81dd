package pireval

import (
	"context"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/perspective"
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

// Contrast has the strength of the encoder's tables, as in a search, or else its default. A choice
// has its own.
func TestStrength(t *testing.T) {
	tasks, _ := debates(t)
	task := &tasks[0]
	stance := slices.IndexFunc(task.Perspectives, func(p string) bool { return perspective.Stance(p) != 0 })
	one := func(n int) [][]float32 { return slices.Repeat([][]float32{{1}}, n) }
	for _, c := range []struct{ own, want float64 }{{0, 0.4}, {0.7, 0.7}} {
		method, err := VectorMethod("contrast")
		if err != nil {
			t.Fatal(err)
		}
		n := len(task.Queries)
		all := make([]float32, n)
		q := &queries{&Embedding{Dim: 1, Queries: all, Roots: all, Perspectives: all,
			Angles: &Angles{Queries: one(n), For: one(n), Against: one(n), Strength: c.own}}, task}
		got, err := q.query(stance, method)
		if err != nil || got.Vectors.Strength != c.want {
			t.Errorf("tables with %g: %+v, %v", c.own, got.Vectors, err)
		}
		got, err = q.query(stance, Chosen(perspective.Choice{Kind: perspective.KindStance, Method: "contrast", Strength: 0.2}))
		if err != nil || got.Vectors.Strength != 0.2 {
			t.Errorf("tables with %g, chosen with 0.2: %+v, %v", c.own, got.Vectors, err)
		}
	}
}
