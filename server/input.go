package server

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/vantage-search/vantage/model"
)

// tokenID is an element of a list of token ids, -1 where it is none.
type tokenID int64

func (t *tokenID) UnmarshalJSON(b []byte) error {
	id, err := strconv.ParseUint(string(b), 10, 32)
	if *t = tokenID(id); err != nil {
		*t = -1
	}
	return nil
}

// readInput reads the input of POST /v1/embeddings: a text or the ids of its
// tokens, or a list of either.
func readInput(input json.RawMessage) ([]ask, *apiError) {
	input = bytes.TrimSpace(input)
	inner := []byte(nil)
	if len(input) > 0 && input[0] == '[' {
		inner = bytes.TrimSpace(input[1:])
	}
	switch {
	case len(input) > 0 && input[0] == '"':
		var text string
		if json.Unmarshal(input, &text) == nil {
			return []ask{{text: text}}, nil
		}
	case len(inner) == 0:
	case inner[0] == ']':
		return nil, wrong("input", "input is empty")
	case inner[0] == '[':
		var lists [][]tokenID
		if json.Unmarshal(input, &lists) == nil {
			return asksOfIDs(lists)
		}
		return nil, wrong("input", "input begins with a list, and has elements that are no lists of token ids")
	case inner[0] == '-' || inner[0] >= '0' && inner[0] <= '9':
		var ids []tokenID
		if json.Unmarshal(input, &ids) == nil {
			return asksOfIDs([][]tokenID{ids})
		}
	default:
		var texts []*string
		if json.Unmarshal(input, &texts) != nil {
			return nil, wrong("input", "input has elements that are no texts: give a list of texts, or one of lists of token ids")
		}
		asks := make([]ask, len(texts))
		for i, text := range texts {
			if text == nil {
				return nil, wrong("input", "text %d is null", i)
			}
			asks[i].text = *text
		}
		return asks, nil
	}
	return nil, wrong("input", "input is missing, or neither a text, nor a list of texts, of token ids, or of lists of token ids")
}

func asksOfIDs(lists [][]tokenID) ([]ask, *apiError) {
	asks := make([]ask, len(lists))
	for i, list := range lists {
		asks[i].ids = make([]uint32, len(list))
		for k, id := range list {
			if id < 0 {
				return nil, wrong("input", "text %d: token %d is no token id: ids are whole numbers from 0", i, k)
			}
			asks[i].ids[k] = uint32(id)
		}
	}
	return asks, nil
}

// checkInput looks for what the limits and the model forbid.
func (s *Server) checkInput(asks []ask, role model.Role) *apiError {
	if len(asks) > s.limits.Texts {
		return wrong("input", "%d texts, at most %d: send fewer at a time", len(asks), s.limits.Texts)
	}
	for i, a := range asks {
		if len(a.text) > s.limits.TextBytes {
			return wrong("input", "text %d has %d bytes, at most %d", i, len(a.text), s.limits.TextBytes)
		}
		if a.ids == nil {
			continue
		}
		if s.engine.byIDs == nil {
			return wrong("input", "%s takes no token ids: send texts", s.engine.info.ID)
		}
		if role != model.NoRole {
			return wrong("role", "token ids have no role, since no prompt is added to them: send texts, or leave role out")
		}
		if err := s.engine.info.CheckIDs(a.ids); err != nil {
			return wrong("input", "text %d: %v", i, err)
		}
	}
	return nil
}
