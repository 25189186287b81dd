package search

import (
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// MethodAuto is the name of the default ranking, which "" asks for, too: for each kind of
// perspective the method and the strength that measurement chose.
const MethodAuto = perspective.Auto

// holds says what there is to choose by.
type holds struct {
	angles, words bool // of what is ranked
	perspectives  bool // of the query
}

// choose sets the method, the kind of perspective by which it was chosen, and whether
// words join in, if no method is asked for. A query that asks for a λ asks for a
// projection.
func (in *instance) choose(q *Query, result *Result, has holds) error {
	switch {
	case q.Method != "":
		result.Method = q.Method
		return nil
	case q.Lambda != nil && has.perspectives:
		result.Method = "pap+"
		return nil
	case q.Lambda != nil:
		result.Method = "none" // a projection along nothing
		return nil
	}
	kind := kindOf(q)
	table, err := in.choices()
	if err != nil {
		return err
	}
	side, err := in.stance(q)
	if err != nil {
		return err
	}
	words := has.words && q.Query.Text != "" && q.MMR == nil
	choice := table.Choose(kind, words, func(m perspective.Method) bool {
		switch {
		case m.NeedsRoot && q.Root == nil, m.NeedsPerspective && !has.perspectives:
			return false
		case m.Angles == 0:
			return true
		case !has.angles || q.Query.Text == "" || !in.canHear():
			return false
		case m.Angles == 1:
			return true
		}
		return q.Root.Text != "" && (q.Opposites != nil || side != 0 && in.hasSides())
	})
	result.Method, result.Kind = choice.Method, string(kind)
	lambda := choice.Lambda()
	result.Lambda = float32(lambda)
	q.Lambda = &lambda
	if m, err := perspective.Lookup(choice.Method); err == nil && m.Angles > 0 && q.Strength == nil {
		q.Strength = &choice.Strength
	}
	if choice.Hybrid && q.Hybrid == nil {
		q.Hybrid = ChosenHybrid(choice)
	}
	return nil
}

// kindOf is the kind of a query's perspectives: that of their texts if they agree.
func kindOf(q *Query) perspective.Kind {
	if q.Opposites != nil {
		return perspective.KindStance
	}
	kind := perspective.KindNone // if there is only the difference of query and root, which has no words
	for i, p := range q.Perspectives {
		switch found := perspective.KindOf(p.Text); {
		case found == perspective.KindNone, i > 0 && found != kind:
			return perspective.KindFree
		default:
			kind = found
		}
	}
	return kind
}

// choices is the encoder's table, or else the default one.
func (in *instance) choices() (perspective.Choices, error) {
	e, ok := in.encoder.(encoder.AngleEncoder)
	if !ok {
		return perspective.DefaultChoices(), nil
	}
	_, texts := e.Tables()
	own, err := perspective.ParseChoices(texts[perspective.AutoTable])
	if err != nil {
		return nil, fault.Errorf(fault.Integrity, "the encoder %s: %w: name a method, or make the pack again", in.encoder.Info().ID, err)
	}
	if len(own) == 0 {
		own = perspective.DefaultChoices()
	}
	return own, nil
}

// canHear reports whether the encoder gives texts angles.
func (in *instance) canHear() bool {
	_, err := in.hears()
	return err == nil
}

// hasSides reports whether the encoder has wordings of for and against.
func (in *instance) hasSides() bool {
	e, ok := in.encoder.(encoder.AngleEncoder)
	if !ok {
		return false
	}
	_, texts := e.Tables()
	return len(texts[For]) > 0 && len(texts[Against]) > 0
}
