package host

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Without the branch of its pack, or angles of its rows, a collection answers queries that
// name no method by topic alone, and says so. Without the rest of the pack, it answers them
// by words. Queries that name what is damaged get an error. All of this is the same
// natively and in the core.
func TestFallbacks(t *testing.T) {
	ctx := t.Context()
	whole, texts := sidesCollection(t, sidesPack(t), shard.I8)
	st, err := os.ReadFile(filepath.Join(whole, manifest.FileName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(st)
	if err != nil {
		t.Fatal(err)
	}
	files := m.Encoder.Files
	flip := func(t *testing.T, path string) {
		content, err := os.ReadFile(path)
		if err == nil {
			content[len(content)/2] ^= 1
			err = os.WriteFile(path, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	remove := func(t *testing.T, path string) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	const topics, words = "topics alone rank", "the words of the query rank alone"
	for name, c := range map[string]struct {
		path   string
		damage func(t *testing.T, path string)
		method string // of the answer
		notice string
	}{
		"branch missing":    {files[len(files)-1].Path, remove, "tri-sum", topics},
		"branch damaged":    {files[len(files)-1].Path, flip, "tri-sum", topics},
		"angles missing":    {m.Angles.Files[1].Path, remove, "tri-sum", topics},
		"angles damaged":    {m.Angles.Files[len(m.Angles.Files)-1].Path, flip, "tri-sum", topics},
		"trunk damaged":     {files[1].Path, flip, search.MethodWords, words},
		"pack.json missing": {m.Encoder.Pack.Path, remove, search.MethodWords, words},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "c")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			c.damage(t, filepath.Join(dir, c.path))
			native, wasm := both(t, dir, WithInstances(1))
			same := func(what string, q search.Query) (*search.Result, error) {
				want, err := native.Search(ctx, q)
				got, wasmErr := wasm.Search(ctx, q)
				if a, b := marshal(t, want, err), marshal(t, got, wasmErr); !bytes.Equal(a, b) {
					t.Errorf("%s: natively\n%s\nin the core\n%s", what, a, b)
				}
				return want, err
			}
			for _, q := range []search.Query{{Query: text(askFor)}, {Query: text("x"), Root: new(text(walked)), Perspectives: []search.Text{text("arguments against")}}} {
				r, err := same("auto", q)
				if err != nil {
					t.Fatal(err)
				}
				if r.Method != c.method || r.Side != "" || r.Strength != 0 || !strings.Contains(r.Notice, c.notice) || !strings.Contains(r.Notice, c.path) || !strings.Contains(r.Notice, "re-upload") {
					t.Errorf("%+v", r)
				}
				if c.method == "tri-sum" {
					q.Method = "tri-sum"
					asked, err := same("tri-sum", q)
					if err != nil || asked.Notice != "" || len(r.Hits) != 10 || asked.Hits[3] != r.Hits[3] {
						t.Errorf("%+v, %v, fell back on %+v", asked, err, r)
					}
				}
			}
			opposites := &search.Opposites{Wanted: text("in the night: "), Other: text("in the snow: ")}
			for what, q := range map[string]search.Query{"contrast": {Query: text(askFor), Method: "contrast"}, "opposites": {Query: text(askFor), Opposites: opposites}} {
				if r, err := same(what, q); !errors.Is(err, fault.Integrity) || !strings.Contains(err.Error(), c.path) {
					t.Errorf("%s: %+v, %v", what, r, err)
				}
			}
			if _, err := native.Sides(ctx, search.SidesQuery{Root: walked}); !errors.Is(err, fault.Integrity) || !strings.Contains(err.Error(), c.path) {
				t.Error(err)
			}
			if strings.HasPrefix(name, "branch") {
				if r, err := native.Rerank(ctx, search.Query{Query: text(askFor)}, texts[:3]); err != nil || r.Method != "tri-sum" || !strings.Contains(r.Notice, topics) {
					t.Errorf("reranked: %+v, %v", r, err)
				}
			}
		})
	}
}

// Without its index of words, a collection answers queries that auto would fuse with them by
// vectors alone, and says so. Queries that ask for words get an error.
func TestFallbackWithoutWords(t *testing.T) {
	ctx := t.Context()
	dir, _ := sidesCollection(t, sidesPack(t), shard.I8)
	whole, _ := both(t, dir)
	q := search.Query{Query: text("the king in the snow")}
	if r, err := whole.Search(ctx, q); err != nil || r.Hybrid == "" {
		t.Fatalf("%+v, %v: auto asks for no words", r, err)
	}
	st, err := os.ReadFile(filepath.Join(dir, manifest.FileName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(st)
	if err != nil {
		t.Fatal(err)
	}
	lengths := m.Terms.Lengths.Path
	if err := os.Remove(filepath.Join(dir, lengths)); err != nil {
		t.Fatal(err)
	}
	native, wasm := both(t, dir)
	for name, c := range map[string]*search.Collection{"natively": native, "in the core": wasm} {
		r, err := c.Search(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := c.Search(ctx, search.Query{Query: q.Query, Method: r.Method})
		if err != nil || plain.Notice != "" || len(r.Hits) != 10 || r.Hits[3] != plain.Hits[3] {
			t.Errorf("%s: %+v, %v, fell back on %+v", name, plain, err, r)
		}
		if r.Method != "none" || r.Hybrid != "" || !strings.Contains(r.Notice, "vectors alone rank") || !strings.Contains(r.Notice, lengths) {
			t.Errorf("%s: %+v", name, r)
		}
		for what, q := range map[string]search.Query{"hybrid": {Query: q.Query, Hybrid: &search.Hybrid{}}, "bm25": {Query: q.Query, Method: search.MethodWords}} {
			if r, err := c.Search(ctx, q); !errors.Is(err, fault.Integrity) || !strings.Contains(err.Error(), lengths) {
				t.Errorf("%s, %s: %+v, %v", name, what, r, err)
			}
		}
	}
}
