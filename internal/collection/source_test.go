package collection

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Invalid sources are refused before anything is read or written.
func TestSources(t *testing.T) {
	model := staticmodeltest.Tiny(t)
	vectors := Given{Dim: 12, Data: make([]float32, 12)}
	by := func(maker Source) Given {
		v := vectors
		v.Maker = maker
		return v
	}
	for name, c := range map[string]struct {
		rows Source
		want string
	}{
		"none":                     {nil, "Options.Rows"},
		"no model":                 {Carried{}, "without weights"},
		"no encoder":               {Outside{}, "Outside.Encoder"},
		"queries of another model": {Outside{Encoder: short{dim: 3}, Queries: short{dim: 4}}, "do not belong together"},
		"no dimension":             {Given{Data: make([]float32, 3)}, "rows of 0"},
		"half a row":               {Given{Dim: 2, Data: make([]float32, 3)}, "rows of 2"},
		"given vectors with IDF":   {by(Carried{Model: model, IDF: true}), "IDF"},
		"given with a journal":     {by(Outside{Encoder: short{dim: 12}, Journal: "j"}), "journal"},
		"given made by given":      {by(vectors), "collection.Given"},
		"made by no encoder":       {by(Outside{}), "Outside.Encoder"},
	} {
		asked := false
		docs := func(func(store.Document, error) bool) { asked = true }
		dir := t.TempDir()
		_, err := Write(context.Background(), dir, docs, Options{Rows: c.rows})
		if !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), c.want) || asked {
			t.Errorf("%s: %v (documents read: %v)", name, err, asked)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: it left %s", name, left[0].Name())
		}
	}
}

// short is an encoder that gives one vector too few.
type short struct{ dim int }

func (s short) Info() encoder.Info { return encoder.Info{ID: "short", Dim: s.dim} }

func (s short) Encode(_ context.Context, texts []string, _ encoder.Options) ([]encoder.Embedding, error) {
	out := make([]encoder.Embedding, len(texts)-1)
	for i := range out {
		out[i].Vector = make([]float32, s.dim)
	}
	return out, nil
}

// whole is short without the fault.
type whole struct{ short }

func (w whole) Info() encoder.Info {
	return encoder.Info{ID: "whole", Revision: "1", Architecture: "test", Dim: w.dim, Language: "de"}
}

func (w whole) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	return w.short.Encode(ctx, append(texts[:len(texts):len(texts)], ""), o)
}

// The manifest records the language of an outside encoder, as it does for a carried
// one.
func TestOutsideLanguage(t *testing.T) {
	dir := t.TempDir()
	r := mustWrite(t, dir, documents(9, 0), Options{Rows: Outside{Encoder: whole{short{dim: 4}}}})
	if m := check(t, os.DirFS(dir), nil).Manifest(); m.Model.Language != "de" || r.Model.Language != "de" {
		t.Errorf("%+v", m.Model)
	}
}

// If an encoder gives too few vectors, no document gets the vector of another.
func TestOutsideAnswersTooFew(t *testing.T) {
	_, err := Write(t.Context(), t.TempDir(), seq(documents(9, 0)), Options{Rows: Outside{Encoder: short{dim: 4}}})
	if err == nil || !strings.Contains(err.Error(), "8 vectors for 9 texts") {
		t.Error(err)
	}
}

// nans is an encoder that gives the text of one document a number that is not finite.
type nans struct{ whole }

func (n nans) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	out, err := n.whole.Encode(ctx, texts, o)
	for i, text := range texts {
		if text == "seventh" {
			out[i].Vector[2] = float32(math.NaN())
		}
	}
	return out, err
}

// A vector with a number that is not finite is refused with the document that it belongs to, whatever it would be stored as.
func TestNotFinite(t *testing.T) {
	docs := documents(9, 0)
	docs[7].Title, docs[7].Text = "", "seventh"
	data := make([]float32, 4*len(docs))
	data[4*7+2] = float32(math.Inf(1))
	for want, rows := range map[string]Source{
		`document 7 ("d7"): the encoder whole gave it a vector with NaN at place 2: `:     Outside{Encoder: nans{whole{short{4}}}},
		`document 7 ("d7"): the vector given for it has +Inf at place 2: all its numbers`: Given{Dim: 4, Data: data},
	} {
		for _, dtype := range []shard.DType{shard.I8, shard.F16, shard.F32} {
			_, err := Write(t.Context(), t.TempDir(), seq(docs), Options{Rows: rows, DType: dtype})
			if err == nil || !strings.HasPrefix(err.Error(), want) || fault.Of(err) != fault.Input {
				t.Errorf("%s: %v", dtype, err)
			}
		}
	}
}

// silent is an encoder that does not tell its architecture, as a client of the encode server is.
type silent struct{ whole }

func (s silent) Info() encoder.Info { return encoder.Info{ID: "silent", Dim: s.dim} }

func (s silent) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	out, err := s.whole.Encode(ctx, texts, o)
	for i := range out {
		out[i].Vector[0] = 1
	}
	return out, err
}

// Rows of an encoder without an architecture are used again, and given vectors that differ from its own are not.
func TestReuseOfASilentEncoder(t *testing.T) {
	docs := documents(8, 0)
	e := silent{whole{short{dim: 4}}}
	dir := t.TempDir()
	mustWrite(t, dir, docs, Options{Rows: Outside{Encoder: e}})
	if r := mustWrite(t, dir, docs, Options{Rows: Outside{Encoder: e}}); r.Reused != 8 || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
	v := Given{Maker: Outside{Encoder: e}, Dim: 4}
	for range docs {
		v.Data = append(v.Data, 1, 1e-4, 0, 0)
	}
	mustWrite(t, dir, docs, Options{Rows: v})
	if r := mustWrite(t, dir, docs, Options{Rows: Outside{Encoder: e}}); r.Reused != 0 || len(r.Notes) != 1 {
		t.Errorf("given vectors: %+v", r)
	}
}
