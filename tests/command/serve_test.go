package command

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func newSite(t *testing.T) (dir string) {
	t.Helper()
	dir = newCorpus(t)
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "site", "--site")
	return dir
}

func TestServeHeaders(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	files := list(t, filepath.Join(dir, "site"))
	s := serve(t, dir, "site")
	const immutable = "public, max-age=31536000, immutable"
	seen := map[string]bool{}
	for name, content := range files {
		kind, cache := "", "no-cache"
		switch ext := filepath.Ext(name); ext {
		case ".html":
			kind = "text/html"
		case ".js":
			kind = "text/javascript"
		case ".css":
			kind = "text/css"
		case ".svg":
			kind = "image/svg+xml"
		case ".png":
			kind = "image/png"
		case ".webmanifest":
			kind = "application/manifest+json"
		case ".json":
			kind = "application/json"
		case ".wasm":
			kind = "application/wasm"
		case ".gz":
			kind = "application/gzip"
		case ".bin", ".safetensors":
			kind, cache = "application/octet-stream", immutable
		case ".txt":
			kind = "text/plain"
		default:
			t.Errorf("%s: no type for %s in the test", name, ext)
		}
		seen[kind] = true
		r, body := s.ask(t, "GET", "/"+name)
		h := r.Header
		if r.StatusCode != 200 || body != content || !strings.HasPrefix(h.Get("Content-Type"), kind) || h.Get("Cache-Control") != cache ||
			h.Get("Content-Encoding") != "" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("ETag") == "" || h.Get("Access-Control-Allow-Origin") != "" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "script-src 'self' 'wasm-unsafe-eval';") {
			t.Errorf("%s: %d %d bytes %v", name, r.StatusCode, len(body), h)
		}
		head, empty := s.ask(t, "HEAD", "/"+name)
		if head.StatusCode != 200 || empty != "" || head.ContentLength != int64(len(content)) || head.Header.Get("Content-Type") != h.Get("Content-Type") {
			t.Errorf("HEAD %s: %d %d bytes %v", name, head.StatusCode, head.ContentLength, head.Header)
		}
		if again, body := s.ask(t, "GET", "/"+name, "If-None-Match", h.Get("ETag")); again.StatusCode != 304 || body != "" {
			t.Errorf("%s, known already: %d", name, again.StatusCode)
		}
	}
	if len(seen) < 8 {
		t.Errorf("types seen: %v", seen)
	}
	if r, body := s.ask(t, "GET", "/index.html", "Range", "bytes=0-8"); r.StatusCode != 206 || body != files["index.html"][:9] {
		t.Errorf("a range: %d %q", r.StatusCode, body)
	}
	if r, body := s.ask(t, "GET", "/"); r.StatusCode != 200 || body != files["index.html"] {
		t.Errorf("/: %d", r.StatusCode)
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"} {
		if r, _ := s.ask(t, method, "/index.html"); r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d %v", method, r.StatusCode, r.Header)
		}
	}
}

func TestServeRefuses(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	write(t, dir, "secret.txt", "top secret")
	write(t, dir, "site/.env", "top secret")
	write(t, dir, "site/.git/config", "top secret")
	write(t, dir, "site/bare/file.txt", "no page in here")
	write(t, dir, "site/sub/index.html", "a page in a folder")
	for link, to := range map[string]string{"out.txt": "../secret.txt", "etc": "/etc", "up": "..", "in.txt": "bare/file.txt"} {
		if err := os.Symlink(to, filepath.Join(dir, "site", link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "site", "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, dir, "site")
	for _, target := range []string{
		"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/sub/../../secret.txt", "/sub/%2e%2e/%2e%2e/secret.txt",
		"//etc/passwd", "/etc/passwd", "/up/secret.txt", "/out.txt", "/.env", "/.git/config", "/sub/../.env", "/%2eenv",
		"/..\\secret.txt", "/%5c..%5csecret.txt", "/index.html%00.txt", "/./index.html", "/index.html/", "/bare", "/bare/", "/collection/",
		"/lib/", "/pipe", "/nothing", "/sub//index.html", "/etc", "/up/",
	} {
		answer := s.raw(t, "GET "+target+" HTTP/1.1")
		status, _, _ := strings.Cut(answer, "\r\n")
		if !strings.Contains(status, " 404 ") && !strings.Contains(status, " 400 ") || strings.Contains(answer, "top secret") || strings.Contains(answer, "root:") {
			t.Errorf("%s: %q", target, answer)
		}
		if strings.Contains(status, " 404 ") && (!strings.Contains(answer, "Cache-Control: no-store") || !strings.Contains(answer, "X-Content-Type-Options: nosniff")) {
			t.Errorf("%s: %q", target, answer)
		}
	}
	for _, line := range []string{"GET ../secret.txt HTTP/1.1", "GET http://other/../secret.txt HTTP/1.1", "nonsense", "GET / HTTP/9.9", "GET /" + strings.Repeat("a", 100_000) + " HTTP/1.1"} {
		if answer := s.raw(t, line); strings.Contains(answer, "top secret") || strings.HasPrefix(answer, "HTTP/1.1 200") {
			t.Errorf("%.60s: %.200q", line, answer)
		}
	}
	if r, body := s.ask(t, "GET", "/in.txt"); r.StatusCode != 200 || body != "no page in here" {
		t.Errorf("a link that stays inside: %d", r.StatusCode)
	}
	if r, _ := s.ask(t, "GET", "/sub?x=1"); r.StatusCode != 301 || r.Header.Get("Location") != "./sub/?x=1" {
		t.Errorf("a folder without its slash: %d %v", r.StatusCode, r.Header)
	}
	if r, body := s.ask(t, "GET", "/sub/"); r.StatusCode != 200 || body != "a page in a folder" {
		t.Errorf("a folder's page: %d", r.StatusCode)
	}
}

func TestServeCORS(t *testing.T) {
	t.Parallel()
	s := serve(t, newSite(t), "site", "--cors")
	for _, path := range []string{"/collection/manifest.json", "/nothing"} {
		if r, _ := s.ask(t, "GET", path, "Origin", "https://example.org"); r.Header.Get("Access-Control-Allow-Origin") != "*" || r.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
			t.Errorf("%s: %v", path, r.Header)
		}
	}
}

// A bare collection is served with the page around it.
func TestServeCollection(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	const name = "Cats & ships"                                                                                          // the page around a bare collection has it as its title
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "site", "--site", "--terms=false", "--name", name) // like the bare collections
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "c", "--name", name)
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "nested/collection", "--name", name)
	site := list(t, filepath.Join(dir, "site"))
	for _, folder := range []string{"c", "nested"} {
		s := serve(t, dir, folder)
		for name, content := range site {
			r, body := s.ask(t, "GET", "/"+name)
			if r.StatusCode != 200 || body != content {
				t.Errorf("%s of %s: %d, %d bytes, the site has %d", name, folder, r.StatusCode, len(body), len(content))
			}
			if again, _ := s.ask(t, "GET", "/"+name, "If-None-Match", r.Header.Get("ETag")); again.StatusCode != 304 {
				t.Errorf("%s of %s, known already: %d", name, folder, again.StatusCode)
			}
		}
		for _, path := range []string{"/lib", "/lib/", "/manifest.json", "/collection", "/demo/index.html", "/embed.go", "/lib/../embed.go"} {
			if r, _ := s.ask(t, "GET", path); r.StatusCode != 404 {
				t.Errorf("%s of %s: %d", path, folder, r.StatusCode)
			}
		}
	}
}

// A served collection can be searched and verified by its address.
func TestSearchServed(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	s := serve(t, dir, "site")
	want := must(t, dir, "search", "site", "--json", "--query", "sleeping cats").stdout
	for _, url := range []string{s.url, strings.TrimSuffix(s.url, "/"), s.url + "collection", s.url + "collection/"} {
		if got := must(t, dir, "search", url, "--json", "--query", "sleeping cats").stdout; got != want {
			t.Errorf("%s: %s", url, got)
		}
	}
	must(t, dir, "inspect", s.url, "--verify")
	fails(t, input, dir, []string{"search", s.url + "lib", "--query", "x"}, "404")
	vectors, _ := filepath.Glob(filepath.Join(dir, "site/collection/vectors/*"))
	if err := os.Truncate(vectors[0], 100); err != nil {
		t.Fatal(err)
	}
	fails(t, input, dir, []string{"search", s.url, "--query", "x"}, "vectors/")
	fails(t, input, dir, []string{"inspect", s.url, "--verify"}, "vectors/")
}

func TestServeStarts(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	s := serve(t, dir, "site")
	taken := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	fails(t, failed, dir, []string{"serve", "site", "--listen", taken}, "--listen")
	fails(t, input, dir, []string{"serve", "nowhere"}, "nowhere")
	fails(t, input, dir, []string{"serve", "corpus.jsonl"}, "a file where a folder")
	write(t, dir, "torn/manifest.json", `{"format": "vantage-collection", "version": 1}`)
	fails(t, input, dir, []string{"serve", "torn"}, "manifest.json")
	write(t, dir, "plain/notes.txt", "just a file")
	p := serve(t, dir, "plain")
	if r, body := p.ask(t, "GET", "/notes.txt"); r.StatusCode != 200 || body != "just a file" {
		t.Errorf("%d %q", r.StatusCode, body)
	}
	p.stop(t, syscall.SIGTERM)
	if !strings.Contains(p.stderr.String(), "neither a page") {
		t.Errorf("%q", p.stderr.String())
	}
	p.stderr.Reset()
}

// A signal ends the server immediately, except that an answer under way is
// finished, also by a client that reads slowly.
func TestServeStops(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT} {
		dir := newSite(t)
		large := strings.Repeat("0123456789abcdef", 2<<20)
		write(t, dir, "site/large.bin", large)
		s := serve(t, dir, "site")
		r, err := http.Get(s.url + "large.bin")
		if err != nil {
			t.Fatal(err)
		}
		s.cmd.Process.Signal(signal)
		if signal == syscall.SIGTERM {
			time.Sleep(6 * time.Second) // a slow client has longer than the five seconds that are there after all else, too
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || len(body) != len(large) {
			t.Errorf("%v: the answer under way has %d bytes of %d (%v)", signal, len(body), len(large), err)
		}
		s.ended(t)
		if _, err := http.Get(s.url); err == nil {
			t.Errorf("%v: the server still answers", signal)
		}
	}
}
