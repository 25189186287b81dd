package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// fromNode is the output of testdata/search.mjs.
type fromNode struct {
	Results  []string
	InWorker bool
	Encoder  int64 // bytes of the encoder's files, according to downloads()
}

// inNode runs queries with the JavaScript library under Node.js.
func inNode(t *testing.T, node, dir, collection string, options map[string]any, queries []search.Query) fromNode {
	t.Helper()
	asked := make([]map[string]any, len(queries))
	for i, q := range queries {
		asked[i] = forLibrary(q)
	}
	given, err := json.Marshal(map[string]any{
		"library": "file://" + filepath.Join(tools.Root(), "static/lib/index.js"), "collection": collection, "options": options, "queries": asked,
	})
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/search.mjs")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script)
	cmd.Dir = dir
	cmd.Stdin, cmd.Stderr = bytes.NewReader(given), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got fromNode
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return got
}

// forLibrary converts a query to the form that pages write.
func forLibrary(q search.Query) map[string]any {
	value := func(t search.Text) any {
		if t.Vector != nil {
			return t.Vector
		}
		return t.Text
	}
	out := map[string]any{"query": value(q.Query)}
	if q.Root != nil {
		out["root"] = value(*q.Root)
	}
	if len(q.Perspectives) > 0 {
		var sides []any
		for _, p := range q.Perspectives {
			sides = append(sides, value(p))
		}
		out["perspectives"] = sides
	}
	if q.Method != "" {
		out["method"] = q.Method
	}
	if q.Score != "" {
		out["score"] = q.Score
	}
	if q.Lambda != nil {
		out["lambda"] = *q.Lambda
	}
	if q.K != 0 {
		out["k"] = q.K
	}
	if q.MMR != nil {
		out["mmr"] = *q.MMR
	}
	filters := map[string]any{}
	for _, f := range q.Filters {
		if f.Values != nil {
			filters[f.Field] = f.Values
		} else {
			filters[f.Field] = map[string]any{"min": f.Low, "max": f.High}
		}
	}
	if len(filters) > 0 {
		out["filter"] = filters
	}
	return out
}

// Node.js gives the native engine's answers, to the last digit: from files and
// over HTTP, in one thread and with the rows shared among several.
func TestNode(t *testing.T) {
	node := tools.Node(t)
	dir := writeDebates(t, shard.I8)
	st, err := store.Open(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	native, err := search.Open(t.Context(), st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	queries := debatesQueries(t)
	want := make([]string, len(queries))
	answered := 0
	for i, q := range queries {
		result, err := native.Search(context.Background(), q)
		if err != nil {
			continue
		}
		want[i] = encoded(t, result)
		answered += len(result.Hits)
	}
	if answered < 5*len(queries) {
		t.Fatalf("%d queries have only %d hits: the test compares too little", len(queries), answered)
	}
	var size int64
	for _, file := range append(st.Manifest().Encoder.All(), st.Manifest().Reader.All()...) {
		info, err := os.Stat(filepath.Join(dir, file.Path))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.Handle("/lib/", http.StripPrefix("/lib/", http.FileServer(http.Dir(filepath.Join(tools.Root(), "static/lib")))))
	server := httptest.NewServer(mux)
	defer server.Close()
	cases := []struct {
		name       string
		collection string
		options    map[string]any
		inWorker   bool
	}{
		{"a folder beside the program", "./", nil, false},
		{"over HTTP, the engine too", server.URL, map[string]any{"core": server.URL + "/lib/core.wasm.gz", "kernel": server.URL + "/lib/kernel.wasm"}, false},
		{"in two threads, from a file's address", "file://" + dir, map[string]any{"workers": 2}, true},
	}
	for n, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var part []search.Query // each case runs its share of the queries
			for i := n; i < len(queries); i += len(cases) {
				part = append(part, queries[i])
			}
			got := inNode(t, node, dir, c.collection, c.options, part)
			if got.InWorker != c.inWorker || len(got.Results) != len(part) {
				t.Fatalf("%d results for %d queries, in a thread: %v", len(got.Results), len(part), got.InWorker)
			}
			if got.Encoder != size {
				t.Errorf("%d bytes of the encoder, %d were read", got.Encoder, size)
			}
			for at, result := range got.Results {
				i := n + at*len(cases)
				if want[i] == "" && !strings.HasPrefix(result, "query: ") || want[i] != "" && result != want[i] {
					t.Errorf("query %d, %q, %s:\n  Node.js %.600s\n  native  %.600s", i, queries[i].Query.Text, queries[i].Method, result, want[i])
				}
			}
		})
	}
}

// Node.js ranks by token vectors with the native engine's bits, at every width, in one thread
// and in two.
func TestNodeMaxSim(t *testing.T) {
	node := tools.Node(t)
	vector := func(words string) search.Text { return search.Text{Vector: late.Words{}.Vectors(words)} }
	root, low, high := vector("w1 w2 w3"), 20.0, 300.0
	var queries []search.Query
	for _, method := range []string{"", "root", "dual-sum", "aug-dual-sum", "tri-sum", "rerank", "pap"} { // MaxSim refuses the last
		q := search.Query{Query: vector("w7 w8 w9"), Method: method, K: 40}
		if method != "" {
			q.Root, q.Perspectives = &root, []search.Text{vector("w4"), vector("w5 w6")}
		}
		queries = append(queries, q)
	}
	queries = append(queries, search.Query{Query: vector("w7"), Filters: []search.Filter{{Field: "n", Low: &low, High: &high}}},
		search.Query{Query: vector("w80 w7 w31 w2"), K: 400})
	for bits, workers := range map[int]int{8: 0, 4: 2, 2: 0} {
		dir := t.TempDir()
		late.Collection(t, dir, bits)
		st, err := store.Open(t.Context(), os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		native, err := search.Open(t.Context(), st, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		options := map[string]any{}
		if workers > 0 {
			options["workers"] = workers
		}
		got := inNode(t, node, dir, "./", options, queries)
		answered := 0
		for i, q := range queries {
			result, err := native.Search(t.Context(), q)
			switch {
			case err != nil && !strings.HasPrefix(got.Results[i], "query: "):
				t.Errorf("%d bits, query %d: %.300s, native refuses: %v", bits, i, got.Results[i], err)
			case err == nil && got.Results[i] != encoded(t, result):
				t.Errorf("%d bits, query %d:\n  Node.js %.600s\n  native  %.600s", bits, i, got.Results[i], encoded(t, result))
			case err == nil:
				answered++
			}
		}
		if answered != len(queries)-1 {
			t.Errorf("%d bits: %d queries of %d have the same answer", bits, answered, len(queries))
		}
		if err := native.Close(); err != nil {
			t.Error(err)
		}
	}
}

// encoded returns a result as JSON, without escapes for HTML.
func encoded(t *testing.T, result *search.Result) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(result); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// A server that renders pages can import the library, and errors say what is
// missing.
func TestImportsInNode(t *testing.T) {
	cmd := exec.Command(tools.Node(t), filepath.Join(tools.Root(), "tests/headless/testdata/imports.mjs"), "file://"+filepath.Join(tools.Root(), "static/lib"))
	cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Element  string
		Globals  []string
		Refusals map[string]string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Element != "function" || len(got.Globals) > 0 {
		t.Errorf("%+v", got)
	}
	for name, want := range map[string]string{
		"server":  "UnsupportedError: an encode server needs WebSocket",
		"save":    "UnsupportedError: documents are saved in the storage of a browser",
		"missing": "InputError: manifest.json: cannot be read from file:///",
		"folder":  "NetworkError: core module: reading file:///",
		"worker":  "InputError: worker: true, false, a Worker or a list of Workers is expected; in Node.js, `workers: n` starts threads",
		"threads": "InputError: manifest.json: cannot be read from file:///",
	} {
		if !strings.HasPrefix(got.Refusals[name], want) {
			t.Errorf("%s: %q, want %q", name, got.Refusals[name], want)
		}
	}
}

// A thread that ends is replaced, and the program ends once it has closed the
// collection.
func TestThreadIsReplaced(t *testing.T) {
	dir := writeDebates(t, shard.I8)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, tools.Node(t), filepath.Join(tools.Root(), "tests/headless/testdata/lost.mjs"), "file://"+filepath.Join(tools.Root(), "static/lib/index.js"), "file://"+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Threads int
		Lost    string
		Same    bool
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Threads != 3 || got.Lost != "lost" && got.Lost != "answered" || !got.Same {
		t.Errorf("%+v", got)
	}
}
