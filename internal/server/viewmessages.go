package server

import (
	"encoding/json"
	"strings"

	"github.com/vantage-search/vantage/internal/mvrag"
)

// perspectivesRequest is the body of POST /v1/perspectives.
type perspectivesRequest struct {
	Query     string   `json:"query"`
	Domain    string   `json:"domain"`
	Threshold *float64 `json:"threshold"`
	Model     string   `json:"model"`
	Format    string   `json:"encoding_format"`
}

// Lines of the answer, in their order: one vector, a query or a refusal for each perspective
// with a weight, the query as it is if there is no other, and the end or an error.
type (
	vectorLine struct {
		Object       string     `json:"object"` // "vector"
		Domain       string     `json:"domain"`
		Chat         string     `json:"chat_model"`
		Model        string     `json:"model"`
		Revision     string     `json:"revision"`
		Threshold    float64    `json:"threshold"`
		Perspectives []weighted `json:"perspectives"`
		Refused      bool       `json:"refused,omitempty"` // the scores could not be used: all are 0
	}
	weighted struct {
		Name   string  `json:"name"`
		Score  float64 `json:"score"`
		Weight float64 `json:"weight"`
	}
	queryLine struct {
		Object    string  `json:"object"` // "query"
		Index     int     `json:"index"`  // of the perspective; −1: the query as it is
		Weight    float64 `json:"weight"`
		Query     string  `json:"query"`
		Embedding any     `json:"embedding"`
		Truncated bool    `json:"truncated,omitempty"`
	}
	refusedLine struct {
		Object string `json:"object"` // "refused"
		Index  int    `json:"index"`
	}
	doneLine struct {
		Object string    `json:"object"` // "done"
		Usage  chatUsage `json:"usage"`
	}
	errorLine struct {
		Object string    `json:"object"` // "error"
		Status int       `json:"status"` // that an answer without lines would have
		Error  *apiError `json:"error"`
	}
	chatUsage struct {
		Requests         int   `json:"requests"` // of the chat model
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
	}
)

// readPerspectives reads and checks a request.
func (s *Server) readPerspectives(body []byte) (*perspectivesRequest, *mvrag.Domain, error) {
	var q perspectivesRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, nil, wrongBody(err, "the body is not the JSON of a request for perspectives: give query, a text, and domain")
	}
	if err := s.checkModel(q.Model); err != nil {
		return nil, nil, err
	}
	domain := s.views.domain(q.Domain)
	switch most := s.limits.TextBytes; {
	case strings.TrimSpace(q.Query) == "":
		return nil, nil, wrong("query", "query is missing or empty")
	case len(q.Query) > most:
		return nil, nil, wrong("query", "query has %d bytes, at most %d", len(q.Query), most)
	case domain == nil:
		return nil, nil, wrong("domain", "domain is one of %s", strings.Join(s.views.names(), ", "))
	case q.Threshold != nil && !(*q.Threshold >= 0 && *q.Threshold < 1):
		return nil, nil, wrong("threshold", "threshold is from 0 to below 1")
	case q.Format != "" && q.Format != "float" && q.Format != "base64":
		return nil, nil, wrong("encoding_format", "encoding_format is float or base64")
	}
	if q.Threshold == nil {
		threshold := mvrag.DefaultThreshold
		q.Threshold = &threshold
	}
	return &q, domain, nil
}
