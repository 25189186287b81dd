package search

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/auto"
	"github.com/vantage-search/vantage/perspective"
)

// MethodAuto is the name of the default ranking, which a query without a method gets, too. It
// takes, for each kind of perspective, the method and the strength that measured best.
const MethodAuto = perspective.Auto

// holds says what the ranked collection has beside vectors, and which table of choices, if any.
type holds struct {
	angles, words bool
	table         *manifest.Auto
}

// choose sets the method of a query that names none. It also sets the kind of perspective that
// decided, and whether the ranking is fused with words.
func (in *instance) choose(q *Query, result *Result, has holds) error {
	if q.Method != "" {
		result.Method = q.Method
		return nil
	}
	asked := &auto.Asked{
		Kind: q.reading.Kind, Root: q.Root != nil, RootText: q.hasRootText(), Text: q.Query.Text != "",
		Lambda: q.Lambda != nil,
		Angles: has.angles && in.givesAngles(), Sides: in.hasSides(), Words: has.words && q.MMR == nil,
	}
	for _, p := range q.Perspectives {
		asked.Perspectives = append(asked.Perspectives, p.Text)
	}
	var table []string
	var whose string
	if has.table != nil {
		table, whose = has.table.Table, manifest.FileName
	} else if e, ok := in.encoder.(encoder.AngleEncoder); ok {
		_, texts := e.Tables()
		table, whose = texts[perspective.AutoTable], "the encoder "+e.Info().ID
	}
	choice, err := auto.Choose(table, asked)
	if err != nil {
		return fmt.Errorf("%s: %w", whose, err)
	}
	result.Method, result.Kind = choice.Method, string(choice.Kind)
	if q.Lambda == nil {
		lambda := choice.Lambda()
		result.Lambda, q.Lambda = float32(lambda), &lambda
	}
	if q.Strength == nil && HasAngles(choice.Method) {
		q.Strength = &choice.Strength
	}
	if choice.Hybrid && q.Hybrid == nil {
		q.Hybrid = ChosenHybrid(choice)
	}
	return nil
}

// givesAngles reports whether the encoder can give texts angles.
func (in *instance) givesAngles() bool {
	_, err := in.angleEncoder()
	return err == nil
}

// hasSides reports whether the encoder has wordings for both sides.
func (in *instance) hasSides() bool {
	e, ok := in.encoder.(encoder.AngleEncoder)
	if !ok {
		return false
	}
	_, texts := e.Tables()
	return len(texts[For]) > 0 && len(texts[Against]) > 0
}
