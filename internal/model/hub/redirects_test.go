package hub

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// The test follows redirects in circles, to other schemes, from https to http, with
// credentials, and the relative redirects with which the hub answers for renamed models
// and small files.
func TestRedirects(t *testing.T) {
	for to, part := range map[string]string{
		"/api/models/" + testModel + "/revision/main": "more than 10 redirects",
		"file:///etc/passwd":                          "no https address",
		"gopher://example.org/":                       "no https address",
		"http:///nowhere":                             "no https address",
		"%zz":                                         "Location",
		"":                                            "301",
	} {
		h := newFakeHub(t, tinyModel())
		h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusMovedPermanently)
			return true
		}
		if _, err := pull(h.settings(t), Main, Options{}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", to, err)
		}
	}

	h := newFakeHub(t, tinyModel())
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, h.URL+"/anywhere", http.StatusFound) }))
	defer secure.Close()
	s := h.settings(t)
	s.endpoint, _ = url.Parse(secure.URL)
	c := newClient(s, testModel, Main, func(string) {})
	c.timing = quick
	if _, _, err := c.list(t.Context(), Main); err == nil || !strings.Contains(err.Error(), "cannot be trusted") {
		t.Errorf("a certificate of nobody: %v", err)
	}
	c.http.Transport = secure.Client().Transport
	if _, _, err := c.list(t.Context(), Main); err == nil || !strings.Contains(err.Error(), "no https address") {
		t.Errorf("from https to http: %v", err)
	}

	h = newFakeHub(t, tinyModel())
	h.private = true
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		if r.URL.RawQuery == "" {
			http.Redirect(w, r, r.URL.Path+"?renamed", http.StatusTemporaryRedirect)
		}
		return r.URL.RawQuery == ""
	}
	relative := func(w http.ResponseWriter, r *http.Request, name string, _ []byte) bool {
		if isLFS(name) || r.URL.RawQuery != "" {
			return false
		}
		w.Header().Del("ETag")
		http.Redirect(w, r, r.URL.Path+"?cache", http.StatusTemporaryRedirect)
		return true
	}
	h.onHead, h.onGet = relative, relative
	s = h.settings(t)
	s.endpoint.User = nil
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)

	// Another host redirects with a name and password of its own, and back to the hub.
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "" {
			t.Errorf("another host got %q", got)
		}
		http.Redirect(w, r, strings.Replace(h.URL, "://", "://user:secret@", 1)+"/api/models/"+testModel+"/revision/main", http.StatusFound)
	}))
	defer other.Close()
	h.onHead, h.onGet = nil, nil
	first := true
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		if first {
			first = false
			http.Redirect(w, r, other.URL, http.StatusFound)
			return true
		}
		if got := r.Header.Get("Authorization"); got != "Bearer "+testToken {
			t.Errorf("the hub got %q", got)
		}
		return false
	}
	if _, err := pull(h.settings(t), Main, Options{}); err != nil {
		t.Fatal(err)
	}
}

// The token goes to the hub and nowhere else.
func TestToken(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	h.private = true
	s := h.settings(t)
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	if len(h.tokens) != 2 || h.tokens[0]+h.tokens[1] != "" {
		t.Errorf("the storage saw %q", h.tokens)
	}

	s = h.settings(t)
	s.token = ""
	_, err = pull(s, Main, Options{})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "set HF_TOKEN") || !strings.Contains(err.Error(), h.URL+"/"+testModel) ||
		!strings.Contains(err.Error(), "Access to model is restricted") {
		t.Errorf("%v", err)
	}
	s.token = "hf_wrong"
	if _, err = pull(s, Main, Options{}); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "check HF_TOKEN") || strings.Contains(err.Error(), "hf_wrong") {
		t.Errorf("%v", err)
	}
}

// A mirror lies in a folder of its host and has a password of its own.
func TestMirror(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "secret" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		http.StripPrefix("/hf", http.HandlerFunc(h.serve)).ServeHTTP(w, r)
	}))
	defer mirror.Close()
	s := h.settings(t)
	s.token = ""
	s.endpoint, _ = url.Parse(strings.Replace(mirror.URL, "://", "://me:secret@", 1) + "/hf")
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	s.endpoint, _ = url.Parse(strings.Replace(mirror.URL, "://", "://me:wrong@", 1) + "/hf")
	if _, err = pull(s, Main, Options{Refresh: true}); !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "wrong") {
		t.Errorf("%v", err)
	}
}
