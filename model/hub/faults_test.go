package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const weights = "model.safetensors"

// partOf is what an interrupted download of the weights left.
func partOf(s settings, h *fakeHub) string {
	return filepath.Join(s.cache, "models--org--tiny-model", "blobs", etagFor(weights, h.files[weights])+".incomplete")
}

// The storage breaks off again and again: what is there is not asked for twice.
func TestCutConnections(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		cut(w, r, content, 20_000)
		return true
	}
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	ranges := 0
	for _, request := range h.seen() {
		if strings.Contains(request, "bytes=") && strings.HasPrefix(request, "GET storage/") {
			ranges++
		}
	}
	if ranges < 14 { // 300,000 bytes in pieces of 20,000
		t.Errorf("%d requests for the rest", ranges)
	}
}

// A cut small file, and a server that knows no ranges: it begins anew.
func TestNoRanges(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	cuts := 0
	whole := func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		r.Header.Del("Range")
		if name == weights || name == "tokenizer.json" {
			if cuts++; cuts%3 != 0 {
				cut(w, r, content, len(content)*cuts/9)
			}
		}
		cut(w, r, content, len(content))
		return true
	}
	h.onStorage, h.onGet = whole, func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		return !isLFS(name) && whole(w, r, name, content)
	}
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	if cuts != 6 {
		t.Errorf("%d attempts", cuts)
	}
}

// Who never gets further gives up, keeps what there is, and the next call goes on there.
func TestGiveUpAndResume(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	sent := 0
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		if name != weights {
			return false
		}
		after := 0
		if sent++; sent == 1 {
			after = 123_456
		}
		cut(w, r, content, after)
		return true
	}
	_, err := pull(s, Main, Options{})
	var broken *UnreachableError
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "(tried 4 times)") || !strings.Contains(err.Error(), weights) {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(partOf(s, h)); err != nil || info.Size() != 123_456 {
		t.Errorf("%v (%v)", info, err)
	}
	dir := filepath.Join(s.cache, "models--org--tiny-model")
	checkVisible(t, h, dir)
	if _, err := os.Stat(filepath.Join(dir, "refs")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a revision was recorded although its files are not there")
	}
	h.mu.Lock()
	h.onStorage = nil
	h.mu.Unlock()
	h.seen()
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	if requests := strings.Join(h.seen(), "\n"); !strings.Contains(requests, "GET storage/lfs/model.safetensors bytes=123456-") {
		t.Errorf("not resumed:\n%s", requests)
	}
}

// What an earlier process left is wrong, too long, or as long as the whole.
func TestBadRest(t *testing.T) {
	for _, size := range []int{1, 1000, 300_000, 300_001, 500_000} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		part := partOf(s, h)
		if err := errors.Join(os.MkdirAll(filepath.Dir(part), 0o755), os.WriteFile(part, make([]byte, size), 0o644)); err != nil {
			t.Fatal(err)
		}
		snapshot, err := pull(s, Main, Options{})
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		h.isWhole(t, snapshot, tinyNeeded)
	}
}

// A storage that sends something else, once or always; a size or hash that HEAD states wrongly.
func TestWrongContent(t *testing.T) {
	corrupt := func(content []byte) []byte {
		b := append([]byte(nil), content...)
		b[len(b)/2] ^= 1
		return b
	}
	for name, c := range map[string]struct {
		send  func(w http.ResponseWriter, r *http.Request, content []byte)
		what  string // in the error
		times int    // after which all is well; 0: never
	}{
		"flipped once":    {func(w http.ResponseWriter, r *http.Request, b []byte) { w.Write(corrupt(b)) }, "", 1},
		"flipped":         {func(w http.ResponseWriter, r *http.Request, b []byte) { w.Write(corrupt(b)) }, "SHA-256 is ", 0},
		"shorter":         {sized(func(b []byte) []byte { return b[:100] }), "size is 100 bytes, expected 300000 bytes", 0},
		"longer":          {sized(func(b []byte) []byte { return append(b[:len(b):len(b)], 1, 2) }), "size is 300002 bytes, expected 300000 bytes", 0},
		"chunked, longer": {chunked(func(b []byte) []byte { return append(b[:len(b):len(b)], 1) }), "size is more than that, expected 300000 bytes", 0},
		"chunked, shorter": {chunked(func(b []byte) []byte { return b[:len(b)-1] }),
			"after 299999 of 300000 bytes", 0},
		"chunked":          {chunked(func(b []byte) []byte { return b }), "", 99},
		"page of a portal": {func(w http.ResponseWriter, r *http.Request, b []byte) { fmt.Fprint(w, "<html>Log in</html>") }, "size is 19 bytes", 0},
		"compressed": {func(w http.ResponseWriter, r *http.Request, b []byte) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(b)
		}, "encoding", 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := newFakeHub(t, tinyModel())
			s := h.settings(t)
			sent := 0
			h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
				if name != weights {
					return false
				}
				if sent++; c.times > 0 && sent > c.times {
					return false
				}
				c.send(w, r, content)
				return true
			}
			snapshot, err := pull(s, Main, Options{})
			if c.what == "" {
				if err != nil {
					t.Fatal(err)
				}
				h.isWhole(t, snapshot, tinyNeeded)
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.what) || !strings.Contains(err.Error(), weights) {
				t.Errorf("%v, want %q", err, c.what)
			}
			checkVisible(t, h, filepath.Join(s.cache, "models--org--tiny-model"))
			if sent > 20 {
				t.Errorf("asked %d times", sent)
			}
		})
	}
}

func sized(of func([]byte) []byte) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, r *http.Request, content []byte) {
		b := of(content)
		w.Header().Set("Content-Length", fmt.Sprint(len(b)))
		w.Write(b)
	}
}

func chunked(of func([]byte) []byte) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, r *http.Request, content []byte) {
		w.(http.Flusher).Flush()
		w.Write(of(content))
	}
}

// A range that was not asked for is never written.
func TestWrongRange(t *testing.T) {
	for _, header := range []string{"bytes 0-299999/300000", "bytes 1001-299999/300000", "bytes 1000-299999/999999", "bytes 1000-", "pages 1-2/3", ""} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		part := partOf(s, h)
		if err := errors.Join(os.MkdirAll(filepath.Dir(part), 0o755), os.WriteFile(part, h.files[weights][:1000], 0o644)); err != nil {
			t.Fatal(err)
		}
		h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
			if r.Header.Get("Range") == "" {
				return false
			}
			w.Header().Set("Content-Range", header)
			w.WriteHeader(http.StatusPartialContent)
			w.Write(content)
			return true
		}
		if _, err := pull(s, Main, Options{}); err == nil || !strings.Contains(err.Error(), weights) {
			t.Errorf("%q: %v", header, err)
		}
		if b, err := os.ReadFile(part); err != nil || string(b) != string(h.files[weights][:1000]) {
			t.Errorf("%q: %d bytes are left (%v)", header, len(b), err)
		}
	}
}

// The file is another one between HEAD and GET: it is asked for again.
func TestChangedBetween(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		if name == weights {
			h.mu.Lock()
			h.onStorage, h.files[weights] = nil, randomBytes(77, 310_000)
			h.mu.Unlock()
			w.Write(h.files[weights])
		}
		return name == weights
	}
	snapshot, err := pull(s, Main, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
}

// A server that stops sending, or never begins.
func TestStalled(t *testing.T) {
	for _, after := range []int{0, 50_000} {
		h := newFakeHub(t, tinyModel())
		s := h.settings(t)
		sent := 0
		h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
			if name != weights {
				return false
			}
			if sent++; sent > 1 {
				return false
			}
			if after > 0 {
				w.Header().Set("Content-Length", fmt.Sprint(len(content)))
				w.Write(content[:after])
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
			return true
		}
		brisk := quick
		brisk.stall = 300 * time.Millisecond
		snapshot, err := pullWith(t.Context(), s, Main, Options{}, brisk)
		if err != nil {
			t.Fatal(err)
		}
		h.isWhole(t, snapshot, tinyNeeded)

		h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
			<-r.Context().Done()
			return true
		}
		_, err = pullWith(t.Context(), h.settings(t), Main, Options{}, brisk)
		if err == nil || !strings.Contains(err.Error(), errStalled.Error()) {
			t.Errorf("%v", err)
		}
	}
}

// The end of the context ends everything, at once, and leaves what can be resumed.
func TestCancelled(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h.onStorage = func(w http.ResponseWriter, r *http.Request, name string, content []byte) bool {
		if name != weights {
			return false
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:100_000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	_, err := pullWith(ctx, s, Main, Options{Progress: func(done, total int64) {
		if done > 100_000 {
			cancel()
		}
	}}, quick)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(partOf(s, h)); err != nil || info.Size() != 100_000 {
		t.Errorf("%v (%v)", info, err)
	}
	// While waiting, too.
	h.mu.Lock()
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	h.mu.Unlock()
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	slow := quick
	slow.wait = time.Hour
	_, err = pullWith(ctx, s, Main, Options{Notice: func(text string) {
		if !strings.Contains(text, "429") || !strings.Contains(text, "trying again in 60 s") {
			t.Errorf("notice %q", text)
		}
		cancel()
	}}, slow)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Refusals, each with its remedy; those that pass are asked again.
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
		// The same every second time.
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

// Retry-After is obeyed, and a hub that asks for more than anybody waits is not waited for.
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

// The signature of an address ran out: the hub gives another.
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
	if err == nil || strings.Contains(err.Error(), "licence") || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "the hub sent us there") {
		t.Errorf("%v", err)
	}
}

// Redirects: in circles, to other schemes, down from https, with credentials; and the relative ones by which the hub
// answers for renamed models and small files.
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

	// Another host sends on with a name and password of its own, and back to the hub.
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

// HEAD answers that nothing can be checked by, and lists that are none.
func TestUselessAnswers(t *testing.T) {
	for name, set := range map[string]func(http.Header){
		"neither a SHA-1 nor a SHA-256": func(h http.Header) { h.Set("X-Linked-Etag", `"../../evil"`) },
		`"../evil" is neither`:          func(h http.Header) { h.Set("X-Linked-Etag", `../evil`) },
		`X-Linked-Size is "many"`:       func(h http.Header) { h.Set("X-Linked-Size", "many") },
		"size is 9007199254740992":      func(h http.Header) { h.Set("X-Linked-Size", "9007199254740992") },
		"tells no size":                 func(h http.Header) { h.Set("X-Linked-Size", "-5") },
		"it is of commit":               func(h http.Header) { h.Set("X-Repo-Commit", strings.Repeat("a", 40)) },
	} {
		h := newFakeHub(t, tinyModel())
		h.onHead = func(w http.ResponseWriter, r *http.Request, file string, content []byte) bool {
			if file == weights {
				set(w.Header())
			}
			return false
		}
		s := h.settings(t)
		if _, err := pull(s, Main, Options{}); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), weights) {
			t.Errorf("%s: %v", name, err)
		}
		checkVisible(t, h, filepath.Join(s.cache, "models--org--tiny-model"))
	}
	for body, part := range map[string]string{
		"<html>": "invalid character", "{}": "no hash", `{"sha": "main"}`: "no hash", `{"sha": 3}`: "cannot unmarshal", `{"sha": "../../../../../../../../../../../../../../.."}`: "no hash",
		`{"sha": "` + testCommit + `"}`: "no weights", `{"sha": "` + testCommit + `", "siblings": [{"rfilename": "model.safetensors"}]}`: "no config.json",
		`{"sha": "` + testCommit + `", "siblings": [` + strings.Repeat(`{"rfilename": "x"},`, maxListed) + `{}]}`: "100001 files, at most 100000",
		strings.Repeat(" ", maxListing+1): "more than 67108864 bytes",
	} {
		h := newFakeHub(t, tinyModel())
		h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
			fmt.Fprint(w, body)
			return true
		}
		if _, err := pull(h.settings(t), Main, Options{}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%.80s: %v", body, err)
		}
	}
	h := newFakeHub(t, tinyModel())
	h.onList = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
		w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		return false
	}
	if _, err := pull(h.settings(t), Main, Options{}); err == nil || !strings.Contains(err.Error(), "header") {
		t.Errorf("%v", err)
	}
}

// Files that are parsed may not be of any size.
func TestHugeIndex(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	h.onHead = func(w http.ResponseWriter, r *http.Request, file string, content []byte) bool {
		if file == modulesFile {
			w.Header().Set("Content-Length", "99999999")
		}
		return file == modulesFile
	}
	if _, err := pull(h.settings(t), Main, Options{}); err == nil || !strings.Contains(err.Error(), "modules.json: 99999999 bytes, at most 16777216") {
		t.Errorf("%v", err)
	}
}
