package vantage_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/perspective"
)

// letters is a program's own encoder of tokens: each letter a to d of a text is a vector.
type letters struct{ dim int }

func (l letters) Model() vantage.Model { return vantage.Model{ID: "letters", Dim: 4} }

func (l letters) Encode(context.Context, []string, vantage.Role) ([]vantage.Encoding, error) {
	return nil, errors.New("whole texts are not encoded")
}

func (l letters) EncodeTokens(_ context.Context, texts []string, _ vantage.Role) (all []vantage.TokenEncoding, err error) {
	for _, text := range texts {
		var e vantage.TokenEncoding
		for _, c := range text {
			if c >= 'a' && c <= 'd' {
				v := make([]float32, l.dim)
				v[int(c-'a')%l.dim] = 1
				e.Vectors = append(e.Vectors, v...)
				e.Tokens++
			}
		}
		all = append(all, e)
	}
	return all, nil
}

// prompted is letters with prompts, which it states.
type prompted struct {
	letters
	prompts map[string]string
}

func (p prompted) Model() vantage.Model {
	m := p.letters.Model()
	m.Pooling, m.Prompts = "mean", p.prompts
	return m
}

// What an encoder of tokens says of itself stands in the description, and one that states other prompts is refused.
func TestTokenPrompts(t *testing.T) {
	dir := t.TempDir()
	own := prompted{letters{4}, map[string]string{"query": "a: "}}
	documents := func(yield func(vantage.Document, error) bool) { yield(vantage.Document{ID: "a", Text: "abc"}, nil) }
	if _, err := vantage.Index(t.Context(), documents, dir, vantage.IndexOptions{Encoder: own, TokenBits: 8}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		encoder vantage.Encoder
		fine    bool
	}{"the same": {own, true}, "not stated": {letters{4}, true}, "none": {prompted{letters{4}, map[string]string{}}, false}, "others": {prompted{letters{4}, map[string]string{"query": "b: "}}, false}} {
		opened, err := vantage.Open(t.Context(), dir, &vantage.OpenOptions{Encoder: c.encoder})
		if !c.fine {
			if !errors.Is(err, vantage.ErrIntegrity) || !strings.Contains(err.Error(), "prompt for the role query") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m := opened.Describe().Queries(); m.Prompts["query"] != "a: " || m.Normalize || m.Pooling != "tokens" {
			t.Errorf("%s: %+v", name, m)
		}
		opened.Close()
	}
}

// A program's own encoder of tokens makes a collection, which is ranked by MaxSim.
func TestTokenEncoder(t *testing.T) {
	documents := func(yield func(vantage.Document, error) bool) {
		for _, text := range []string{"abc", "a", "ad", "bd"} {
			if !yield(vantage.Document{ID: text, Text: text}, nil) {
				return
			}
		}
	}
	dir := t.TempDir()
	r, err := vantage.Index(t.Context(), documents, dir, vantage.IndexOptions{Encoder: letters{4}, TokenBits: 8})
	if err != nil || r.Tokens != 8 || r.TokenBits != 8 || r.TokenBytes < 8*(4+4) {
		t.Fatalf("%+v, %v", r, err)
	}
	c, err := vantage.Open(t.Context(), dir, &vantage.OpenOptions{Encoder: letters{4}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if d := c.Describe(); d.Score != "maxsim" || d.TokenBits != 8 || d.Tokens != 8 || d.Centroids < 1 {
		t.Errorf("%+v", d)
	}
	for _, q := range []vantage.Query{
		{Query: vantage.Text{Text: "bdd"}}, {Query: vantage.Text{Vector: []float32{0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1}}, Score: perspective.MaxSim},
	} {
		found, err := c.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, h := range found.Hits {
			ids = append(ids, h.ID)
		}
		if got := strings.Join(ids, " "); got != "bd ad abc a" || found.Score != "maxsim" {
			t.Errorf("%s, compared by %q", got, found.Score)
		}
	}
	if _, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "a"}, Score: perspective.Cosine}); !errors.Is(err, vantage.ErrQuery) || !strings.Contains(err.Error(), "made for maxsim") {
		t.Errorf("by cosine: %v", err)
	}
	for says, o := range map[string]vantage.IndexOptions{
		"5 bits per component":             {Encoder: letters{4}, TokenBits: 5},
		"numbers as token vectors":         {Encoder: letters{3}, TokenBits: 4},
		"one vector for a whole text":      {Encoder: struct{ vantage.Encoder }{letters{4}}, TokenBits: 4},
		"leave IndexOptions.Score or":      {Encoder: letters{4}, TokenBits: 4, Score: perspective.Dot},
		"leave IndexOptions.Vectors, Quer": {Encoder: letters{4}, TokenBits: 4, QueryEncoder: letters{4}},
	} {
		if _, err := vantage.Index(t.Context(), documents, t.TempDir(), o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}
