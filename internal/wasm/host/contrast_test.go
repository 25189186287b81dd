package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// sidesPack is a pack of random weights with a branch and with wordings of for and against.
func sidesPack(t testing.TB) *packmodel.Encoder { return sidesPackBy(t, nil) }

// sidesPackBy is sidesPack with a table of auto.
func sidesPackBy(t testing.TB, auto []string) *packmodel.Encoder {
	t.Helper()
	files, err := quantized.TinyPack(quantized.Tiny, 7)
	if err != nil {
		t.Fatal(err)
	}
	var about map[string]any
	if err := json.Unmarshal(files[pack.FileName], &about); err != nil {
		t.Fatal(err)
	}
	about["texts"] = map[string][]string{search.For: {"supports the man: "}, search.Against: {"opposes the city: "}, "auto": append([]string{}, auto...)}
	about["numbers"] = map[string][]float64{"contrast": {0.3}}
	if files[pack.FileName], err = json.Marshal(about); err != nil {
		t.Fatal(err)
	}
	system := fstest.MapFS{}
	for name, content := range files {
		system[name] = &fstest.MapFile{Data: content}
	}
	e, err := packmodel.Open(t.Context(), system, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// sidesCollection is a collection of short texts with angles, in many files.
func sidesCollection(t testing.TB, e *packmodel.Encoder, dtype shard.DType) (dir string, texts []string) {
	t.Helper()
	words := strings.Fields("the man king walked to city in night and sleeps while a train is no friend of snow")
	documents := func(yield func(store.Document, error) bool) {
		for i, text := range texts {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: text, Metadata: map[string]any{"third": float64(i % 3)}}, nil) {
				return
			}
		}
	}
	for i := range 70 {
		texts = append(texts, fmt.Sprintf("%s %s %s %s", words[i%17], words[i*5%16], words[i*i%13], words[i*3%11]))
	}
	dir = t.TempDir()
	options := collection.Options{Rows: collection.Pack{Model: e}, DType: dtype, ShardBytes: 1500, BlockDocuments: 20, Terms: true}
	if _, err := collection.Write(t.Context(), dir, documents, options); err != nil {
		t.Fatal(err)
	}
	return dir, texts
}

const (
	askFor     = "Find a claim that supports the argument: the king walked to the city"
	askAgainst = "Find a claim that opposes the argument: the king walked to the city"
	walked     = "the king walked to the city"
)

// Queries by sides have the same bits natively and in the core.
func TestContrastEqualsNative(t *testing.T) {
	ctx := t.Context()
	e := sidesPack(t)
	filter, err := search.ParseFilter("third=1")
	if err != nil {
		t.Fatal(err)
	}
	past := &search.Opposites{Wanted: text("in the night: "), Other: text("in the snow: ")}
	vectors := &search.Opposites{Wanted: search.Text{Vector: []float32{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, Other: search.Text{Vector: []float32{0, 0, 0, 0, 1, 0, 0, 0, 0, 2}}}
	asked := map[string]search.Query{
		"for":           {Query: text(askFor)},
		"against":       {Query: text(askAgainst), CosineRank: true},
		"stronger":      {Query: text(askAgainst), Strength: number(2.5)},
		"turned":        {Query: text(askFor), Strength: number(-0.3)},
		"diverse":       {Query: text(askFor), MMR: number(0.4)},
		"filtered":      {Query: text(askFor), Filters: []search.Filter{filter}, CosineRank: true},
		"hybrid":        {Query: text(askFor), Hybrid: &search.Hybrid{}},
		"root, side":    {Query: text("x"), Root: new(text(walked)), Perspectives: []search.Text{text("arguments against"), text("a claim that opposes")}},
		"root, request": {Query: text(askAgainst), Root: new(text("a train"))},
		"opposites":     {Query: text("the man"), Root: new(text(walked)), Opposites: past},
		"as vectors":    {Query: text("the man"), Root: new(text(walked)), Opposites: vectors},
		"aspect":        {Query: text("the king in the snow"), Method: "aspect"},
		"aspect, 1":     {Query: text("the king in the snow"), Method: "aspect", Strength: number(1)},

		"no side":        {Query: text("the man"), Root: new(text(walked))},
		"both sides":     {Query: text("x"), Root: new(text(walked)), Perspectives: []search.Text{text("arguments against"), text("a claim that supports")}},
		"no root":        {Query: text("the man"), Opposites: past},
		"root as vector": {Query: text(askFor), Root: &search.Text{Vector: make([]float32, 32)}},
		"no opposite":    {Query: text(askFor), Opposites: &search.Opposites{Wanted: text("in the night: ")}},
		"short vectors":  {Query: text(askFor), Opposites: &search.Opposites{Wanted: search.Text{Vector: []float32{1}}, Other: search.Text{Vector: []float32{-1}}}},
		"too strong":     {Query: text(askFor), Strength: number(11)},
		"aspect, vector": {Query: search.Text{Vector: []float32{31: 1}}, Method: "aspect"},
	}
	for _, dtype := range []shard.DType{shard.I8, shard.F32} {
		dir, texts := sidesCollection(t, e, dtype)
		native, wasm := both(t, dir, WithInstances(1))
		for name, q := range asked {
			if q.Method == "" {
				q.Method = "contrast"
			}
			want, err := native.Search(ctx, q)
			got, wasmErr := wasm.Search(ctx, q)
			if a, b := marshal(t, want, err), marshal(t, got, wasmErr); !bytes.Equal(a, b) {
				t.Errorf("%s rows, %s: natively\n%s\nin the core\n%s", dtype, name, a, b)
			}
			refused := slices.Contains([]string{"no side", "both sides", "no root", "root as vector", "no opposite", "short vectors", "too strong", "aspect, vector"}, name)
			if refused && !errors.Is(err, fault.Query) || !refused && (err != nil || len(want.Hits) != 10) {
				t.Errorf("%s rows, %s: %v", dtype, name, err)
			}
		}
		q := search.Query{Query: text(askAgainst), Method: "contrast"}
		want, err := native.Rerank(ctx, q, texts)
		got, wasmErr := wasm.Rerank(ctx, q, texts)
		if a, b := marshal(t, want, err), marshal(t, got, wasmErr); err != nil || len(want.Hits) != 10 || !bytes.Equal(a, b) {
			t.Errorf("reranked: natively\n%s\nin the core\n%s", a, b)
		}
	}
}

// The score is cos(r, c) + β min((u − v)·a, 0.3) of the encoder's vectors, and asking for the other
// side swaps u and v.
func TestContrastAgainstFormula(t *testing.T) {
	ctx := t.Context()
	e := sidesPack(t)
	dir, texts := sidesCollection(t, e, shard.F32)
	native, _ := both(t, dir, WithInstances(1))
	embedded, err := e.Encode(ctx, append([]string{walked}, texts...), encoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	angles, err := e.EncodeAngles(ctx, append([]string{"supports the man: " + walked, "opposes the city: " + walked}, texts...), encoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for query, sign := range map[string]float64{askFor: 1, askAgainst: -1} {
		r, err := native.Search(ctx, search.Query{Query: text(query), Method: "contrast", K: len(texts)})
		if err != nil {
			t.Fatal(err)
		}
		if side := map[float64]string{1: "for", -1: "against"}[sign]; r.Side != side || r.Strength != 0.3 || len(r.Hits) != len(texts) {
			t.Errorf("%s: side %q, strength %g, %d hits", query, r.Side, r.Strength, len(r.Hits))
		}
		for _, h := range r.Hits {
			topic := naive.Cosine(embedded[0].Vector, embedded[1+h.Index].Vector)
			side := 0.3 * min(sign*(naive.Cosine(angles[0], angles[2+h.Index])-naive.Cosine(angles[1], angles[2+h.Index])), 0.3)
			if approx.Apart(topic+side, float64(h.Score), 1e-5) || approx.Apart(topic, float64(h.Explain.Topic), 1e-5) || h.Explain.Topic+h.Explain.Side != h.Score {
				t.Errorf("%q: score %g = %g + %g, formula %g + %g", h.Text, h.Score, h.Explain.Topic, h.Explain.Side, topic, side)
			}
		}
	}
}

// noted is a file system that notes what is opened, and hides what it is told to.
type noted struct {
	fs.FS
	mu     sync.Mutex
	opened []string
	hide   string
}

func (n *noted) Open(name string) (fs.File, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.opened = append(n.opened, name)
	if n.hide != "" && strings.HasPrefix(name, n.hide) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return n.FS.Open(name)
}

// Angles are read when a query first needs them, once, and after a failure the next
// query goes on.
func TestAnglesAreReadOnDemand(t *testing.T) {
	ctx := context.Background()
	dir, _ := sidesCollection(t, sidesPack(t), shard.I8)
	files := &noted{FS: os.DirFS(dir)}
	st, err := store.Open(ctx, files)
	if err != nil {
		t.Fatal(err)
	}
	c, err := search.Open(ctx, st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	angles := st.Manifest().Angles.Files
	if len(angles) < 2 {
		t.Fatalf("%d files of angles", len(angles))
	}
	reads := func() (n int) {
		for _, name := range files.opened {
			if slices.ContainsFunc(angles, func(f manifest.RowFile) bool { return f.Path == name }) {
				n++
			}
		}
		return n
	}
	query := search.Query{Query: text(askFor), Method: "pap+"}
	if _, err := c.Search(ctx, query); err != nil || reads() != 0 {
		t.Fatalf("a search by topic reads %d files of angles: %v", reads(), err)
	}
	files.hide = angles[1].Path
	query.Method = "contrast"
	if _, err := c.Search(ctx, query); err == nil || !strings.Contains(err.Error(), angles[1].Path) {
		t.Fatalf("a missing file of angles: %v", err)
	}
	if _, err := c.Search(ctx, search.Query{Query: text(askFor), Method: "none"}); err != nil {
		t.Fatalf("without angles: %v", err)
	}
	files.hide = ""
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if r, err := c.Search(ctx, query); err != nil || len(r.Hits) != 10 {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := reads(); n != len(angles)+1 { // the hidden one twice
		t.Errorf("%d reads of %d files", n, len(angles))
	}
}

// A collection without angles refuses methods that need them, by their names.
func TestContrastWithoutAngles(t *testing.T) {
	native, wasm := both(t, debates(t, shard.I8), WithInstances(1))
	for _, m := range perspective.Methods() {
		if m.Angles == 0 {
			continue
		}
		q := search.Query{Query: text(askFor), Method: m.Name}
		for _, c := range []*search.Collection{native, wasm} {
			if _, err := c.Search(context.Background(), q); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "method "+m.Name) || !strings.Contains(err.Error(), "index it with an encoder that tells sides apart") {
				t.Errorf("%s: %v", m.Name, err)
			}
			if _, err := c.Rerank(context.Background(), q, []string{"a"}); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "cannot tell sides apart") {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
}
