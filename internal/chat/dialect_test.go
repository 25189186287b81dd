package chat

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// demanding is a server that refuses a request as long as it has one of the given
// parameters, with the answer that is given for it.
func demanding(t *testing.T, refuses map[string]string) *chatscript.Server {
	return chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		body := bodyOf(t, r)
		for _, name := range []string{"max_tokens", "temperature", "response_format", "max_completion_tokens"} {
			if _, has := body[name]; has && refuses[name] != "" {
				return raw(http.StatusBadRequest, refuses[name])
			}
		}
		return says(red)
	})
}

func bodyOf(t *testing.T, r chatscript.Request) (body map[string]any) {
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Error(err)
	}
	return body
}

// A refused parameter is left out or renamed, and the client remembers that.
func TestDialects(t *testing.T) {
	const (
		tokens      = `{"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "type": "invalid_request_error", "param": "max_tokens", "code": "unsupported_parameter"}}`
		temperature = `{"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", "param": "temperature", "code": "unsupported_value"}}`
		fastAPI     = `{"detail": [{"type": "literal_error", "loc": ["body", "response_format", "type"], "msg": "Input should be 'text' or 'json_object'"}]}`
		format      = `{"error": {"message": "This response_format type is unavailable now", "param": null}}`
	)
	for _, c := range []struct {
		refuses map[string]string
		first   int
		has     string
	}{
		{map[string]string{}, 1, "max_tokens temperature response_format"},
		{map[string]string{"max_tokens": tokens}, 2, "temperature response_format max_completion_tokens"},
		{map[string]string{"temperature": temperature}, 2, "max_tokens response_format"},
		{map[string]string{"max_tokens": tokens, "temperature": temperature}, 3, "response_format max_completion_tokens"},
		{map[string]string{"max_tokens": tokens, "temperature": temperature, "response_format": format}, 5, "max_completion_tokens"},
		{map[string]string{"response_format": fastAPI}, 3, "max_tokens temperature"},
	} {
		s := demanding(t, c.refuses)
		client := open(t, Settings{URL: s.URL})
		for n := range 2 {
			if reply, err := client.Ask(t.Context(), question); err != nil || string(reply) != red || len(s.Asked()) != c.first+n {
				t.Fatalf("%v: %s %v after %d requests", c.refuses, reply, err, len(s.Asked()))
			}
			last := bodyOf(t, s.Asked()[len(s.Asked())-1])
			for _, name := range []string{"max_tokens", "temperature", "response_format", "max_completion_tokens"} {
				_, has := last[name]
				if has != strings.Contains(" "+c.has+" ", " "+name+" ") || has && strings.HasPrefix(name, "max") && last[name] != 64.0 {
					t.Errorf("%v: %s is %v", c.refuses, name, last[name])
				}
			}
		}
		if u := client.Usage(); u.Requests != 2 {
			t.Errorf("%+v", u)
		}
	}
}

// A host that knows only the format json_object gets the schema as a field of it.
func TestDialectOfObjects(t *testing.T) {
	s := serve(t, raw(422, `{"detail": [{"loc": ["body", "response_format", "type"], "msg": "no"}]}`), says(red))
	client := open(t, Settings{URL: s.URL})
	if _, err := client.Ask(t.Context(), question); err != nil || client.dialect != (dialect{format: jsonObject}) {
		t.Fatal(err, client.dialect)
	}
	if f := parametersOf(t, s.Asked()[1]).Format; f.Type != "json_object" || f.Object == nil {
		t.Errorf("%+v", f)
	}
	// llama-cpp-python says so with status 500.
	s = serve(t, raw(500, `{"error": {"message": "1 validation error:\n  {'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}", "param": null}}`), says(red))
	client = open(t, Settings{URL: s.URL})
	if _, err := client.Ask(t.Context(), question); err != nil || len(s.Asked()) != 2 || client.dialect.format != jsonObject {
		t.Fatal(err, client.dialect)
	}
	for body, want := range map[string]string{
		`{"detail": [{"loc": ["body", "messages"], "msg": "too long\u001b"}]}`: "status 422: messages: too long",
		`{"detail": [{"loc": [], "msg": "no"}]}`:                               "status 422: no",
		`{"detail": "no"}`:                                                     "status 422",
		`{"detail": []}`:                                                       "status 422",
		`}`:                                                                    "status 422",
	} {
		s := serve(t, raw(422, body))
		if _, err := open(t, Settings{URL: s.URL}).Ask(t.Context(), question); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") || len(s.Asked()) != 1 {
			t.Errorf("%s: %v after %d requests", body, err, len(s.Asked()))
		}
	}
}

// A host that refuses both names of a bound is not asked for ever. If no change makes the
// host accept a request, the client remembers none.
func TestDialectsEnd(t *testing.T) {
	const (
		many  = `{"error": {"message": "max_tokens is too large: 64", "param": "max_tokens"}}`
		other = `{"error": {"message": "the model has no temperature_unit, and maximum_tokens are max_tokens_all"}}`
	)
	s := demanding(t, map[string]string{"max_tokens": many, "max_completion_tokens": many})
	client := open(t, Settings{URL: s.URL})
	if _, err := client.Ask(t.Context(), question); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "too large") || len(s.Asked()) != 2 || client.dialect != (dialect{}) {
		t.Errorf("%v after %d requests", err, len(s.Asked()))
	}
	s = demanding(t, map[string]string{"max_tokens": other})
	if _, err := open(t, Settings{URL: s.URL}).Ask(t.Context(), question); fault.Of(err) != fault.Input || len(s.Asked()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Asked()))
	}
	s = serve(t, raw(403, `{"error": {"message": "no temperature", "param": "temperature"}}`))
	if _, err := open(t, Settings{URL: s.URL}).Ask(t.Context(), question); fault.Of(err) != fault.Input || len(s.Asked()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Asked()))
	}
}
