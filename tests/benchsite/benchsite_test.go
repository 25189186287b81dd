package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// The queries are as many as the documentation says, and no text occurs twice.
func TestQueries(t *testing.T) {
	texts := map[string]bool{}
	for _, name := range []string{"questions.jsonl", "keywords.jsonl"} {
		queries, err := readQueries(filepath.Join("testdata", name), func(page string) bool { return strings.HasSuffix(page, ".html") })
		if err != nil {
			t.Fatal(err)
		}
		if len(queries) != 60 {
			t.Errorf("%s has %d queries, want 60", name, len(queries))
		}
		for _, q := range queries {
			if texts[q.Text] {
				t.Errorf("%s: %q occurs twice", name, q.Text)
			}
			texts[q.Text] = true
		}
	}
}

func TestQueriesAreRefused(t *testing.T) {
	const good = `{"_id":"a","text":"x","pages":["a.html"]}` + "\n"
	for name, content := range map[string]string{
		"no pages":     `{"_id":"a","text":"x","pages":[]}`,
		"no text":      `{"_id":"a","pages":["a.html"]}`,
		"same id":      good + `{"_id":"a","text":"y","pages":["a.html"]}`,
		"same text":    good + `{"_id":"b","text":"x","pages":["a.html"]}`,
		"unknown page": `{"_id":"a","text":"x","pages":["b.html"]}`,
		"no JSON":      good + "pages",
	} {
		path := filepath.Join(t.TempDir(), "queries.jsonl")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readQueries(path, func(page string) bool { return page == "a.html" }); err == nil {
			t.Errorf("%s: read as %v", name, got)
		}
	}
}

func TestJudge(t *testing.T) {
	q := query{ID: "a", Text: "x", Pages: []string{"right.html", "too.html"}}
	for _, c := range []struct {
		hits        string
		first, five int
	}{
		{"right.html", 1, 1},
		{"too.html b.html", 1, 1},
		{"b.html right.html", 0, 1},
		{"b.html b.html b.html b.html b.html right.html", 0, 1}, // five passages of one page
		{"b.html c.html d.html e.html right.html", 0, 1},
		{"b.html c.html d.html e.html f.html right.html", 0, 0},
		{"b.html", 0, 0},
		{"", 0, 0},
	} {
		var got quality
		got.judge(q, strings.Fields(c.hits))
		if want := (quality{Queries: 1, First: c.first, Five: c.five}); got != want {
			t.Errorf("%q: %+v, want %+v", c.hits, got, want)
		}
	}
}

func TestParseRun(t *testing.T) {
	got, err := parseRun("q1 Q0 a.html#one 1 0.5 tag\nq1 Q0 b.html 2 0.4 tag\nq2 Q0 a.html#two 1 0.5 tag\n")
	if err != nil || !slices.Equal(got["q1"], []string{"a.html", "b.html"}) || !slices.Equal(got["q2"], []string{"a.html"}) {
		t.Errorf("read as %v, %v", got, err)
	}
	if _, err := parseRun("q1 a.html 1\n"); err == nil {
		t.Error("a line of three fields is read")
	}
}

func TestMedian(t *testing.T) {
	for want, of := range map[float64][]float64{0: nil, 3: {9, 1, 3}, 2.5: {4, 1, 3, 2}} {
		if got := median(of); got != want {
			t.Errorf("the median of %v is %v, want %v", of, got, want)
		}
	}
}

// The line is as slow as it says, also for two connections at once, and counts what it
// carries.
func TestLine(t *testing.T) {
	t.Parallel()
	const body, rate, roundTrip = 20_000, 200_000, 40 * time.Millisecond
	l := &line{rate: rate, roundTrip: roundTrip}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file.bin"), make([]byte, body), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := harness.Serve(&host{dir: dir, asked: l.asked})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	listener, err := l.listen(strings.TrimPrefix(server.URL(""), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()

	fetch := func() error {
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		answer, err := (&http.Client{Transport: transport}).Get("http://" + listener.Addr().String() + "/file.bin")
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if n, err := io.Copy(io.Discard, answer.Body); err != nil || n != body {
			t.Errorf("%d bytes came, %v; want %d", n, err, body)
		}
		return nil
	}
	begun := time.Now()
	done := make(chan error)
	for range 2 {
		go func() { done <- fetch() }()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	// A round trip connects, another asks and answers.
	least := 2*roundTrip + time.Duration(float64(2*body)/rate*float64(time.Second))
	if took := time.Since(begun); took < least {
		t.Errorf("two files took %v, less than the line's %v", took, least)
	}
	bytes, requests := l.until(time.Now())
	if bytes < 2*body || bytes > 2*body+2000 || len(requests) != 2 || requests[0].path != "/file.bin" {
		t.Errorf("%d bytes and the requests %v were counted, want two files of %d", bytes, requests, body)
	}
	if bytes, requests := l.until(begun); bytes != 0 || requests != nil {
		t.Errorf("%d bytes and the requests %v were counted before the first", bytes, requests)
	}
}

// The host packs texts, and leaves other files and other folders alone.
func TestHost(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("words ", 1000)
	for _, name := range []string{"index.html", "data.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server, err := harness.Serve(&host{dir: dir, asked: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for path, want := range map[string]struct {
		status int
		packed bool
	}{"/": {200, true}, "/index.html": {200, true}, "/data.bin": {200, false}, "/none.html": {404, false}, "/%2e%2e/x.html": {400, false}} {
		request, err := http.NewRequest(http.MethodGet, server.URL(path), nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", "gzip")
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if packed := answer.Header.Get("Content-Encoding") == "gzip"; answer.StatusCode != want.status || packed != want.packed {
			t.Errorf("%s: status %d, packed %v, want %+v", path, answer.StatusCode, packed, want)
		}
	}
}

// The pages are those that are given, whatever an earlier run has left, and the index of an earlier run stays.
func TestCopyPages(t *testing.T) {
	dir, pages := filepath.Join(t.TempDir(), "site"), t.TempDir()
	write := func(path, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(pages, "a.html"), "new")
	write(filepath.Join(pages, "sub", "b.html"), "new")
	for range 2 {
		if err := copyPages(dir, pages, "search"); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{"a.html": "new", "sub/b.html": "new", "old.html": ""} {
			if got, _ := os.ReadFile(filepath.Join(dir, path)); string(got) != want {
				t.Errorf("%s is %q, want %q", path, got, want)
			}
		}
		write(filepath.Join(dir, "a.html"), "ol") // cut off
		write(filepath.Join(dir, "old.html"), "old")
		write(filepath.Join(dir, "search", "index.html"), "index")
	}
	if err := copyPages(dir, pages, "search"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "search", "index.html")); string(got) != "index" {
		t.Error("the index of an earlier run is gone")
	}
}
