package client

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// PerspectivesOptions say how Perspectives reads a query.
type PerspectivesOptions struct {
	Domain    string   // name of a domain that the server offers; may be left out if it offers one
	Threshold *float64 // scores above it count, from 0 to below 1; nil for the server's, 0.5
}

// PerspectiveWeight is a component of the perspective vector.
type PerspectiveWeight struct {
	Name   string  `json:"name"`   // of the perspective
	Score  float64 `json:"score"`  // how much it matters for the query, from 0 to 1
	Weight float64 `json:"weight"` // the score, or 0 if it is not above the threshold
}

// PerspectiveQuery is the query as it is asked from a perspective, with its vector.
type PerspectiveQuery struct {
	Perspective int // index in the perspective vector; −1: the query as it is, because no perspective counts or no rewriting succeeded
	Weight      float64
	Query       string
	Vector      []float32
	Truncated   bool // the text was longer than the model takes
}

// PerspectivesUsage is what the server's chat model has used for a call.
type PerspectivesUsage struct {
	Requests     int   `json:"requests"`
	PromptTokens int64 `json:"prompt_tokens"`
	ReplyTokens  int64 `json:"completion_tokens"`
}

// perspectivesLine is a line of the answer of POST /v1/perspectives.
type perspectivesLine struct {
	Object       string                   `json:"object"`
	Perspectives []PerspectiveWeight      `json:"perspectives"`
	Index        int                      `json:"index"`
	Weight       float64                  `json:"weight"`
	Query        string                   `json:"query"`
	Embedding    string                   `json:"embedding"`
	Truncated    bool                     `json:"truncated"`
	Usage        *PerspectivesUsage       `json:"usage"`
	Revision     string                   `json:"revision"`
	Model        string                   `json:"model"`
	Status       int                      `json:"status"`
	Error        struct{ Message string } `json:"error"`
}

// Perspectives lets the server's chat model weigh the perspectives of a domain for a query
// and rewrite the query for those that count (MVRAG). It first calls vector with the
// perspective vector. Then it calls asked with each rewritten query as soon as it is
// written, in any order; a perspective whose query could not be rewritten is left out. An
// error that vector or asked returns ends the call, and so does the end of the context,
// also on the server. A call is not repeated. A refusal, such as that of a budget, is a
// *StatusError.
func (c *Client) Perspectives(ctx context.Context, query string, o PerspectivesOptions, vector func([]PerspectiveWeight) error, asked func(PerspectiveQuery) error) (*PerspectivesUsage, error) {
	if !utf8.ValidString(query) {
		return nil, fault.New(fault.Input, "the query is not UTF-8")
	}
	at, err := c.beside("perspectives")
	if err != nil {
		return nil, err
	}
	facts := c.Facts().Model
	body, err := json.Marshal(struct {
		Model     string   `json:"model"`
		Query     string   `json:"query"`
		Domain    string   `json:"domain,omitempty"`
		Threshold *float64 `json:"threshold,omitempty"`
		Format    string   `json:"encoding_format"`
	}{facts.ID, query, o.Domain, o.Threshold, "base64"})
	if err != nil {
		return nil, err
	}
	var used *PerspectivesUsage
	err = c.post(ctx, at, body, func(answer io.Reader) (err error) {
		used, err = c.readPerspectives(answer, vector, asked)
		return err
	})
	return used, err
}

func (c *Client) readPerspectives(answer io.Reader, vector func([]PerspectiveWeight) error, asked func(PerspectiveQuery) error) (*PerspectivesUsage, error) {
	facts := c.Facts().Model
	lines := bufio.NewScanner(answer)
	lines.Buffer(nil, readLimit+8*facts.Dim)
	perspectives := -1 // until the vector is there
	seen := map[int]bool{}
	for lines.Scan() {
		var l perspectivesLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, violation("a line of perspectives is not JSON")
		}
		if (l.Object == "vector") != (perspectives < 0) {
			return nil, violation("the perspective vector is not the first line, or not the only one")
		}
		switch l.Object {
		case "vector":
			if l.Revision != facts.Revision {
				return nil, fault.Errorf(fault.Integrity, "the server has another revision of %s now, %s, not %s: dial again", l.Model, l.Revision, facts.Revision)
			}
			perspectives = len(l.Perspectives)
			if err := vector(l.Perspectives); err != nil {
				return nil, err
			}
		case "query", "refused":
			if l.Index < -1 || l.Index >= perspectives || seen[l.Index] {
				return nil, violation("a query of perspective %d, of %d", l.Index, perspectives)
			}
			if seen[l.Index] = true; l.Object == "refused" {
				continue
			}
			numbers, err := unpackVector(l.Embedding, facts.Dim)
			if err != nil {
				return nil, err
			}
			if err := asked(PerspectiveQuery{l.Index, l.Weight, l.Query, numbers, l.Truncated}); err != nil {
				return nil, err
			}
		case "error":
			return nil, &StatusError{Status: l.Status, Reason: l.Error.Message}
		case "done":
			if l.Usage == nil {
				return nil, violation("the end of perspectives without their usage")
			}
			return l.Usage, nil
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, io.ErrUnexpectedEOF
}

// unpackVector reads base64 of little-endian numbers.
func unpackVector(text string, dim int) ([]float32, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) != 4*dim {
		return nil, violation("an embedding that is not base64 of %d numbers", dim)
	}
	vector := make([]float32, dim)
	for i := range vector {
		bits := binary.LittleEndian.Uint32(b[4*i:])
		if vector[i] = math.Float32frombits(bits); math.IsNaN(float64(vector[i])) || math.IsInf(float64(vector[i]), 0) {
			return nil, violation("an embedding with numbers that are not finite")
		}
	}
	return vector, nil
}
