package rag

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/chat"
)

var (
	answerSchema = chat.NewSchema("answer", `{"type": "object", "additionalProperties": false, "required": ["answer"], "properties": {"answer": {"type": "string"}}}`)
	essaySchema  = chat.NewSchema("essay", `{"type": "object", "additionalProperties": false, "required": ["essay"], "properties": {"essay": {"type": "string"}}}`)
)

// The longest replies that are of use, in bytes.
const (
	maxAnswer = 500
	maxEssay  = 8_000
)

// reader lets a chat model write answers and essays.
type reader struct {
	client        *chat.Client // nil if none is configured
	answer, essay string       // instructions
	known         map[string]string
	reused        int // queries that were asked before with the same texts, of another source
}

// instruct reads the instructions.
func (r *reader) instruct() (err error) {
	r.known = map[string]string{}
	if r.answer, err = r.client.Instructions("rag-answer"); err == nil {
		r.essay, err = r.client.Instructions("rag-essay")
	}
	return err
}

// Step is what reading has used for the queries of a task with texts of one source.
type Step struct {
	Task   string `json:"task"`
	Source string `json:"source"`
	Method string `json:"method,omitempty"`
	// RetrievalSeconds is what the retriever took for all tasks and methods.
	RetrievalSeconds float64 `json:"retrieval_seconds"`
	Seconds          float64 `json:"seconds"`
	chat.Usage

	label string // of the row
}

// read returns what the model writes about each query with its texts, "" if that cannot be
// used. A query is asked only once with the same texts.
func (r *reader) read(ctx context.Context, set *queries, contexts [][]string, told func(done int)) ([]string, Step, error) {
	begun, before, reused := time.Now(), r.client.Usage(), r.reused
	asked := make([]string, len(contexts))
	var fresh []string
	for i, texts := range contexts {
		asked[i] = set.question(set.chosen[i], texts)
		if _, known := r.known[asked[i]]; known {
			r.reused++
			continue
		}
		r.known[asked[i]] = ""
		fresh = append(fresh, asked[i])
	}
	known := len(asked) - len(fresh)
	told(known)
	instructions, schema, field, most := r.answer, answerSchema, "answer", maxAnswer
	if set.kind == essays {
		instructions, schema, field, most = r.essay, essaySchema, "essay", maxEssay
	}
	replies, err := r.client.AskAll(ctx, len(fresh), func(i int) chat.Question {
		return chat.Question{Instructions: instructions, Text: fresh[i], Schema: schema,
			Accept: func(reply json.RawMessage) error { _, err := written(reply, field, most); return err }}
	}, func(done int) { told(known + done) })
	if err != nil {
		return nil, Step{}, err
	}
	for i, reply := range replies {
		if reply == nil {
			continue
		}
		if r.known[fresh[i]], err = written(reply, field, most); err != nil {
			return nil, Step{}, err
		}
	}
	out := make([]string, len(asked))
	for i, text := range asked {
		out[i] = r.known[text]
	}
	step := Step{Seconds: time.Since(begun).Seconds(), Usage: r.client.Usage().Since(before)}
	step.Kept += r.reused - reused
	return out, step, nil
}

// question is the text that the model gets of a query: the texts below the question, or
// below the topic and its stance.
func (s *queries) question(i int, texts []string) string {
	parts, name := []chat.Part{{Name: "Question", Text: s.task.Queries[i]}}, "Passage"
	if s.kind == essays {
		parts, name = []chat.Part{{Name: "Topic", Text: s.task.Roots[i]}, {Name: "Stance", Text: s.stance(i)}}, "Background"
	}
	for n, text := range texts {
		parts = append(parts, chat.Part{Name: fmt.Sprintf("%s %d", name, n+1), Text: text})
	}
	return chat.Parts(parts...)
}

// written is the text of a reply, or an error that tells the model what is wrong with it.
func written(reply json.RawMessage, field string, most int) (string, error) {
	var fields map[string]string
	if err := json.Unmarshal(reply, &fields); err != nil {
		return "", err
	}
	text := strings.TrimSpace(fields[field])
	switch {
	case text == "":
		return "", errors.New("the " + field + " is empty")
	case len(text) > most:
		return "", fmt.Errorf("the %s has %d bytes, at most %d are read", field, len(text), most)
	}
	return text, nil
}
