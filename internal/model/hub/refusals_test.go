package hub

import (
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Each refusal has its remedy. Temporary refusals are retried.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		code    int
		kind    string
		token   string
		parts   []string
		is      error
		retried bool
	}{
		{401, "RepoNotFound", "", []string{"there is no such model, or it is private or gated", "set HF_TOKEN"}, fs.ErrPermission, false},
		{401, "GatedRepo", testToken, []string{"check HF_TOKEN", "licence on "}, fs.ErrPermission, false},
		{403, "GatedRepo", testToken, []string{"accept the licence on ", "account of HF_TOKEN"}, fs.ErrPermission, false},
		{403, "", "", []string{"accept the licence on ", "set HF_TOKEN"}, fs.ErrPermission, false},
		{404, "RepoNotFound", testToken, []string{"check the model's name"}, fs.ErrNotExist, false},
		{404, "RevisionNotFound", "", []string{"no such revision", "branches and tags on "}, fs.ErrNotExist, false},
		{408, "", "", []string{"try again later", "tried 4 times"}, nil, true},
		{418, "", "", []string{"not how a hub answers"}, nil, false},
		{429, "", "", []string{"too many requests", "tried 4 times"}, nil, true},
		{500, "", "", []string{"try again later", "tried 4 times"}, nil, true},
		{503, "", "", []string{"try again later", "tried 4 times"}, nil, true},
	} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		s.token = c.token
		refuse := func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
			w.Header().Set("X-Error-Code", c.kind)
			w.Header().Set("X-Error-Message", "the hub's own words")
			w.WriteHeader(c.code)
			return true
		}
		h.onList = refuse
		_, err := pull(s, Main, Options{})
		var status *StatusError
		if !errors.As(err, &status) || status.Code != c.code || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), "(\"the hub's own words\")") {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		for _, part := range c.parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%d %s: %q lacks %q", c.code, c.kind, err, part)
			}
		}
		if want := map[bool]int{false: 1, true: 4}[c.retried]; len(h.seen()) != want {
			t.Errorf("%d: asked otherwise than %d times", c.code, want)
		}
		// Here, every second request is refused.
		if c.retried {
			everySecond := func() func(http.ResponseWriter, *http.Request, string, []byte) bool {
				refusals := 0
				return func(w http.ResponseWriter, r *http.Request, file string, content []byte) bool {
					refusals++
					return refusals%2 == 1 && refuse(w, r, file, content)
				}
			}
			h.onList, h.onHead, h.onGet, h.onStorage = everySecond(), everySecond(), everySecond(), everySecond()
			snapshot, err := pull(s, Main, Options{})
			if err != nil {
				t.Fatal(err)
			}
			h.isWhole(t, snapshot, tinyNeeded)
		}
	}
}

// Retry-After is obeyed, unless the hub asks for too long a wait.
func TestRetryAfter(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	refusals := 0
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		if refusals++; refusals > 1 {
			return false
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	started := time.Now()
	if _, err := pull(h.settings(t), Main, Options{}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took < time.Second {
		t.Errorf("after %v already", took)
	}
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		w.Header().Set("Retry-After", "86400")
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	h.seen()
	if _, err := pull(h.settings(t), Main, Options{}); err == nil || !strings.Contains(err.Error(), "it asks to wait 24h") || len(h.seen()) != 1 {
		t.Errorf("%v", err)
	}
}

// If the signature of an address has expired, the hub gives another address.
func TestExpiredAddress(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	refusals := 0
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		if refusals++; refusals > 2 {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	_, err = pull(h.settings(t), Main, Options{})
	if !errors.Is(err, fault.Unavailable) || errors.Is(err, fault.Input) || strings.Contains(err.Error(), "licence") || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "the hub sent us there") {
		t.Errorf("%v", err)
	}
}
