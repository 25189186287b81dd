package mvrag

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/chat"
)

// Prompt is the reader's prompt (Eq. 5): the query, then the documents in their order, each
// in a fence that its text cannot close, with its number from 1.
func Prompt(query string, documents []string) string {
	parts := []chat.Part{{Name: "Question", Text: query}}
	for i, text := range documents {
		parts = append(parts, chat.Part{Name: fmt.Sprintf("Document %d", i+1), Text: text})
	}
	return chat.Parts(parts...)
}

// Answer is what a reader says.
type Answer struct {
	Text    string `json:"text"`
	Sources []int  `json:"sources"` // numbers of the documents that it rests on, from 1
}

var answerSchema = chat.NewSchema("answer", `{"type": "object", "additionalProperties": false, "required": ["text", "sources"],
"properties": {"text": {"type": "string"}, "sources": {"type": "array", "items": {"type": "integer"}}}}`)

// Answer lets the chat model answer a query from documents (Section 3.4). A reply that
// names a document that was not offered is refused.
func (m *Model) Answer(ctx context.Context, query string, documents []string) (*Answer, error) {
	reply, err := m.chat.Ask(ctx, chat.Question{
		Instructions: m.answer, Text: Prompt(query, documents), Schema: answerSchema,
		Accept: func(reply json.RawMessage) error { _, err := answered(reply, len(documents)); return err },
	})
	if err != nil {
		return nil, err
	}
	return answered(reply, len(documents))
}

func answered(reply json.RawMessage, documents int) (*Answer, error) {
	var r struct {
		Text    string
		Sources []json.Number // 1.0 is an integer in a JSON schema, too
	}
	if err := json.Unmarshal(reply, &r); err != nil {
		return nil, err
	}
	a := Answer{strings.TrimSpace(r.Text), make([]int, len(r.Sources))}
	if a.Text == "" {
		return nil, errors.New("the answer is empty")
	}
	for i, s := range r.Sources {
		n, _ := s.Float64() // infinite if it is too large
		if !(n >= 1 && n <= float64(documents)) {
			return nil, fmt.Errorf("there is no document %.40s: the documents are 1 to %d", s, documents)
		}
		a.Sources[i] = int(n)
	}
	return &a, nil
}
