package host

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Plans with angles give the same bits natively and under wazero, for random shapes and all
// types of rows and angles, with filters, MMR, explanations and ranks by the cosine.
func TestAnglesEqualNative(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx, WithInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	wasm, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer wasm.Close()
	rng := rand.New(rand.NewPCG(51, 1))
	random := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		return v
	}
	rowTypes, angleTypes := []shard.DType{shard.F32, shard.I8}, []shard.DType{shard.I8, shard.F32, shard.F16}
	hits := 0
	for trial := range 12 {
		dtype, angleType := rowTypes[trial%2], angleTypes[trial%3]
		dim, angleDim, n := 1+rng.IntN(70), 1+rng.IntN(140), 2+rng.IntN(2500)
		vectors, angles := random(dim*n), random(angleDim*n)
		for range n / 3 { // ties and zeros
			copy(vectors[dim*rng.IntN(n):][:dim], vectors[dim*rng.IntN(n):])
			copy(angles[angleDim*rng.IntN(n):][:angleDim], angles[angleDim*rng.IntN(n):])
			clear(angles[angleDim*rng.IntN(n):][:angleDim])
		}
		years := make([]float64, n)
		for i := range years {
			years[i] = float64(rng.IntN(3))
		}
		file := func(dtype shard.DType, dim int, vectors []float32) []byte {
			b, err := shard.EncodeRows(dtype, dim, vectors, nil)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		middle := 1 + rng.IntN(n-1)
		var indexes [2]search.Index
		for i, core := range []search.Core{search.Native(), wasm} {
			ix, err := core.OpenIndex(dim, dtype, n)
			if err != nil {
				t.Fatal(err)
			}
			defer ix.Close()
			for _, err := range []error{
				ix.Load(0, file(dtype, dim, vectors)),
				ix.LoadAngles(middle, file(angleType, angleDim, angles[middle*angleDim:])),
				ix.LoadAngles(0, file(angleType, angleDim, angles[:middle*angleDim])),
				ix.SetNumbers(0, 0, years),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for k := range 3 {
				row, err := ix.Add(vectors[k*dim%len(vectors):][:dim])
				if err == nil {
					err = ix.AddAngle(row, angles[(n-1)*angleDim:])
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			indexes[i] = ix
		}
		for range 6 {
			q := perspective.Query{Method: []string{"contrast", "aspect"}[rng.IntN(2)], Query: random(dim), Root: random(dim), Strength: 4*rng.Float64() - 2}
			for range map[string]int{"contrast": 2, "aspect": 1}[q.Method] {
				q.Angles = append(q.Angles, random(angleDim))
			}
			r := ranking.Request{Query: q, K: 1 + rng.IntN(50), Explain: true, CosineRank: rng.IntN(2) == 0}
			if rng.IntN(2) == 0 {
				r.MMR = new(rng.Float64())
			}
			var filters []index.Filter
			if rng.IntN(2) == 0 {
				filters = []index.Filter{{Column: 0, Kind: index.Equal, Values: []float64{1}}}
			}
			var answers [2][]ranking.Hit
			for i, ix := range indexes {
				mask, err := ix.Mask(filters)
				if err != nil {
					t.Fatal(err)
				}
				r.Mask = mask
				if answers[i], err = ix.Search(&r); err != nil {
					t.Fatal(err)
				}
				again := make([]ranking.Hit, len(answers[i])) // not explained yet
				for j, h := range answers[i] {
					again[j].Hit = h.Hit
				}
				if err := ix.Explain(&r, again); err != nil || !reflect.DeepEqual(again, answers[i]) {
					t.Fatalf("explained later, %+v are %+v (%v)", answers[i], again, err)
				}
			}
			if !slices.Equal(answers[0], answers[1]) {
				t.Fatalf("%s rows, %s angles, %s: natively\n%+v\nunder wazero\n%+v", dtype, angleType, q.Method, answers[0], answers[1])
			}
			for _, h := range answers[0] {
				if h.Topic+h.Side != h.Score {
					t.Fatalf("%g + %g is not %g", h.Topic, h.Side, h.Score)
				}
			}
			hits += len(answers[0])
		}
	}
	if hits < 500 {
		t.Errorf("%d hits: this compares nothing", hits)
	}
}

// What is wrong with angles is an error with the same text under wazero.
func TestAngleFaultsEqualNative(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx, WithInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	wasm, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer wasm.Close()
	one, two := []float32{1, 0}, []float32{0, 1}
	file, err := shard.EncodeRows(shard.F32, 2, []float32{1, 2, 3, 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts [2][]string
	for i, core := range []search.Core{search.Native(), wasm} {
		ix, err := core.OpenIndex(2, shard.F32, 2)
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		try := func(err error) {
			if err == nil {
				t.Errorf("step %d: no error", len(texts[i]))
				return
			}
			texts[i] = append(texts[i], err.Error())
		}
		ask := func(angles ...[]float32) error {
			_, err := ix.Search(&ranking.Request{Query: perspective.Query{Method: "contrast", Root: one, Angles: angles, Strength: 1}, K: 1})
			return err
		}
		if err := ix.Load(0, file); err != nil {
			t.Fatal(err)
		}
		try(ask(one, two))
		try(ask())
		try(ix.LoadAngles(1, file))
		try(ix.LoadAngles(0, file[:20]))
		try(ix.AddAngle(0, one))
		if err := ix.LoadAngles(0, file); err != nil {
			t.Fatal(err)
		}
		try(ix.LoadAngles(0, file))
		try(ask([]float32{1}, []float32{-2}))
		try(ask(one))
		if err := ask(one, two); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(texts[0], texts[1]) {
		t.Errorf("natively %q\nunder wazero %q", texts[0], texts[1])
	}
}
