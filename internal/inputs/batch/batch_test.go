package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/english"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/inputs/queries"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

func collection(t *testing.T, documents ...vantage.Document) *vantage.Collection {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "collection")
	_, err := vantage.Index(t.Context(), func(yield func(vantage.Document, error) bool) {
		for _, d := range documents {
			if !yield(d, nil) {
				return
			}
		}
	}, dir, vantage.IndexOptions{Encoder: english.Encoder()})
	if err != nil {
		t.Fatal(err)
	}
	c, err := vantage.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func batch(t *testing.T, c *vantage.Collection, lines string) *Batch {
	t.Helper()
	path := filepath.Join(t.TempDir(), "queries.jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	asked, err := queries.Read(t.Context(), path, vantage.Query{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	return &Batch{Queries: asked, File: path, Place: c.Place(), Dim: c.Describe().Dim, Tag: "tag", Output: filepath.Join(t.TempDir(), "run")}
}

// A run has the collection's ranking for every query. If a query fails, there is no run.
func TestAnswer(t *testing.T) {
	c := collection(t, vantage.Document{ID: "bridge", Text: "a bridge over the river"}, vantage.Document{ID: "ferry", Text: "the ferry"}, vantage.Document{ID: "cats", Text: "cats sleep"})
	b := batch(t, c, `{"_id": "1", "text": "the ferry"}`+"\n"+`{"_id": "2", "text": "sleeping cats"}`+"\n"+strings.Repeat("\n", 3)+`{"_id": "3", "text": "\u2603"}`)
	r, err := b.Answer(t.Context(), c, nil)
	if err == nil {
		t.Fatalf("a query without a word has a ranking: %+v", r)
	}
	if !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), b.File+":6: query \"3\"") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(b.Output); err == nil {
		t.Error("a run is there although a query failed")
	}
	b.Queries = b.Queries[:2]
	if r, err = b.Answer(t.Context(), c, nil); err != nil || r.Lines != 4 || len(r.Methods) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	run, err := inputs.Read(t.Context(), b.Output, trec.ReadRun)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range b.Queries {
		answer, err := c.Search(t.Context(), q.Query)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, h := range answer.Hits {
			want = append(want, h.ID)
		}
		if got, _, err := run.Ranking(q.ID); err != nil || !slices.Equal(got, want) || len(got) != 2 {
			t.Errorf("query %s: %v, want %v (%v)", q.ID, got, want, err)
		}
	}
}

// Vectors of another length, and documents whose ids cannot be columns, are faults of
// the input. The old file stays.
func TestAnswerRefuses(t *testing.T) {
	c := collection(t, vantage.Document{ID: "a b", Text: "a bridge"}, vantage.Document{ID: "c", Text: "the ferry"})
	for lines, part := range map[string]string{`{"_id": "1", "query_vector": [1, 2]}`: ":1: query \"1\"", `{"_id": "1", "text": "bridge"}`: `"a b" has white space`} {
		b := batch(t, c, lines)
		if err := os.WriteFile(b.Output, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Answer(t.Context(), c, nil); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", lines, err)
		}
		if content, err := os.ReadFile(b.Output); err != nil || string(content) != "before" {
			t.Errorf("%q (%v)", content, err)
		}
	}
}

// slowly answers the first query last, and has a notice with the number of each.
type slowly struct{ others sync.WaitGroup }

func (s *slowly) Search(_ context.Context, q vantage.Query) (*vantage.Result, error) {
	if q.K == 0 {
		s.others.Wait()
	} else {
		defer s.others.Done()
	}
	return &vantage.Result{Method: "m", Notice: "notice " + strconv.Itoa(q.K)}, nil
}

func (s *slowly) Warning(context.Context, *vantage.Result) string { return "" }

// The first warning is that of the first query, whichever is answered first.
func TestFirstWarning(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	runtime.GOMAXPROCS(max(2, before)) // so that two queries are answered at a time
	b := &Batch{Queries: make([]queries.Query, 8), Output: filepath.Join(t.TempDir(), "run")}
	for i := range b.Queries {
		b.Queries[i].K = i
	}
	s := &slowly{}
	s.others.Add(len(b.Queries) - 1)
	r, err := b.Answer(t.Context(), s, nil)
	if err != nil || r.Problem != "notice 0" || r.Problems != len(b.Queries) || !slices.Equal(r.Methods, []string{"m"}) {
		t.Errorf("%+v, %v", r, err)
	}
}
