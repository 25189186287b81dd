package search

import (
	"context"
	"errors"
	"strings"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// The names of the sides in the tables of an encoder (encoder.AngleEncoder) and in a
// Result.
const (
	For     = "for"
	Against = "against"
)

// checkAngles refuses a query that names a method with angles, if there are none.
func (q *Query) checkAngles(have bool) error {
	if m, err := perspective.Lookup(q.Method); err == nil && m.Angles > 0 && !have {
		return fault.Errorf(fault.Query, "method %s needs the angles of passages, and the collection has none: use another method, or index it with an encoder that tells sides apart", m.Short())
	}
	return nil
}

// fillAngles gives a request the angles and the strength that its method needs.
func (in *instance) fillAngles(ctx context.Context, q *Query, result *Result, out *perspective.Query) error {
	m, err := perspective.Lookup(out.Method)
	if err != nil || m.Angles == 0 {
		return nil // Compile reports an unknown method
	}
	out.Strength = in.strength(m)
	if q.Strength != nil {
		out.Strength = *q.Strength
	}
	result.Strength = float32(out.Strength)
	wanted := []Text{{Text: q.Query.Text}}
	if m.Angles == 2 {
		if wanted, err = in.opposites(q, result); err != nil {
			return err
		}
	}
	out.Angles = make([][]float32, len(wanted))
	var texts []string
	var encoded []int
	for i, text := range wanted {
		switch {
		case text.Vector != nil:
			out.Angles[i] = text.Vector
		case text.Text == "":
			return fault.Errorf(fault.Query, "method %s needs the text of the query: the angle cannot be read from a vector", m.Short())
		default:
			texts, encoded = append(texts, text.Text), append(encoded, i)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	found, err := in.angles(ctx, texts, encoder.Query)
	if err != nil {
		return err
	}
	for i, at := range encoded {
		out.Angles[at] = found[i]
	}
	return nil
}

// strength returns the default strength of a method: the encoder's, if its tables have a
// number under the method's name, or else the method's own.
func (in *instance) strength(m perspective.Method) float64 {
	if e, ok := in.encoder.(encoder.AngleEncoder); ok {
		numbers, _ := e.Tables()
		if own := numbers[m.Name]; len(own) == 1 {
			return own[0]
		}
	}
	return m.Strength
}

// angles encodes texts as angles.
func (in *instance) angles(ctx context.Context, texts []string, role encoder.Role) ([][]float32, error) {
	e, err := in.angleEncoder()
	if err != nil {
		return nil, err
	}
	return e.EncodeAngles(ctx, texts, encoder.Options{Role: role})
}

// angleEncoder returns the encoder, if it can give texts angles. Otherwise the error says why not.
func (in *instance) angleEncoder() (encoder.AngleEncoder, error) {
	e, ok := in.encoder.(encoder.AngleEncoder)
	switch {
	case in.encoder == nil:
		return nil, in.noEncoder()
	case !ok || e.AngleDim() == 0:
		return nil, fault.Errorf(fault.Query, "the encoder %s cannot tell sides apart: use another method, or an encoder whose pack has a branch", in.encoder.Info().ID)
	}
	return e, nil
}

// opposites returns the two texts that contrast compares, or their angles.
func (in *instance) opposites(q *Query, result *Result) ([]Text, error) {
	if q.Opposites == nil {
		return in.sides(q, result)
	}
	texts := []Text{q.Opposites.Wanted, q.Opposites.Other}
	for i := range texts {
		switch {
		case texts[i].Vector != nil:
			continue
		case texts[i].Text == "":
			return nil, fault.New(fault.Query, "method contrast compares two opposites, and one of them is empty: give both wordings, or neither")
		case !q.hasRootText():
			return nil, errNoRoot
		}
		texts[i].Text += q.Root.Text
	}
	return texts, nil
}

// hasRootText reports whether the root has a text that is not blank.
func (q *Query) hasRootText() bool { return q.Root != nil && strings.TrimSpace(q.Root.Text) != "" }

var errNoRoot = fault.New(fault.Query, "method contrast asks the root for each of two opposite sides, and the query has no text of its root: give the root as a text, or the opposites as vectors")

// sides returns the queries for and against the root, in the encoder's wordings. The side that
// the query asks for comes first.
func (in *instance) sides(q *Query, result *Result) ([]Text, error) {
	e, err := in.angleEncoder()
	if err != nil {
		return nil, err
	}
	_, texts := e.Tables()
	if len(texts[For]) == 0 || len(texts[Against]) == 0 {
		return nil, fault.Errorf(fault.Query, "the encoder %s has no wordings of for and against: name two opposites", in.encoder.Info().ID)
	}
	side, err := in.stance(q)
	if err != nil {
		return nil, err
	}
	wanted, other := stance.For, stance.Against
	switch side {
	case 0:
		return nil, fault.New(fault.Query, "method contrast asks for a side, and the query names none, or several: say that a claim supports or opposes the root, name two opposites, or use method aspect")
	case -1:
		wanted, other = stance.Against, stance.For
	}
	result.Side = wanted.String()
	if !q.hasRootText() {
		return nil, errNoRoot
	}
	return []Text{{Text: claim.Asking(texts, wanted, q.Root.Text)}, {Text: claim.Asking(texts, other, q.Root.Text)}}, nil
}

// stance returns the side that the perspectives ask for, or, without perspectives, the side that
// the query asks for: 1 (for) or -1 (against). It is 0 if they do not all name the same side.
func (in *instance) stance(q *Query) (int, error) {
	if q.reading != (perspective.Reading{}) {
		return q.reading.Side, nil
	}
	if len(q.Perspectives) == 0 {
		r, err := in.read(q.Query.Text)
		return r.Side, err
	}
	var found int
	for i, text := range q.Perspectives {
		side, err := in.core.Stance(text.Text)
		if err != nil || i > 0 && side != found {
			return 0, err
		}
		found = side
	}
	return found, nil
}

// loadAngles reads the angles of the rows, when a query first needs them. If it fails, the
// next query continues with the file that is missing.
func (c *Collection) loadAngles(ctx context.Context, in *instance, r *ranking.Request) error {
	if len(r.Angles) == 0 {
		return nil
	}
	select {
	case in.readingAngles <- struct{}{}:
		defer func() { <-in.readingAngles }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, f := range c.store.Manifest().Angles.Files[in.anglesRead:] {
		content, err := c.read(ctx, f.File)
		if err != nil {
			return &noAngles{err}
		}
		if err := in.index.LoadAngles(f.FirstRow, content); err != nil {
			return &noAngles{&FileError{f.Path, err}}
		}
		in.anglesRead++
	}
	c.askedRoots.used.Store(true)
	return nil
}

// addAngles encodes the angles of texts that are to be reranked, and adds them to their rows.
func (in *instance) addAngles(ctx context.Context, ix Index, texts []string, rows []int) error {
	found, err := in.angles(ctx, texts, encoder.Document)
	if err != nil {
		return err
	}
	if len(found) != len(rows) {
		return errors.New("the encoder gave a wrong number of angles")
	}
	for i, row := range rows {
		if err := ix.AddAngle(row, found[i]); err != nil {
			return err
		}
	}
	return nil
}
