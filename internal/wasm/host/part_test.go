package host

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Under wazero, the exports for parts of a collection give the same answer as one
// native index of all rows.
func TestPartsEqualOneNativeIndex(t *testing.T) {
	const dim, angleDim, rows = 20, 7, 90
	engine, err := New(context.Background(), WithInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(context.Background())
	opened, err := engine.Core(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	in := opened.(core).in
	rng := rand.New(rand.NewPCG(5, 6))
	gaussian := func(dim int) []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		return v
	}
	random := func() []float32 { return gaussian(dim) }
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		whole, err := index.New(dim, dtype, 0)
		if err != nil {
			t.Fatal(err)
		}
		var parts [2]table
		for i := range parts {
			ix, err := opened.OpenIndex(dim, dtype, 0)
			if err != nil {
				t.Fatal(err)
			}
			parts[i] = ix.(table)
		}
		home := make([]int, rows)
		vectors := make([][]float32, rows)
		for row := range rows {
			vectors[row], home[row] = random(), rng.IntN(2)
			if row > 0 && row%4 == 0 {
				vectors[row] = vectors[rng.IntN(row)]
			}
			if _, err := whole.Add(vectors[row]); err != nil {
				t.Fatal(err)
			}
			parts[home[row]].addAt(t, row, vectors[row])
			angle := gaussian(angleDim)
			if row%5 == 0 {
				clear(angle)
			}
			if err := errors.Join(whole.AddAngle(row, angle), parts[home[row]].AddAngle(row, angle)); err != nil {
				t.Fatal(err)
			}
		}
		for i, method := range append(perspective.Methods(), perspective.Methods()...) {
			score := perspective.Cosine
			if i >= len(perspective.Methods()) {
				score = perspective.Dot
			}
			lambda := 0.6
			r := ranking.Request{
				Query: perspective.Query{Method: method.Name, Score: score, Lambda: 1, Query: random(), Root: random(), Perspectives: [][]float32{random(), random()}},
				K:     7, MMR: &lambda, MMRCandidates: 30, Explain: true, CosineRank: true,
			}
			for range method.Angles {
				r.Angles = append(r.Angles, gaussian(angleDim))
			}
			r.Strength = method.Strength
			want, err := ranking.Search(whole, &r)
			if err != nil {
				t.Fatal(err)
			}
			one := r
			one.Explain, one.CosineRank, one.MMR, one.K = false, false, nil, 30
			var gates []float32
			for _, p := range parts {
				gates = append(gates, p.gate(t, &r)...)
			}
			if gates != nil {
				cut := parts[0].cut(t, &r, gates)
				one.Cut = &cut
			}
			var best []ranking.Hit
			for _, p := range parts {
				found, err := p.Search(&one)
				if err != nil {
					t.Fatal(err)
				}
				best = append(best, found...)
			}
			slices.SortFunc(best, func(a, b ranking.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row)) })
			best = best[:one.K]
			var records []byte
			hits := make([]abi.Hit, len(best))
			for i, h := range best {
				records = append(records, parts[home[h.Row]].records(t, h.Row)...)
				hits[i] = abi.Hit{Row: uint32(h.Row), Document: h.Document, Score: h.Score}
			}
			chosen := parts[1].diversify(t, &r, hits, records)
			got := make([]ranking.Hit, len(chosen))
			for _, p := range parts {
				explained := make([]ranking.Hit, len(chosen))
				for i, h := range chosen {
					explained[i].Hit = index.Hit{Row: int(h.Row), Document: h.Document, Score: h.Score}
				}
				if err := p.Explain(&one, explained); err != nil {
					t.Fatal(err)
				}
				for i, h := range explained {
					if h.Row >= 0 {
						got[i] = h
						chosen[i].Cosine = h.Cosine
					}
				}
			}
			ranks := make([]int, len(chosen))
			for _, p := range parts {
				for i, n := range p.ahead(t, &r, chosen) {
					ranks[i] += n
				}
			}
			if len(chosen) != len(want) {
				t.Fatalf("%s: %d hits, want %d", method.Name, len(chosen), len(want))
			}
			for i, w := range want {
				got[i].CosineRank = ranks[i] + 1
				if got[i] != w {
					t.Fatalf("%s rows, %s, rank %d:\n%+v\n%+v", dtype, method.Name, i+1, got[i], w)
				}
			}
		}
	}
	if in.lost != nil {
		t.Fatal(in.lost)
	}
}

// with calls an export with buffers that are released afterwards.
func (t table) with(tb testing.TB, body func(b *batch) (int32, error)) int {
	tb.Helper()
	b := batch{in: t.in}
	defer b.release()
	n, err := body(&b)
	if err != nil || b.err != nil {
		tb.Fatal(err, b.err)
	}
	return int(n)
}

func (t table) addAt(tb testing.TB, row int, vector []float32) {
	tb.Helper()
	t.with(tb, func(b *batch) (int32, error) {
		return t.in.call("index_add_at", t.handle, uint64(row), uint64(b.encode(vector)))
	})
}

func (t table) gate(tb testing.TB, r *ranking.Request) (scores []float32) {
	tb.Helper()
	t.with(tb, func(b *batch) (int32, error) {
		out := b.room(4 * 1000)
		n, err := t.in.call("index_gate", t.handle, uint64(b.request(r, t.dim)), uint64(out), 1000)
		if n > 0 {
			scores = make([]float32, n)
			return n, t.in.decode(out, scores)
		}
		return n, err
	})
	return scores
}

func (t table) cut(tb testing.TB, r *ranking.Request, scores []float32) (cut float64) {
	tb.Helper()
	t.with(tb, func(b *batch) (int32, error) {
		out := b.room(8)
		if n, err := t.in.call("index_cut", t.handle, uint64(b.request(r, t.dim)), uint64(b.encode(scores)), uint64(len(scores)), uint64(out)); err != nil {
			return n, err
		}
		return 0, t.in.decode(out, &cut)
	})
	return cut
}

func (t table) records(tb testing.TB, row int) (record []byte) {
	tb.Helper()
	t.with(tb, func(b *batch) (int32, error) {
		size, err := t.in.call("index_records", t.handle, 0, 0, 0, 0)
		if err != nil {
			return 0, err
		}
		out := b.room(int(size))
		if n, err := t.in.call("index_records", t.handle, uint64(b.encode([]uint32{uint32(row)})), 1, uint64(out), uint64(size)); err != nil {
			return n, err
		}
		record = make([]byte, size)
		return size, t.in.decode(out, record)
	})
	return record
}

func (t table) diversify(tb testing.TB, r *ranking.Request, hits []abi.Hit, records []byte) []abi.Hit {
	tb.Helper()
	n := t.with(tb, func(b *batch) (int32, error) {
		at := b.encode(hits)
		n, err := t.in.call("index_diversify", t.handle, uint64(b.request(r, t.dim)), uint64(at), uint64(len(hits)), uint64(b.put(records)), uint64(len(records)))
		if err != nil {
			return n, err
		}
		return n, t.in.decode(at, hits)
	})
	return hits[:n]
}

func (t table) ahead(tb testing.TB, r *ranking.Request, hits []abi.Hit) (counts []int) {
	tb.Helper()
	t.with(tb, func(b *batch) (int32, error) {
		at := b.encode(hits)
		n, err := t.in.call("index_ahead", t.handle, uint64(b.request(r, t.dim)), uint64(at), uint64(len(hits)))
		if err != nil {
			return n, err
		}
		out := make([]abi.Hit, len(hits))
		err = t.in.decode(at, out)
		for _, h := range out {
			counts = append(counts, int(h.CosineRank))
		}
		return n, err
	})
	return counts
}
