package vantage

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Open finds a collection by its folder, its file system or its address, or by those of
// its site. The answers are the same.
func TestPlaces(t *testing.T) {
	ctx := t.Context()
	dir := written(t)
	site := t.TempDir()
	if err := os.CopyFS(filepath.Join(site, "collection"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(site, "manifest.json"), []byte(`{"name": "app"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	bare, pages := httptest.NewServer(http.FileServer(http.Dir(dir))), httptest.NewServer(http.FileServer(http.Dir(site)))
	defer bare.Close()
	defer pages.Close()
	engine := wazero(t)
	defer engine.Close()
	for name, c := range map[string]struct {
		open  func() (*Collection, error)
		place string
	}{
		"folder":           {func() (*Collection, error) { return Open(ctx, dir, nil) }, dir},
		"site":             {func() (*Collection, error) { return Open(ctx, site, nil) }, filepath.Join(site, "collection")},
		"file system":      {func() (*Collection, error) { return Open(ctx, ".", &OpenOptions{FS: os.DirFS(dir)}) }, "."},
		"site's system":    {func() (*Collection, error) { return Open(ctx, ".", &OpenOptions{FS: os.DirFS(site)}) }, "collection"},
		"address":          {func() (*Collection, error) { return Open(ctx, bare.URL, nil) }, bare.URL},
		"site's address":   {func() (*Collection, error) { return Open(ctx, pages.URL+"/", nil) }, pages.URL + "/collection"},
		"upper case":       {func() (*Collection, error) { return Open(ctx, "HTTP"+strings.TrimPrefix(bare.URL, "http"), nil) }, "HTTP" + strings.TrimPrefix(bare.URL, "http")},
		"WebAssembly":      {func() (*Collection, error) { return Open(ctx, pages.URL, &OpenOptions{Engine: engine}) }, pages.URL + "/collection"},
		"without loading":  {func() (*Collection, error) { return Open(ctx, dir, &OpenOptions{Lazy: true}) }, dir},
		"its own encoder":  {func() (*Collection, error) { return Open(ctx, dir, &OpenOptions{Encoder: english(t)}) }, dir},
		"a chosen encoder": {func() (*Collection, error) { return Open(ctx, dir, &OpenOptions{ChooseEncoder: chosen(t)}) }, dir},
	} {
		opened, err := c.open()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if opened.Place() != c.place {
			t.Errorf("%s: found at %s, want %s", name, opened.Place(), c.place)
		}
		r, err := opened.Search(ctx, Query{Query: Text{Text: "a sleeping cat"}, K: 1})
		if err != nil || r.Hits[0].ID != "Cat" {
			t.Errorf("%s: %+v %v", name, r, err)
		}
		if name == "site's address" {
			if faults, err := opened.Verify(ctx); len(faults) > 0 || err != nil {
				t.Errorf("%s: %v %v", name, faults, err)
			}
		}
		if err := opened.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func english(t *testing.T) Encoder {
	t.Helper()
	e, err := NewStaticEncoder("english", os.DirFS("internal/model/builtin/english"))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func chosen(t *testing.T) func(context.Context, *Description) (Encoder, error) {
	return func(_ context.Context, about *Description) (Encoder, error) {
		if about.Documents != 3 || about.Model.ID != "english" || !about.CarriesEncoder() || !about.HasWords() {
			t.Errorf("%+v", about)
		}
		return english(t), nil
	}
}

// A lazy collection reads only its manifest until a call needs more. That call finds
// damage.
func TestWithoutLoading(t *testing.T) {
	ctx := t.Context()
	dir := written(t)
	if err := os.RemoveAll(filepath.Join(dir, "vectors")); err != nil {
		t.Fatal(err)
	}
	loads := 0
	c, err := Open(ctx, dir, &OpenOptions{Lazy: true, Progress: func(string, int64, int64) { loads++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if d := c.Describe(); d.Documents != 3 || loads > 0 {
		t.Errorf("%+v, %d loads", d, loads)
	}
	if _, err := c.Search(ctx, Query{Query: Text{Text: "cats"}}); !errors.Is(err, ErrIntegrity) {
		t.Errorf("%v", err)
	}
	if faults, err := c.Verify(ctx); len(faults) != 1 || !errors.Is(faults[0], ErrIntegrity) || err != nil {
		t.Errorf("%v %v", faults, err)
	}
}

// A collection that is indexed anew while it is opened is opened as it is then, also if only
// its encoder has gone, for which words could answer.
func TestOpenDuringIndex(t *testing.T) {
	ctx := t.Context()
	other := t.TempDir()
	if err := os.CopyFS(other, os.DirFS("internal/model/builtin/english")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "config.json"), []byte(`{"id": "other", "normalize": true}`), 0o666); err != nil {
		t.Fatal(err)
	}
	renamed, err := NewStaticEncoder("", os.DirFS(other))
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]struct {
		dog  string
		with Encoder
	}{
		"other documents":   {"Dogs sleep at night.", english(t)},
		"the encoder alone": {"Dogs bark at night.", renamed},
	} {
		dir, calls := written(t), 0
		c, err := Open(ctx, dir, &OpenOptions{ChooseEncoder: func(context.Context, *Description) (Encoder, error) {
			if calls++; calls > 1 {
				return nil, nil
			}
			_, err := Index(ctx, animals("Cats sleep all day.", o.dog, "Trains run late."), dir, IndexOptions{Encoder: o.with, Words: true, Quantize: "f32"})
			return nil, err
		}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r, err := c.Search(ctx, Query{Query: Text{Text: "dogs at night"}})
		if err != nil || r.Hits[0].Text != o.dog || r.Notice != "" || calls != 2 {
			t.Errorf("%s, %d calls: %+v %v", name, calls, r, err)
		}
		if err := c.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An error of the file system names the collection, too.
func TestUnreadableDocuments(t *testing.T) {
	dir := written(t)
	c, err := Open(t.Context(), "c", &OpenOptions{FS: unreadable{os.DirFS(filepath.Dir(dir))}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Search(t.Context(), Query{Query: Text{Text: "cats"}}); !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), "c: docs/") {
		t.Error(err)
	}
}

// unreadable refuses the documents of the collection "c".
type unreadable struct{ fs.FS }

func (u unreadable) Open(name string) (fs.File, error) {
	if path.Dir(name) == "c/docs" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.FS.Open(name)
}

// A panic of a program's own encoder or file system while a collection is opened reaches the caller, which can
// recover. In a goroutine of its own it would end the process.
func TestOpenPanics(t *testing.T) {
	dir := written(t)
	for name, o := range map[string]OpenOptions{
		"encoder":     {Encoder: panicking{english(t)}},
		"progress":    {Progress: func(string, int64, int64) { panic("no") }},
		"file system": {FS: panickingFS{os.DirFS(dir)}},
	} {
		for engine, set := range map[string]*Engine{"Go": nil, "WebAssembly": wazero(t)} {
			place := dir
			if o.FS != nil {
				place = "."
			}
			o.Engine = set
			func() {
				defer func() {
					if got := recover(); got != "no" {
						t.Errorf("%s, %s: %v", name, engine, got)
					}
				}()
				c, err := Open(t.Context(), place, &o)
				t.Errorf("%s, %s: %v %v", name, engine, c, err)
			}()
		}
	}
}

type panicking struct{ Encoder }

func (panicking) Encode(context.Context, []string, Role) ([]Encoding, error) { panic("no") }

type panickingFS struct{ fs.FS }

func (f panickingFS) Open(name string) (fs.File, error) {
	if filepath.Dir(name) == "vectors" {
		panic("no")
	}
	return f.FS.Open(name)
}

// The results of a program's own encoder are checked. Its calls get the context of the
// call that needs them, not that of the call that made the reranker.
func TestOwnEncoder(t *testing.T) {
	model := Model{ID: "own", Dim: 2}
	opening, opened := context.WithCancel(t.Context())
	waits := constant{model: model, ended: make(chan error, 1)}
	r, err := NewReranker(opening, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	opened()
	ctx, cancel := context.WithCancel(t.Context())
	began := time.Now()
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := r.Rerank(ctx, Query{Query: Text{Text: "a"}}, []string{"b"}); !errors.Is(err, context.Canceled) || time.Since(began) < 15*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	for name, e := range map[string]constant{
		"too few vectors":    {model: model},
		"too many vectors":   {model: model, encodings: []Encoding{{Vector: []float32{1, 2}}, {Vector: []float32{1, 2}}}},
		"another dimension":  {model: model, encodings: []Encoding{{Vector: []float32{1, 2, 3}}}},
		"a fault of its own": {model: model, err: context.DeadlineExceeded},
	} {
		r, err := NewReranker(t.Context(), e, nil)
		if err != nil {
			t.Fatal(err)
		}
		if result, err := r.Rerank(t.Context(), Query{Query: Text{Text: "a"}}, []string{"b"}); err == nil {
			t.Errorf("%s: %+v", name, result)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A corpus may fill the same map for each document.
func TestOneMapForAll(t *testing.T) {
	documents := func(yield func(Document, error) bool) {
		metadata := map[string]any{}
		for i := range 300 {
			metadata["number"] = i
			if !yield(Document{ID: strconv.Itoa(i), Text: "text", Metadata: metadata}, nil) {
				return
			}
		}
	}
	dir, encoder := t.TempDir(), constant{model: Model{ID: "own", Dim: 1}, each: []float32{1}}
	if _, err := Index(t.Context(), documents, dir, IndexOptions{Encoder: encoder}); err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), dir, &OpenOptions{Encoder: encoder})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Search(t.Context(), Query{Query: Text{Text: "text"}, Filters: []Filter{{Field: "number", Values: []string{"7"}}}})
	if err != nil || len(r.Hits) != 1 || r.Hits[0].ID != "7" {
		t.Errorf("%+v, %v", r, err)
	}
}
