package server

import (
	"net/http"

	"github.com/vantage-search/vantage/internal/encoder"
)

// checkModel refuses a request for another model.
func (s *Server) checkModel(id string) error {
	if own := s.engine.info.ID; id != "" && id != own {
		e := wrong("model", "there is no model %.200q here: there is %q", id, own)
		e.Status, e.Code = http.StatusNotFound, "model_not_found"
		return e
	}
	return nil
}

// models answers GET /v1/models, and /v1/models/{id}.
func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	facts := struct {
		ID      string       `json:"id"`
		Object  string       `json:"object"`
		Created int64        `json:"created"`
		OwnedBy string       `json:"owned_by"`
		Info    encoder.Info `json:"info"`    // not in OpenAI's API
		Sides   bool         `json:"sides"`   // not in OpenAI's API: /v1/sides answers
		Domains []string     `json:"domains"` // not in OpenAI's API: those of /v1/perspectives; none without a chat model
	}{s.engine.info.ID, "model", s.started.Unix(), "vantage", s.engine.info, s.engine.sides != nil, s.views.names()}
	switch id := r.PathValue("id"); id {
	case "":
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{facts}})
	case facts.ID:
		writeJSON(w, http.StatusOK, facts)
	default:
		failHTTP(w, &apiError{Status: http.StatusNotFound, Message: "there is no such model here", Type: invalidRequest, Code: "model_not_found"})
	}
}
