package pireval

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// autoMethod ranks like a search that names no method: the kind of a query's perspective chooses
// the method from the encoder's table, or from the default one.
var autoMethod = Method{Name: perspective.Auto, Short: perspective.Auto}

// Angles are the second vectors of a task's texts.
type Angles struct {
	Corpus  [][]float32
	Queries [][]float32
	// For and Against are the angles of each root, asked for one side and for the other;
	// nil if the encoder has no wordings for that.
	For, Against [][]float32
	Choices      perspective.Choices // the encoder's
	Strength     float64             // β of the encoder's tables; 0: none
}

// embedAngles adds the angles of a task's texts, if the encoder can give texts angles and
// encodes the queries, too.
func (e Encoded) embedAngles(ctx context.Context, task *pir.Task, out *Embedding) error {
	model, ok := e.Encoder.(encoder.AngleEncoder)
	if !ok || model.AngleDim() == 0 || e.Queries != nil && e.Queries != e.Encoder {
		return nil
	}
	numbers, texts := model.Tables()
	a := &Angles{}
	if own := numbers["contrast"]; len(own) == 1 {
		a.Strength = own[0]
	}
	var err error
	if a.Choices, err = perspective.ParseChoices(texts[perspective.AutoTable]); err != nil {
		return err
	}
	type list struct {
		role  encoder.Role
		texts []string
		into  *[][]float32
		query func(text string) string
	}
	asIs := func(text string) string { return text }
	lists := []list{{encoder.Document, task.Corpus, &a.Corpus, asIs}, {encoder.Query, task.Queries, &a.Queries, asIs}}
	if len(texts[search.For]) > 0 && len(texts[search.Against]) > 0 {
		lists = append(lists,
			list{encoder.Query, task.Roots, &a.For, func(root string) string { return claim.Asking(texts, stance.For, root) }},
			list{encoder.Query, task.Roots, &a.Against, func(root string) string { return claim.Asking(texts, stance.Against, root) }})
	}
	for _, l := range lists {
		for at := 0; at < len(l.texts); at += batchTexts {
			batch := make([]string, min(batchTexts, len(l.texts)-at))
			for i := range batch {
				batch[i] = l.query(l.texts[at+i])
			}
			angles, err := model.EncodeAngles(ctx, batch, encoder.Options{Role: l.role})
			if err != nil {
				return err
			}
			*l.into = append(*l.into, angles...)
		}
	}
	out.Angles = a
	return nil
}

// KindOf returns the kind of a query's perspective. If the perspective only repeats the query,
// it has no wording of its own, and the kind is none.
func KindOf(task *pir.Task, i int) perspective.Kind {
	if task.Perspectives[i] == task.Queries[i] {
		return perspective.KindNone
	}
	return perspective.KindOf(task.Perspectives[i])
}

// choose returns the choice of Auto for a query.
func (v *queries) choose(i int) Method {
	choices := perspective.DefaultChoices()
	if v.Angles != nil && len(v.Angles.Choices) > 0 {
		choices = v.Angles.Choices
	}
	c := choices.Choose(KindOf(v.task, i), true, func(m perspective.Method) bool {
		return m.Angles == 0 || v.Angles != nil && (m.Angles < 2 || v.Angles.For != nil && perspective.Stance(v.task.Perspectives[i]) != 0)
	})
	return Chosen(c)
}

// Chosen returns the method of a choice.
func Chosen(c perspective.Choice) Method {
	m, err := perspective.Lookup(c.Method)
	if err != nil {
		panic(err) // choices were parsed
	}
	method := methodOf(m)
	method.Name, method.Lambda, method.Strength, method.chosen = c.String(), c.Lambda(), c.Strength, true
	if c.Hybrid {
		method.hybrid = search.ChosenHybrid(c)
	}
	return method
}

// angles returns the angles that a method needs for a query.
func (v *queries) angles(i int, method Method) ([][]float32, error) {
	if v.Angles == nil {
		return nil, fmt.Errorf("method %s needs an encoder that tells sides apart, and this one has no angles: %w", method.Name, ErrUnanswerable)
	}
	if method.angles == 1 {
		return [][]float32{v.Angles.Queries[i]}, nil
	}
	side := perspective.Stance(v.task.Perspectives[i])
	switch {
	case v.Angles.For == nil:
		return nil, fmt.Errorf("the encoder has no wordings of for and against: %w", ErrUnanswerable)
	case side > 0:
		return [][]float32{v.Angles.For[i], v.Angles.Against[i]}, nil
	case side < 0:
		return [][]float32{v.Angles.Against[i], v.Angles.For[i]}, nil
	}
	return nil, fmt.Errorf("the query names no side: %w", ErrUnanswerable)
}
