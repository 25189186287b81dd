package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// outside is a static model as an encoder outside the core. It records its calls, and
// puts a different word before the texts of each role.
type outside struct {
	static *encode.Static
	id     string
	before map[encoder.Role]string
	calls  []string
	says   map[string]string // the prompts that its description states; nil: none are stated
	drops  int               // number of vectors that it leaves out, which is a fault
}

func (o *outside) Info() encoder.Info {
	return encoder.Info{ID: o.id, Revision: "1", Architecture: "test", Dim: o.static.Dim(), Prompts: o.says}
}

func (o *outside) Encode(_ context.Context, texts []string, options encoder.Options) ([]encoder.Embedding, error) {
	o.calls = append(o.calls, fmt.Sprint(options.Role, texts))
	var out []encoder.Embedding
	for _, text := range texts[min(o.drops, len(texts)):] {
		v := make([]float32, o.static.Dim())
		info := o.static.Encode(v, o.before[options.Role]+text)
		out = append(out, encoder.Embedding{Vector: v, Tokens: info.Tokens, Unknown: info.Unknown})
	}
	return out, nil
}

func open(t *testing.T, rows collection.Source, e search.Encoding) (*search.Collection, error) {
	t.Helper()
	dir := t.TempDir()
	docs := func(yield func(store.Document, error) bool) {
		for i, text := range []string{"red claim", "green argument", "blue school prices"} {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: text}, nil) {
				return
			}
		}
	}
	if _, err := collection.Write(t.Context(), dir, docs, collection.Options{Rows: rows}); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return search.Open(t.Context(), st, search.Options{Encoder: e})
}

// An outside encoder receives a query's texts in one call, in the role of queries, and
// other texts in the role of documents.
func TestOutsideRoles(t *testing.T) {
	static, err := staticmodeltest.Tiny(t).Open()
	if err != nil {
		t.Fatal(err)
	}
	one := &outside{static: static, id: "one", before: map[encoder.Role]string{encoder.Query: "school ", encoder.Document: "prices "}}
	c, err := open(t, collection.Outside{Encoder: one}, search.Outside{Encoder: one})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	one.calls = nil
	vector := make([]float32, static.Dim())
	vector[0] = 1
	root := search.Text{Text: "claim"}
	q := search.Query{Query: search.Text{Text: "red claim that opposes"}, Root: &root, Perspectives: []search.Text{{Text: "green"}, {Vector: vector}, {Text: "blue 7 unknown"}}}
	r, err := c.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"query[red claim that opposes claim green blue 7 unknown]"}; !slices.Equal(one.calls, want) {
		t.Errorf("asked %q, want %q", one.calls, want)
	}
	var roles []string
	for _, text := range r.Texts {
		roles = append(roles, text.Role+":"+text.Text)
	}
	if want := []string{"query:red claim that opposes", "root:claim", "perspective:green", "perspective:blue 7 unknown"}; !slices.Equal(roles, want) || r.Texts[3].Info.Unknown != 1 {
		t.Errorf("%q, %+v", roles, r.Texts)
	}
	one.calls = nil
	if _, err := c.Rerank(t.Context(), search.Query{Query: search.Text{Text: "red"}}, []string{"a", "b"}); err != nil || !slices.Equal(one.calls, []string{"query[red]", "document[a b]"}) {
		t.Errorf("asked %q: %v", one.calls, err)
	}
	one.drops = 1
	if _, err := c.Search(t.Context(), q); err == nil || !strings.Contains(err.Error(), "3 vectors for 4 texts") {
		t.Errorf("an encoder that leaves a text out: %v", err)
	}
}

// If queries have a model of their own, canaries check it in the role of queries.
// Rerank refuses texts, because that model does not encode documents.
func TestOutsideQueryModel(t *testing.T) {
	static, err := staticmodeltest.Tiny(t).Open()
	if err != nil {
		t.Fatal(err)
	}
	documents := &outside{static: static, id: "documents"}
	queries := &outside{static: static, id: "queries", before: map[encoder.Role]string{encoder.Query: "school ", encoder.Document: "prices "}}
	rows := collection.Outside{Encoder: documents, Queries: queries}
	c, err := open(t, rows, search.Outside{Encoder: queries})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Rerank(t.Context(), search.Query{Query: search.Text{Text: "red"}}, []string{"a"}); !errors.Is(err, search.ErrNoEncoder) {
		t.Errorf("texts are encoded by the queries' model: %v", err)
	}
	_, encoding := c.Encode(t.Context(), []string{"a"}, encoder.Document)
	_, angles := c.EncodeAngles(t.Context(), []string{"a"}, encoder.Document)
	_, ranking := c.Rerank(t.Context(), search.Query{Query: search.Text{Text: "red"}}, []string{"a"})
	_, telling := c.SidesOf(t.Context(), search.SidesQuery{Root: "red"}, []string{"a"})
	for _, err := range []error{encoding, angles, ranking, telling} {
		if !errors.Is(err, search.ErrNoEncoder) || fault.Of(err) != fault.Query || !strings.Contains(err.Error(), "the encoder of documents, documents, is missing") {
			t.Errorf("%v", err)
		}
	}
	r, err := c.Search(t.Context(), search.Query{Query: search.Text{Text: "red"}})
	if err != nil || r.Encoder.ID != "queries" {
		t.Errorf("%+v, %v", r, err)
	}
	var mismatch *search.EncoderMismatchError
	if _, err := open(t, rows, search.Outside{Encoder: documents}); !errors.As(err, &mismatch) || mismatch.Encoder.ID != "documents" || mismatch.Model.ID != "queries" {
		t.Errorf("the documents' encoder for queries: %v", err)
	}
}

// wide is an encoder that says of itself that it has a dimension more.
type wide struct{ *outside }

func (w wide) Info() encoder.Info {
	i := w.outside.Info()
	i.Dim++
	return i
}

// An encoder that states other prompts than the collection's is refused, also if it encodes the
// canaries alike. One that states none may add the right ones by itself.
func TestEncoderNeedsPrompts(t *testing.T) {
	static, err := staticmodeltest.Tiny(t).Open()
	if err != nil {
		t.Fatal(err)
	}
	model := func(says map[string]string) *outside {
		return &outside{static: static, id: "m", before: map[encoder.Role]string{encoder.Query: "school "}, says: says}
	}
	indexed := map[string]string{"query": "school "}
	small, err := open(t, collection.Outside{Encoder: model(nil)}, search.Outside{Encoder: wide{model(nil)}})
	if err == nil || small != nil || err.Error() != "encoder m@1 does not match the collection's model m@1: it has 13 dimensions, and the collection's vectors 12: use the model that made the collection, or index it again" {
		t.Errorf("another dimension: %v", err)
	}
	for name, c := range map[string]struct {
		indexed, says map[string]string
		problem       string
	}{
		"the same":    {indexed, indexed, ""},
		"not stated":  {indexed, nil, ""},
		"none":        {indexed, map[string]string{}, `its prompt for the role query is "", the collection's is "school "`},
		"another":     {indexed, map[string]string{"query": "prices "}, `is "prices "`},
		"a second":    {indexed, map[string]string{"query": "school ", "passage": "p: "}, `its prompt for the role document is "p: "`},
		"none before": {nil, indexed, `its prompt for the role query is "school ", the collection's is ""`},
	} {
		var mismatch *search.EncoderMismatchError
		_, err := open(t, collection.Outside{Encoder: model(c.indexed)}, search.Outside{Encoder: model(c.says)})
		if c.problem == "" && err != nil || c.problem != "" && (!errors.As(err, &mismatch) || !strings.Contains(err.Error(), c.problem) || fault.Of(err) != fault.Integrity) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
