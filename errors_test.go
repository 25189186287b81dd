package vantage

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/vantage-search/vantage/internal/bridge"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/host"
)

// isOf reports whether an error is of a kind; a nil kind means none.
func isOf(err, kind error) bool {
	if kind == nil {
		return err != nil && fault.Of(err) == ""
	}
	return errors.Is(err, kind) && fault.Of(err) == kind
}

// written is a small collection with an encoder of its own, a field and words.
func written(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "c")
	encoder, err := NewStaticEncoder("english", os.DirFS("internal/model/builtin/english"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Index(t.Context(), animals("Cats sleep all day.", "Dogs bark at night.", "Trains run late."), dir, IndexOptions{Encoder: encoder, Words: true, Quantize: "f32"})
	if err != nil || r.Documents != 3 || r.Encoded != 3 {
		t.Fatal(r, err)
	}
	return dir
}

func animals(texts ...string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for i, text := range texts {
			if !yield(Document{ID: text[:3], Text: text, Metadata: map[string]any{"year": 2000 + i}}, nil) {
				return
			}
		}
	}
}

// wazero is the engine that package headless gives to programs.
func wazero(t *testing.T) *Engine {
	t.Helper()
	engine, err := host.New(t.Context(), host.WithInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	return bridge.NewEngine(bridge.Engine{Core: engine.Core, Instances: engine.Instances(), Close: engine.Close}).(*Engine)
}

// A query that cannot be answered is an error of the same kind on every engine.
func TestKindsOfQueries(t *testing.T) {
	ctx := t.Context()
	dir := written(t)
	cats := Text{Text: "cats"}
	two, eleven, nan := 2.0, -11.0, 0.0
	nan /= nan
	var texts [2][]string
	for i, options := range []*OpenOptions{nil, {Engine: wazero(t)}} {
		c, err := Open(ctx, dir, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []Query{
			{Query: cats, K: -1},
			{Query: cats, Method: "no method"},
			{Query: cats, Method: "pap"},
			{Query: cats, Lambda: &nan, Root: &cats, Perspectives: []Text{{Text: "dogs"}}},
			{Query: cats, MMR: &two},
			{Query: cats, Filters: []Filter{{Field: "month", Values: []string{"May"}}}},
			{Query: cats, Filters: []Filter{{Field: "year"}}},
			{Query: cats, Hybrid: &Hybrid{Fusion: "no fusion"}},
			{Query: cats, Hybrid: &Hybrid{Weight: &two}},
			{Query: cats, Method: "bm25", Lambda: &nan},
			{Query: cats, Method: "none", Lambda: &eleven},
			{Query: cats, Method: "bm25", Strength: &nan},
			{Query: cats, Strength: &eleven},
			{Query: Text{Vector: []float32{1}}},
			{Query: Text{Vector: make([]float32, 256)}},
			{Query: Text{Vector: slices.Repeat([]float32{float32(nan)}, 256)}},
			{},
		} {
			_, err := c.Search(ctx, q)
			if !isOf(err, ErrQuery) {
				t.Errorf("engine %d, %+v: %v is of kind %q", i, q, err, fault.Of(err))
				continue
			}
			texts[i] = append(texts[i], err.Error())
		}
		if _, err := c.Rerank(ctx, Query{Query: cats, Hybrid: &Hybrid{}}, []string{"a"}); !isOf(err, ErrQuery) {
			t.Errorf("%v", err)
		}
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := c.Search(ended, Query{Query: cats}); !errors.Is(err, context.Canceled) || !isOf(err, nil) {
			t.Errorf("a cancelled query: %v", err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Search(ctx, Query{Query: cats}); !errors.Is(err, ErrClosed) || !isOf(err, ErrUnavailable) {
			t.Errorf("after Close: %v", err)
		}
	}
	if !slices.Equal(texts[0], texts[1]) {
		t.Errorf("the engines say\n%s\nand\n%s", strings.Join(texts[0], "\n"), strings.Join(texts[1], "\n"))
	}
}

// faulty is a program's own encoder that gives the text "bad" an infinite number.
type faulty struct{}

func (faulty) Model() Model { return Model{ID: "own", Dim: 2} }

func (faulty) Encode(_ context.Context, texts []string, _ Role) ([]Encoding, error) {
	out := make([]Encoding, len(texts))
	for i, text := range texts {
		out[i].Vector = []float32{1, 2}
		if text == "bad" {
			out[i].Vector[1] /= 0 * out[i].Vector[1]
		}
	}
	return out, nil
}

// An encoder that gives numbers that are not finite is at fault, and not who asked.
func TestKindsOfNumbers(t *testing.T) {
	ctx := t.Context()
	bad, good := Text{Text: "bad"}, Text{Text: "good"}
	dir := t.TempDir()
	if _, err := Index(ctx, animals("Cats sleep all day.", "Dogs bark at night."), dir, IndexOptions{Encoder: faulty{}, Words: true}); err != nil {
		t.Fatal(err)
	}
	for i, engine := range []*Engine{nil, wazero(t)} {
		c, err := Open(ctx, dir, &OpenOptions{Engine: engine, Encoder: faulty{}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewReranker(ctx, faulty{}, engine)
		if err != nil {
			t.Fatal(err)
		}
		many := append(slices.Repeat([]string{strings.Repeat("good ", 1<<16)}, 50), "bad")
		_, query := c.Search(ctx, Query{Query: bad})
		_, root := c.Search(ctx, Query{Query: good, Root: &bad})
		_, context := c.Search(ctx, Query{Query: good, Contexts: []Text{good, bad}})
		_, reranked := r.Rerank(ctx, Query{Query: bad}, []string{"good"})
		_, text := r.Rerank(ctx, Query{Query: good}, many)
		_, encoded := c.Encode(ctx, many, RoleDocument)
		for name, c := range map[string]struct {
			err  error
			text int
		}{"query": {query, 0}, "root": {root, 1}, "context": {context, 1}, "reranked": {reranked, 0}, "text": {text, 50}, "encoded": {encoded, 50}} {
			if says := "the encoder own gave text " + strconv.Itoa(c.text) + " a vector with +Inf at place 1: "; !isOf(c.err, ErrInput) || errors.Is(c.err, ErrQuery) || !strings.HasPrefix(c.err.Error(), says) {
				t.Errorf("engine %d, %s: %v", i, name, c.err)
			}
		}
	}
}

// Whatever needs an engine that is closed says so. What was closed is named.
func TestClosed(t *testing.T) {
	ctx := t.Context()
	encoder, err := NewStaticEncoder("english", os.DirFS("internal/model/builtin/english"))
	if err != nil {
		t.Fatal(err)
	}
	engine := wazero(t)
	reranker, err := NewReranker(ctx, encoder, engine)
	if err != nil {
		t.Fatal(err)
	}
	lazy, err := Open(ctx, written(t), &OpenOptions{Engine: engine, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(reranker.Close(), engine.Close()); err != nil {
		t.Fatal(err)
	}
	_, ranking := reranker.Rerank(ctx, Query{Query: Text{Text: "cats"}}, []string{"a"})
	_, making := NewReranker(ctx, encoder, engine)
	_, opening := Open(ctx, written(t), &OpenOptions{Engine: engine})
	_, searching := lazy.Search(ctx, Query{Query: Text{Text: "cats"}})
	_, after := lazy.Search(ctx, Query{Query: Text{Text: "cats"}})
	for err, says := range map[error]string{ranking: "the reranker is closed", making: "the engine is closed", opening: "the engine is closed", searching: "the engine is closed", after: "the engine is closed"} {
		if !errors.Is(err, ErrClosed) || !isOf(err, ErrUnavailable) || !strings.HasSuffix(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// Errors about a place, an encoder or a corpus have the documented kinds.
func TestKindsOfPlaces(t *testing.T) {
	ctx := t.Context()
	dir := written(t)
	folder := func(manifest string) string {
		t.Helper()
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(manifest), 0o666); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	damaged := filepath.Join(t.TempDir(), "damaged")
	if err := os.CopyFS(damaged, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	vectors, err := filepath.Glob(filepath.Join(damaged, "vectors", "*"))
	if err != nil || len(vectors) != 1 {
		t.Fatal(vectors, err)
	}
	if err := os.Truncate(vectors[0], 100); err != nil {
		t.Fatal(err)
	}
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	defer away.Close()
	other := constant{model: Model{ID: "other", Dim: 256}, each: append(make([]float32, 255), 1)}
	open := func(place string, o OpenOptions) func() error {
		return func() error {
			c, err := Open(ctx, place, &o)
			if err == nil {
				c.Close()
			}
			return err
		}
	}
	index := func(o IndexOptions, d ...Document) func() error {
		return func() error {
			into := filepath.Join(t.TempDir(), "new")
			_, err := Index(ctx, func(yield func(Document, error) bool) {
				for _, d := range d {
					if !yield(d, nil) {
						return
					}
				}
			}, into, o)
			if _, there := os.Stat(into); !errors.Is(there, fs.ErrNotExist) {
				t.Errorf("a folder is left after %v", err)
			}
			return err
		}
	}
	one := Document{ID: "1", Text: "one"}
	vector := &Vectors{Dim: 1, Data: []float32{1}}
	encoder, err := NewStaticEncoder("english", os.DirFS("internal/model/builtin/english"))
	if err != nil {
		t.Fatal(err)
	}
	static := func(id, config string) func() error {
		return func() error {
			_, err := NewStaticEncoder(id, fstest.MapFS{"tokenizer.json": {}, "model.safetensors": {}, "config.json": {Data: []byte(config)}})
			return err
		}
	}
	refused := errors.New("refused")
	for name, c := range map[string]struct {
		do   func() error
		kind error
	}{
		"no folder":               {open("no/such/folder", OpenOptions{}), ErrInput},
		"a file":                  {open("vantage.go", OpenOptions{}), ErrInput},
		"no address":              {open("http://%", OpenOptions{}), ErrInput},
		"no collection":           {open(t.TempDir(), OpenOptions{}), ErrInput},
		"none in a file system":   {open("site", OpenOptions{FS: fstest.MapFS{"other/a": {}}}), ErrInput},
		"no path in it":           {open("../site", OpenOptions{FS: os.DirFS(".")}), ErrInput},
		"the manifest of an app":  {open(folder(`{"name": "app"}`), OpenOptions{}), ErrInput},
		"a torn manifest":         {open(folder(`{"format": "vantage-collection", "ver`), OpenOptions{}), ErrInput},
		"a newer collection":      {open(folder(`{"format": "vantage-collection", "version": 2}`), OpenOptions{}), ErrVersion},
		"a damaged file":          {open(damaged, OpenOptions{}), ErrIntegrity},
		"a host that is away":     {open(away.URL, OpenOptions{}), ErrUnavailable},
		"another encoder":         {open(dir, OpenOptions{Encoder: other}), ErrIntegrity},
		"an encoder that fails":   {open(dir, OpenOptions{ChooseEncoder: func(context.Context, *Description) (Encoder, error) { return nil, refused }}), nil},
		"no encoder to rerank by": {func() error { _, err := NewReranker(ctx, nil, nil); return err }, ErrInput},
		"no static encoder":       {func() error { _, err := NewStaticEncoder("x", os.DirFS("docs")); return err }, ErrInput},
		"a damaged encoder":       {static("x", "{}"), ErrInput},
		"an encoder without name": {static("", "{}"), ErrInput},
		"nothing to encode by":    {index(IndexOptions{}, one), ErrInput},
		"a way to quantize":       {index(IndexOptions{Vectors: vector, Quantize: "int4"}, one), ErrInput},
		"too few vectors":         {index(IndexOptions{Vectors: vector}, one, Document{ID: "2", Text: "two"}), ErrInput},
		"no documents":            {index(IndexOptions{Vectors: vector}), ErrInput},
		"ids twice":               {index(IndexOptions{Encoder: encoder}, one, one), ErrInput},
		"two encoders":            {index(IndexOptions{Encoder: encoder, QueryEncoder: other}, one), ErrInput},
		"queries alone":           {index(IndexOptions{Vectors: vector, QueryEncoder: other}, one), ErrInput},
		"idf of vectors":          {index(IndexOptions{Vectors: vector, IDF: true}, one), ErrInput},
		"idf of others":           {index(IndexOptions{Encoder: other, IDF: true}, one), ErrInput},
	} {
		if err := c.do(); !isOf(err, c.kind) {
			t.Errorf("%s: %v is of kind %q", name, err, fault.Of(err))
		}
	}
	if err := open(dir, OpenOptions{ChooseEncoder: func(context.Context, *Description) (Encoder, error) { return nil, refused }})(); err != refused {
		t.Errorf("the error of ChooseEncoder became %v", err)
	}
	// An error without a kind gets that of the operation.
	if err := classify(ctx, errors.New("tokenizer.json: damaged"), fault.Input); !isOf(err, ErrInput) || err.Error() != "tokenizer.json: damaged" {
		t.Error(err)
	}
	if err := classify(ctx, &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, fault.Input); !isOf(err, nil) {
		t.Error(err)
	}
	if err := classify(ctx, &host.StartError{Err: errors.New("no memory")}, fault.Input); !isOf(err, ErrInternal) {
		t.Error(err)
	}
}

// An error of the program's own encoder stays what it is: the person who asked cannot help it.
func TestEncoderFaults(t *testing.T) {
	ctx := t.Context()
	encoder := &constant{model: Model{ID: "own", Dim: 2}, each: []float32{1, 2}}
	documents := func(yield func(Document, error) bool) { yield(Document{ID: "1", Text: "one"}, nil) }
	dir := filepath.Join(t.TempDir(), "c")
	if _, err := Index(ctx, documents, dir, IndexOptions{Encoder: encoder}); err != nil {
		t.Fatal(err)
	}
	c, err := Open(ctx, dir, &OpenOptions{Encoder: encoder})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := NewReranker(ctx, encoder, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	q := Query{Query: Text{Text: "one"}}
	calls := map[string]func() error{
		"Search": func() error { _, err := c.Search(ctx, q); return err },
		"Rerank": func() error { _, err := r.Rerank(ctx, q, []string{"a"}); return err },
		"Encode": func() error { _, err := c.Encode(ctx, []string{"a"}, RoleQuery); return err },
		"Open":   func() error { _, err := Open(ctx, dir, &OpenOptions{Encoder: encoder}); return err },
		"Index": func() error {
			_, err := Index(ctx, documents, filepath.Join(t.TempDir(), "new"), IndexOptions{Encoder: encoder})
			return err
		},
	}
	busy := errors.New("busy")
	for _, fault := range []struct {
		does constant
		is   error
		kind error
	}{
		{constant{model: encoder.model, err: busy}, busy, nil},
		{constant{model: encoder.model, encodings: []Encoding{}}, ErrInput, ErrInput},
		{constant{model: encoder.model, each: []float32{1}}, ErrInput, ErrInput},
	} {
		*encoder = fault.does
		for name, call := range calls {
			if err := call(); !errors.Is(err, fault.is) || !isOf(err, fault.kind) {
				t.Errorf("%s, where the encoder gives %v and %v: %v", name, fault.does.encodings, fault.does.err, err)
			}
		}
	}
}

// If the caller ended the context for a cause, as signal.NotifyContext does, errors.Is finds
// context.Canceled, and the error has no kind.
func TestCauses(t *testing.T) {
	var silent atomic.Bool
	files := http.FileServer(http.Dir(written(t)))
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if silent.Load() {
			<-r.Context().Done()
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer h.Close()
	for name, call := range map[string]func(ctx context.Context, c *Collection) error{
		"Open": func(ctx context.Context, _ *Collection) error { _, err := Open(ctx, h.URL, nil); return err },
		"Search": func(ctx context.Context, c *Collection) error {
			_, err := c.Search(ctx, Query{Query: Text{Text: "cats"}, Method: "none"})
			return err
		},
		"Fields":       func(ctx context.Context, c *Collection) error { _, err := c.Fields(ctx); return err },
		"FindDocument": func(ctx context.Context, c *Collection) error { _, err := c.FindDocument(ctx, "Cat"); return err },
		"Index": func(ctx context.Context, c *Collection) error {
			endless := func(yield func(Document, error) bool) {
				for i := 0; yield(Document{ID: strconv.Itoa(i), Text: "cats"}, nil); i++ {
				}
			}
			_, err := Index(ctx, endless, filepath.Join(t.TempDir(), "c"), IndexOptions{Encoder: constant{model: Model{ID: "own", Dim: 1}, each: []float32{1}}})
			return err
		},
	} {
		silent.Store(false)
		c, err := Open(t.Context(), h.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		silent.Store(true)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(errors.New("the visitor left")) })
		if err := call(ctx, c); !errors.Is(err, context.Canceled) || !isOf(err, nil) {
			t.Errorf("%s: %v is of kind %q", name, err, fault.Of(err))
		}
		c.Close()
	}
}
