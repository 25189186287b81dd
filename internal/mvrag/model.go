package mvrag

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/chat"
)

// Model reads queries with a chat model, and answers them.
type Model struct {
	chat   *chat.Client
	domain *Domain

	weigh, rewrite, answer string // instructions
}

// NewModel takes the instructions mvrag-weigh, mvrag-rewrite and mvrag-answer from the client's prompts.
// Errors are fault.Input.
func NewModel(c *chat.Client, d *Domain) (*Model, error) {
	m := &Model{chat: c, domain: d}
	for name, to := range map[string]*string{"weigh": &m.weigh, "rewrite": &m.rewrite, "answer": &m.answer} {
		var err error
		if *to, err = c.Instructions("mvrag-" + name); err != nil {
			return nil, err
		}
	}
	return m, nil
}

var weighSchema = chat.NewSchema("weights", `{"type": "object", "additionalProperties": false, "required": ["scores"],
"properties": {"scores": {"type": "array", "items": {"type": "object", "additionalProperties": false,
"required": ["perspective", "score"], "properties": {"perspective": {"type": "string"}, "score": {"type": "number"}}}}}}`)

// Weigh implements Views: intention recognition (Section 3.2). A reply that names a
// perspective that is not in the domain, or not each of them once, is refused.
func (m *Model) Weigh(ctx context.Context, query string) ([]float64, error) {
	var list strings.Builder
	for _, p := range m.domain.Perspectives {
		fmt.Fprintf(&list, "- %s: %s\n", p.Name, p.Description)
	}
	reply, err := m.chat.Ask(ctx, chat.Question{
		Instructions: strings.TrimSpace(m.weigh) + "\n\nThe perspectives of " + m.domain.Name + ":\n" + list.String(),
		Text:         query, Schema: weighSchema,
		Accept: func(reply json.RawMessage) error { _, err := m.domain.scores(reply); return err },
	})
	if err != nil {
		return nil, err
	}
	return m.domain.scores(reply)
}

// scores returns the scores of a reply in the order of the domain, or an error that tells
// the model what is wrong.
func (d *Domain) scores(reply json.RawMessage) ([]float64, error) {
	var r struct {
		Scores []struct {
			Perspective string
			Score       json.Number
		}
	}
	if err := json.Unmarshal(reply, &r); err != nil {
		return nil, err
	}
	scores, given := make([]float64, len(d.Perspectives)), make([]bool, len(d.Perspectives))
	for _, s := range r.Scores {
		i, ok := d.Find(s.Perspective)
		score, _ := s.Score.Float64() // infinite if it is too large
		switch {
		case !ok:
			return nil, fmt.Errorf("%q is none of the perspectives, which are %s", clip(s.Perspective), d)
		case given[i]:
			return nil, fmt.Errorf("%q is scored twice", d.Perspectives[i].Name)
		case !(score >= 0 && score <= 1):
			return nil, fmt.Errorf("the score of %q is %.40s, and scores are from 0 to 1", d.Perspectives[i].Name, s.Score)
		}
		scores[i], given[i] = score, true
	}
	for i, p := range d.Perspectives {
		if !given[i] {
			return nil, fmt.Errorf("%q has no score", p.Name)
		}
	}
	return scores, nil
}

// maxRewritten is the greatest length of a rewritten query in characters.
const maxRewritten = 4000

var rewriteSchema = chat.NewSchema("rewritten", `{"type": "object", "additionalProperties": false, "required": ["query"],
"properties": {"query": {"type": "string"}}}`)

// Rewrite implements Views: query rewriting (Section 3.3).
func (m *Model) Rewrite(ctx context.Context, query string, perspective int) (string, error) {
	p := m.domain.Perspectives[perspective]
	about := "\n\nThe perspective, of " + m.domain.Name + ":\n- " + p.Name + ": " + p.Description
	if p.Hint != "" {
		about += "\n- " + p.Hint
	}
	reply, err := m.chat.Ask(ctx, chat.Question{
		Instructions: strings.TrimSpace(m.rewrite) + about, Text: query, Schema: rewriteSchema,
		Accept: func(reply json.RawMessage) error { _, err := rewritten(reply); return err },
	})
	if err != nil {
		return "", err
	}
	return rewritten(reply)
}

func rewritten(reply json.RawMessage) (string, error) {
	var r struct{ Query string }
	if err := json.Unmarshal(reply, &r); err != nil {
		return "", err
	}
	text := strings.TrimSpace(r.Query)
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "", errors.New("the query is empty")
	case n > maxRewritten:
		return "", fmt.Errorf("the query has %d characters, at most %d", n, maxRewritten)
	}
	return text, nil
}
