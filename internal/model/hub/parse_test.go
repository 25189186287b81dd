package hub

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/retry"
)

func TestContentRange(t *testing.T) {
	for header, want := range map[string][2]int64{"bytes 0-9/10": {0, 10}, "bytes 5-9/10": {5, 10}, "bytes 5-9/*": {5, -1}, "bytes 5-5/6": {5, 6}} {
		if from, size, err := parseContentRange(header); err != nil || from != want[0] || size != want[1] {
			t.Errorf("%q: %d of %d (%v)", header, from, size, err)
		}
	}
	for _, header := range []string{"", "bytes", "bytes */10", "bytes 5-9", "bytes 9-5/10", "bytes 5-10/10", "bytes -5-9/10", "bytes 5-9/9999999999999999999", "items 0-9/10", "bytes 0-9/", "bytes +1-9/10"} {
		if _, _, err := parseContentRange(header); err == nil {
			t.Errorf("%q is taken", header)
		}
	}
}

// No headers cause a panic, and only hashes become names of files.
func FuzzHeaders(f *testing.F) {
	f.Add(`"`+testCommit+`"`, "12", "5", "bytes 0-9/10", `"api";r=0;t=55`)
	f.Add(`W/"`+strings.Repeat("ab", 32)+`"`, "", "Wed, 01 Jul 2026 12:01:30 GMT", "bytes 1-2/*", "t=")
	f.Add("../../../../../../../../../../../../../../", "-1", "-1", "bytes 9-1/3", "")
	f.Fuzz(func(t *testing.T, etag, size, after, span, limit string) {
		h := http.Header{"X-Linked-Etag": {etag}, "X-Linked-Size": {size}, "Retry-After": {after}, "Ratelimit": {limit}}
		if m, err := metaOf(h, 3); err == nil && (!isHex(m.etag) || len(m.etag) != 40 && len(m.etag) != 64 || m.size < 0 || m.size > maxFile) {
			t.Errorf("%+v", m)
		}
		if d := retry.After(h, time.Now()); d < 0 || d > 24*time.Hour {
			t.Errorf("wait %v", d)
		}
		if from, size, err := parseContentRange(span); err == nil && (from < 0 || size >= 0 && from >= size) {
			t.Errorf("from %d of %d", from, size)
		}
	})
}

func FuzzListing(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(`{"sha": %q, "siblings": [{"rfilename": "config.json"}]}`, testCommit)))
	f.Add([]byte(`{"sha": null, "siblings": {}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if commit, _, err := parseListing(body); err == nil && !isCommit(commit) {
			t.Errorf("commit %q", commit)
		}
	})
}

// The hashes are those of sha256sum and of git hash-object.
func TestDigests(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, []byte("hello\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, etag := range []string{"ce013625030ba8dba906f756967f9e9ca394464a", "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"} {
		if what, got, err := checkFile(t.Context(), name, 6, etag); err != nil || what != "" {
			t.Errorf("%s: %s is %s (%v)", etag, what, got, err)
		}
		if what, _, err := checkFile(t.Context(), name, 7, etag); err != nil || what != "size" {
			t.Errorf("%s (%v)", what, err)
		}
		other := "0" + etag[1:]
		if what, got, err := checkFile(t.Context(), name, 6, other); err != nil || what == "" || got != etag {
			t.Errorf("%s is %s (%v)", what, got, err)
		}
	}
	for header, want := range map[string]string{`"abc"`: "abc", `W/"abc"`: "abc", "ABC": "abc", "": ""} {
		if got := normalETag(header); got != want {
			t.Errorf("%q: %q", header, got)
		}
	}
}

func TestSettings(t *testing.T) {
	home := t.TempDir()
	clean := func() {
		for _, name := range []string{"HF_ENDPOINT", "HF_HOME", "XDG_CACHE_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_TOKEN", "HF_TOKEN_PATH", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"} {
			t.Setenv(name, "")
		}
		t.Setenv("HOME", home)
	}
	write := func(name, content string) {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".cache/huggingface/token", "hf_default\n")
	write("elsewhere/token", " hf_elsewhere ")
	write("long", strings.Repeat("x", 5000))
	standard := settings{token: "hf_default", cache: filepath.Join(home, ".cache/huggingface/hub")}
	for _, c := range []struct {
		set      string
		endpoint string
		change   func(*settings)
		fault    string
	}{
		{"", defaultEndpoint, func(*settings) {}, ""},
		{"HF_ENDPOINT=https://mirror.example/hf/", "https://mirror.example/hf", func(*settings) {}, ""},
		{"XDG_CACHE_HOME=/c", defaultEndpoint, func(s *settings) { s.cache, s.token = "/c/huggingface/hub", "" }, ""},
		{"HF_HOME=~/elsewhere", defaultEndpoint, func(s *settings) { s.cache, s.token = filepath.Join(home, "elsewhere/hub"), "hf_elsewhere" }, ""},
		{"HF_HUB_CACHE=$HOME/c", defaultEndpoint, func(s *settings) { s.cache = filepath.Join(home, "c") }, ""},
		{"HUGGINGFACE_HUB_CACHE=/c", defaultEndpoint, func(s *settings) { s.cache = "/c" }, ""},
		{"HF_TOKEN= hf_x ", defaultEndpoint, func(s *settings) { s.token = "hf_x" }, ""},
		{"HF_TOKEN_PATH=~/elsewhere/token", defaultEndpoint, func(s *settings) { s.token = "hf_elsewhere" }, ""},
		{"HF_TOKEN_PATH=/nowhere", defaultEndpoint, func(s *settings) { s.token = "" }, ""},
		{"HF_HUB_OFFLINE=1", defaultEndpoint, func(s *settings) { s.offline, s.token = true, "" }, ""},
		{"HF_HUB_OFFLINE=true", defaultEndpoint, func(s *settings) { s.offline, s.token = true, "" }, ""},
		{"HF_HUB_OFFLINE=0", defaultEndpoint, func(s *settings) {}, ""},
		{"TRANSFORMERS_OFFLINE=yes", defaultEndpoint, func(s *settings) { s.offline, s.token = true, "" }, ""},
		{"HF_ENDPOINT=ftp://x", "", nil, "not an http:// or https://"},
		{"HF_ENDPOINT=mirror", "", nil, "not an http:// or https://"},
		{"HF_ENDPOINT=http://", "", nil, "not an http:// or https://"},
		{"HF_ENDPOINT=http://x/?y", "", nil, "not an http:// or https://"},
		{"HF_ENDPOINT=https://me:hf_a@x/?y", "", nil, "https://me:xxxxx@x/?y"},
		{"HF_ENDPOINT=https://me:hf_a@x:y", "", nil, "HF_ENDPOINT is not"},
		{"HF_TOKEN_PATH=~/long", "", nil, "at most 4096 bytes"},
		{"HF_TOKEN_PATH=~", "", nil, "no token file"},
		{"HF_TOKEN=hf_a\nX-Header: b", "", nil, "characters that no token has"},
	} {
		clean()
		if key, value, ok := strings.Cut(c.set, "="); ok {
			t.Setenv(key, value)
		}
		s, err := settingsFromEnvironment()
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "hf_a") {
				t.Errorf("%s: %v", c.set, err)
			}
			continue
		}
		want := standard
		c.change(&want)
		if err != nil || s.endpoint.String() != c.endpoint || s.cache != want.cache || s.token != want.token || s.offline != want.offline {
			t.Errorf("%s: %+v (%v), want %+v", c.set, s, err, want)
		}
	}
}
