package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/vantage-search/vantage/internal/encoder"
)

// tokenIDs is a list of token ids.
type tokenIDs struct {
	list  []uint32
	wrong int // index of the first element that is not an id, or -1
}

// UnmarshalJSON implements json.Unmarshaler. The list takes at most twice the
// bytes of its JSON.
func (t *tokenIDs) UnmarshalJSON(b []byte) error {
	*t = tokenIDs{list: []uint32{}, wrong: -1}
	if string(b) == "null" {
		return nil
	}
	if b[0] != '[' {
		return errors.New("not a list of token ids")
	}
	b = bytes.TrimSpace(b[1 : len(b)-1])
	t.list = make([]uint32, 0, min(bytes.Count(b, []byte{','}), len(b)/2)+1) // an id and its comma have two bytes at least
	for more := len(b) > 0; more; {
		var element []byte
		element, b, more = bytes.Cut(b, []byte{','}) // a text with commas gives no valid ids either
		id, err := strconv.ParseUint(string(bytes.TrimSpace(element)), 10, 32)
		if err != nil {
			t.wrong = len(t.list)
			return nil
		}
		t.list = append(t.list, uint32(id))
	}
	return nil
}

// readInput reads the input of POST /v1/embeddings: a text or its token ids, or a list
// of either. It reads at most most elements, because each takes more memory than its
// JSON.
func readInput(input json.RawMessage, most int) ([]ask, *apiError) {
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
	case inner[0] == '-' || inner[0] >= '0' && inner[0] <= '9':
		var ids tokenIDs
		if json.Unmarshal(input, &ids) == nil {
			one, e := askOfIDs(0, ids)
			return []ask{one}, e
		}
	case inner[0] == '[':
		return askEach(input, most, "input begins with a list of token ids, and has elements that are not such lists", askOfIDs)
	default:
		return askEach(input, most, "input has elements that are not texts: give a list of texts, or a list of lists of token ids", askOfText)
	}
	return nil, wrong("input", "input is missing, or is not a text, a list of texts, a list of token ids, or a list of lists of token ids")
}

// askEach reads a JSON list whose elements have the type T; otherwise is the error
// for elements of another type.
func askEach[T any](list json.RawMessage, most int, otherwise string, one func(i int, element T) (ask, *apiError)) ([]ask, *apiError) {
	in := json.NewDecoder(bytes.NewReader(list))
	in.Token() // the opening bracket
	var asks []ask
	for i := 0; in.More(); i++ {
		if i == most {
			return nil, wrong("input", "more than %d texts: send fewer at a time", most)
		}
		var element T
		if in.Decode(&element) != nil {
			return nil, wrong("input", "%s", otherwise)
		}
		a, e := one(i, element)
		if e != nil {
			return nil, e
		}
		asks = append(asks, a)
	}
	return asks, nil
}

func askOfText(i int, text *string) (ask, *apiError) {
	if text == nil {
		return ask{}, wrong("input", "text %d is null", i)
	}
	return ask{text: *text}, nil
}

func askOfIDs(i int, ids tokenIDs) (ask, *apiError) {
	if ids.wrong >= 0 {
		return ask{}, wrong("input", "text %d: token %d is not a token id: ids are whole numbers from 0", i, ids.wrong)
	}
	return ask{ids: ids.list}, nil
}

// checkInput checks the input against the limits and the model.
func (s *Server) checkInput(asks []ask, role encoder.Role) *apiError {
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
		if role != encoder.NoRole {
			return wrong("role", "token ids have no role, since no prompt is added to them: send texts, or leave role out")
		}
		if err := s.engine.info.CheckIDs(a.ids); err != nil {
			return wrong("input", "text %d: %v", i, err)
		}
	}
	return nil
}
