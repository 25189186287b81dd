package encoder

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// liar gives the answer that the test sets.
type liar struct {
	answer []Embedding
	err    error
}

func (liar) Info() Info { return Info{ID: "liar", Dim: 2} }

func (l liar) Encode(context.Context, []string, Options) ([]Embedding, error) { return l.answer, l.err }

// It is an error if an answer has the wrong number of vectors, or vectors of a wrong
// length.
func TestEncodeChecksAnswers(t *testing.T) {
	good := Embedding{Vector: []float32{1, 2}, Tokens: 3}
	failed := errors.New("failed")
	var zero float32
	nan := zero / zero
	for name, c := range map[string]struct {
		liar liar
		want string
	}{
		"right":     {liar{answer: []Embedding{good, good}}, ""},
		"too few":   {liar{answer: []Embedding{good}}, "1 vectors for 2 texts"},
		"too many":  {liar{answer: []Embedding{good, good, good}}, "3 vectors for 2 texts"},
		"too short": {liar{answer: []Embedding{good, {Vector: []float32{1}}}}, "gave text 1 a vector of 1 components"},
		"no vector": {liar{answer: []Embedding{{}, good}}, "gave text 0 a vector of 0 components"},
		"too long":  {liar{answer: []Embedding{{Vector: make([]float32, 3)}, good}}, "gave text 0 a vector of 3 components"},
		"NaN":       {liar{answer: []Embedding{good, {Vector: []float32{1, nan}}}}, "the encoder liar gave text 1 a vector with NaN at place 1: "},
		"infinity":  {liar{answer: []Embedding{{Vector: []float32{-1 / zero, 0}}, good}}, "gave text 0 a vector with -Inf at place 0"},
		"an error":  {liar{answer: []Embedding{good, good}, err: failed}, "failed"},
	} {
		got, err := Encode(t.Context(), c.liar, []string{"a", "b"}, Options{})
		if c.want == "" {
			if err != nil || len(got) != 2 || got[1].Tokens != 3 {
				t.Errorf("%s: %v, %v", name, got, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || got != nil || c.liar.err == nil && fault.Of(err) != fault.Input {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// A role's prompt is found by the role's name. The role of documents has several names.
func TestPrompt(t *testing.T) {
	i := Info{Prompts: map[string]string{"passage": "p: ", "s": "x: "}, DefaultPrompt: "s"}
	for role, want := range map[Role]struct {
		text string
		ok   bool
	}{NoRole: {"x: ", true}, Document: {"p: ", true}, "corpus": {"p: ", true}, Query: {"", true}, "s": {"x: ", true}, "topic": {"", false}} {
		if text, ok := i.Prompt(role); text != want.text || ok != want.ok {
			t.Errorf("%q: %q %v", role, text, ok)
		}
	}
}

// Prompts replace those that a model has for a role, under any of its names.
func TestReplacePrompts(t *testing.T) {
	for name, c := range map[string]struct{ has, by, want map[string]string }{
		"nothing":       {map[string]string{"query": "q: "}, nil, map[string]string{"query": "q: "}},
		"of nothing":    {nil, map[string]string{"query": "q: ", "document": ""}, map[string]string{"query": "q: "}},
		"an other name": {map[string]string{"passage": "p: ", "s": "x: "}, map[string]string{"document": "d: "}, map[string]string{"passage": "d: ", "document": "d: ", "s": "x: "}},
		"no documents":  {map[string]string{"passage": "p: ", "query": "q: "}, map[string]string{"document": ""}, map[string]string{"query": "q: "}},
		"the same":      {map[string]string{"document": "d: ", "passage": "p: "}, map[string]string{"document": "d: "}, map[string]string{"document": "d: ", "passage": "p: "}},
	} {
		before := maps.Clone(c.has)
		i := Info{Prompts: c.has}
		if i.ReplacePrompts(c.by); !maps.Equal(i.Prompts, c.want) || i.Prompts == nil || !maps.Equal(c.has, before) {
			t.Errorf("%s: %v, want %v", name, i.Prompts, c.want)
		}
	}
}

// Portions have every text once and in order, and end when they have enough bytes.
func TestPortions(t *testing.T) {
	big := strings.Repeat("x", 20<<10)
	for name, c := range map[string]struct {
		texts []string
		want  []int // first texts
	}{
		"none":       {nil, nil},
		"one":        {[]string{""}, []int{0}},
		"together":   {[]string{"a", "", "b"}, []int{0}},
		"large":      {[]string{big, big, "a", big, big, "b"}, []int{0, 2, 5}},
		"whole":      {[]string{big, big}, []int{0}},
		"very large": {[]string{big + big, big + big}, []int{0, 1}},
	} {
		var firsts []int
		next := 0
		for first, texts := range Portions(liar{}, c.texts) {
			if first != next || len(texts) == 0 || !slices.Equal(texts, c.texts[first:first+len(texts)]) {
				t.Errorf("%s: %d texts from %d", name, len(texts), first)
			}
			firsts, next = append(firsts, first), first+len(texts)
		}
		if next != len(c.texts) || !slices.Equal(firsts, c.want) {
			t.Errorf("%s: portions from %d, up to %d", name, firsts, next)
		}
	}
}
