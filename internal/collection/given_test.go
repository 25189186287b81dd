package collection

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// If vectors are given with the model that made them, the collection gives the same
// results as one that was encoded here.
func TestExternalWithModel(t *testing.T) {
	model := builtin.Builtin()
	encoder, err := model.Open()
	if err != nil {
		t.Fatal(err)
	}
	docs := documents(30, 0)
	v := Given{Maker: Carried{Model: model}, Dim: encoder.Dim(), Data: make([]float32, len(docs)*encoder.Dim())}
	for i, d := range docs {
		encoder.Encode(v.Data[i*v.Dim:][:v.Dim], d.EncodedText())
	}
	given, encoded := t.TempDir(), t.TempDir()
	mustWrite(t, given, docs, Options{Rows: v})
	mustWrite(t, encoded, docs, Options{Rows: Carried{Model: model}})
	a, b := check(t, os.DirFS(given), docs), check(t, os.DirFS(encoded), docs)
	m := a.Manifest()
	if m.Model.Kind != manifest.KindExternal || m.Model.ID != model.ID || m.Model.Revision != model.Revision || m.Encoder == nil {
		t.Errorf("%+v", m.Model)
	}
	ctx := context.Background()
	query := search.Query{Query: search.Text{Text: docs[7].Text}}
	var answers []*search.Result
	for _, st := range []*store.Store{a, b} {
		c, err := search.Open(ctx, st, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Search(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, r)
	}
	for i, hit := range answers[0].Hits {
		if hit != answers[1].Hits[i] {
			t.Errorf("rank %d: %+v, encoded here %+v", i+1, hit, answers[1].Hits[i])
		}
	}

	var problem *VectorsError
	for name, change := range map[string]func(v *Given){
		"rows in another order": func(v *Given) { v.Data = append(v.Data[v.Dim:], v.Data[:v.Dim]...) },
		"another dimension":     func(v *Given) { v.Dim = 2; v.Data = v.Data[:2*len(docs)] },
		"zeros":                 func(v *Given) { v.Data = make([]float32, len(v.Data)) },
		"a row of zeros":        func(v *Given) { clear(v.Data[:v.Dim]) },
	} {
		changed := v
		changed.Data = slices.Clone(v.Data)
		change(&changed)
		_, err := Write(ctx, t.TempDir(), seq(docs), Options{Rows: changed})
		if !errors.As(err, &problem) {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(name, "zeros") != strings.Contains(problem.Problem, " is zero") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A row that is too short for float32 would become a row of zeros, which no query finds.
func TestShortRows(t *testing.T) {
	docs := documents(3, 0)
	for _, c := range []struct {
		dtype shard.DType
		value float32
		fits  bool
	}{
		{shard.I8, 0, true}, {shard.F16, 0, true}, {shard.F32, 0, true},
		{shard.I8, 1e-18, true}, {shard.F32, 1e-18, true}, {shard.F16, 1e-7, true},
		{shard.I8, 1e-40, false}, {shard.F32, 1e-40, false}, {shard.F16, 1e-40, false},
		{shard.I8, 1e-25, false}, {shard.F32, 1e-25, false}, {shard.F16, 1e-9, false},
		{shard.I8, 3e-20, false}, {shard.F32, -3e-20, false}, // its square has lost digits
	} {
		given := Given{Dim: 4, Data: []float32{1, 2, 3, 4, c.value, 0, 0, 0, 4, 3, 2, 1}}
		dir := t.TempDir()
		_, err := Write(t.Context(), dir, seq(docs), Options{Rows: given, DType: c.dtype})
		var problem *DocumentError
		switch {
		case c.fits && err != nil:
			t.Errorf("%s %g: %v", c.dtype, c.value, err)
		case c.fits:
			check(t, os.DirFS(dir), docs)
		case !errors.As(err, &problem) || problem.Index != 1 || problem.ID != docs[1].ID || !strings.Contains(problem.Problem, "as "+string(c.dtype)+": normalise the vectors"):
			t.Errorf("%s %g: %v", c.dtype, c.value, err)
		}
	}
}
