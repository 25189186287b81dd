package ranking

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// parted has the same rows in one index and divided among several.
type parted struct {
	whole *index.Index
	parts []*index.Index
	home  []int // part of each row
}

// deal makes n rows, with ties across parts and zero rows. Half of the rows come from
// files, half are added.
func deal(t testing.TB, rng *rand.Rand, dtype shard.DType, n, parts int) *parted {
	t.Helper()
	open := func() *index.Index {
		ix, err := index.New(dim, dtype, n/2)
		if err != nil {
			t.Fatal(err)
		}
		return ix
	}
	p := &parted{whole: open()}
	for range parts {
		p.parts = append(p.parts, open())
	}
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = random(rng)
		if i > 0 && rng.IntN(3) == 0 {
			vectors[i] = vectors[rng.IntN(i)]
		}
		if rng.IntN(30) == 0 {
			vectors[i] = make([]float32, dim)
		}
	}
	for first := 0; first < n/2; {
		size := min(1+rng.IntN(9), n/2-first)
		home := rng.IntN(parts)
		var flat []float32
		var ids []uint32
		for i := first; i < first+size; i++ {
			flat, ids, p.home = append(flat, vectors[i]...), append(ids, uint32(i)), append(p.home, home)
		}
		file, err := shard.EncodeRows(dtype, dim, flat, ids)
		if err != nil {
			t.Fatal(err)
		}
		for _, ix := range []*index.Index{p.whole, p.parts[home]} {
			rows, err := shard.DecodeRows(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := ix.Load(first, rows); err != nil {
				t.Fatal(err)
			}
		}
		first += size
	}
	for row := n / 2; row < n; row++ {
		home := rng.IntN(parts)
		p.home = append(p.home, home)
		if at, err := p.whole.Add(vectors[row]); err != nil || at != row {
			t.Fatalf("row %d as %d: %v", row, at, err)
		}
		if err := p.parts[home].AddAt(row, vectors[row]); err != nil {
			t.Fatal(err)
		}
	}
	p.slant(t, rng, dtype, n)
	years := make([]float64, n)
	for row := range years {
		years[row] = float64(rng.IntN(10))
	}
	for _, ix := range append([]*index.Index{p.whole}, p.parts...) {
		if err := ix.SetNumbers(0, 0, years[:ix.Extent()]); err != nil {
			t.Fatal(err)
		}
	}
	for range n / 10 {
		row := rng.IntN(n)
		if p.whole.Remove(row) != p.parts[p.home[row]].Remove(row) {
			t.Fatalf("row %d is in only one of the two", row)
		}
	}
	return p
}

// slant gives every row an angle, with ties and zeros. The files of angles have other
// borders than those of the rows, and go to every part.
func (p *parted) slant(t testing.TB, rng *rand.Rand, dtype shard.DType, n int) {
	t.Helper()
	angles := make([][]float32, n)
	for i := range angles {
		switch {
		case i > 0 && rng.IntN(4) > 0:
			angles[i] = angles[rng.IntN(i)]
		case rng.IntN(10) > 0:
			angles[i] = gaussian(rng, angleDim)
		default:
			angles[i] = make([]float32, angleDim)
		}
	}
	for first := 0; first < n/2; {
		size := min(1+rng.IntN(40), n/2-first)
		file, err := shard.EncodeRows(dtype, angleDim, slices.Concat(angles[first:first+size]...), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, ix := range append([]*index.Index{p.whole}, p.parts...) {
			rows, err := shard.DecodeRows(file)
			if err == nil {
				err = ix.LoadAngles(first, rows)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		first += size
	}
	for row := n / 2; row < n; row++ {
		for _, ix := range []*index.Index{p.whole, p.parts[p.home[row]]} {
			if err := ix.AddAngle(row, angles[row]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// search answers only from the parts, in the steps that part.go names.
func (p *parted) search(r Request) ([]Hit, error) {
	one := r
	one.Explain, one.CosineRank, one.MMR = false, false, nil
	if r.MMR != nil {
		one.K = max(r.MMRCandidates, r.K)
	}
	var gate []float32
	for _, ix := range p.parts {
		scores, err := GateScores(ix, &r)
		if err != nil {
			return nil, err
		}
		gate = append(gate, scores...)
	}
	if gate != nil {
		cut, err := Cut(&r, gate)
		if err != nil {
			return nil, err
		}
		one.Cut = &cut
	}
	var hits []Hit
	for _, ix := range p.parts {
		found, err := Search(ix, &one)
		if err != nil {
			return nil, err
		}
		hits = append(hits, found...)
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row)) })
	hits = hits[:min(one.K, len(hits))]
	if r.MMR != nil {
		scores := make([]float32, len(hits))
		var records []byte
		for i, h := range hits {
			var err error
			scores[i] = h.Score
			if records, err = p.parts[p.home[h.Row]].AppendRecord(records, h.Row); err != nil {
				return nil, err
			}
		}
		order, err := Diversify(p.parts[0], &r, scores, records)
		if err != nil {
			return nil, err
		}
		picked := make([]Hit, len(order))
		for i, at := range order {
			picked[i] = hits[at]
		}
		hits = picked
	}
	if !r.Explain {
		return hits, nil
	}
	for _, ix := range p.parts {
		own := slices.Clone(hits)
		if err := Explain(ix, &one, own); err != nil {
			return nil, err
		}
		for i, h := range own {
			if h.Row >= 0 {
				hits[i] = h
			}
		}
	}
	if !r.CosineRank {
		return hits, nil
	}
	for i := range hits {
		hits[i].CosineRank = 1
	}
	for _, ix := range p.parts {
		ahead, err := Ahead(ix, &r, hits)
		if err != nil {
			return nil, err
		}
		for i, n := range ahead {
			hits[i].CosineRank += n
		}
	}
	return hits, nil
}

// For any division of rows among parts, the answer has the same bits as that of one
// index, for every method, with and without diversity, filters and explanations.
func TestPartsEqualOneIndex(t *testing.T) {
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		for _, parts := range []int{1, 2, 5} {
			rng := rand.New(rand.NewPCG(uint64(parts), 11))
			p := deal(t, rng, dtype, 240, parts)
			answered := 0
			for _, method := range perspective.Methods() {
				for trial := range 8 {
					r := *request(rng, method.Name)
					if trial >= 4 {
						r.Score = perspective.Dot
					}
					r.K = []int{1, 10, 500}[rng.IntN(3)]
					r.Explain = rng.IntN(4) > 0
					r.CosineRank = r.Explain && rng.IntN(4) > 0
					if trial%2 == 0 {
						r.Perspectives = append(r.Perspectives, random(rng))
					}
					if rng.IntN(2) == 0 {
						lambda := rng.Float64()
						r.MMR, r.MMRCandidates = &lambda, []int{20, 100}[rng.IntN(2)]
					}
					var filters []index.Filter
					switch rng.IntN(4) {
					case 0:
						filters = []index.Filter{{Column: 0, Kind: index.Range, Low: new(2.), High: new(5.)}}
					case 1:
						filters = []index.Filter{{Column: 0, Kind: index.Equal, Values: []float64{11}}} // nothing
					}
					mask, err := p.whole.Mask(filters)
					if err != nil {
						t.Fatal(err)
					}
					r.Mask = mask
					want, err := Search(p.whole, &r)
					if err != nil {
						t.Fatal(method.Name, err)
					}
					got, err := p.search(r)
					if err != nil {
						t.Fatal(method.Name, err)
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%s rows, %d parts, %s, k %d, explained %v, mmr %v, filters %v:\n%s%s", dtype, parts, method.Name, r.K, r.Explain, r.MMR != nil, filters, lines(got), lines(want))
					}
					answered += len(want)
				}
			}
			if answered < 2000 {
				t.Errorf("%d hits in all: this compares nothing", answered)
			}
		}
	}
}

func lines(hits []Hit) (out string) {
	for _, h := range hits[:min(len(hits), 5)] {
		out += fmt.Sprintf("%+v\n", h)
	}
	return out + "\n"
}

func TestPartRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 12))
	p := deal(t, rng, shard.F32, 40, 2)
	lambda, wrong := 0.5, 2.0
	ungated, undirected := request(rng, "pap+"), request(rng, "none")
	undirected.Query.Query = nil
	noMMR, badMMR, mmr := request(rng, "none"), request(rng, "none"), request(rng, "none")
	badMMR.MMR, mmr.MMR = &wrong, &lambda
	record, err := p.parts[p.home[3]].AppendRecord(nil, 3)
	if err != nil || len(record) != p.whole.RecordSize() {
		t.Fatalf("a record of %d bytes: %v", len(record), err)
	}
	second := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"a row in use":          p.whole.AddAt(39, random(rng)),
		"a declared row":        p.parts[0].AddAt(3, random(rng)),
		"a negative row":        p.whole.AddAt(-1, random(rng)),
		"a row beyond all":      p.whole.AddAt(index.MaxRows, random(rng)),
		"a short vector":        p.whole.AddAt(1000, random(rng)[1:]),
		"a record of no row":    second(p.whole.AppendRecord(nil, 999)),
		"a row of another part": second(p.parts[1-p.home[3]].AppendRecord(nil, 3)),
		"half a record":         second(Diversify(p.whole, mmr, []float32{1}, record[1:])),
		"a record too few":      second(Diversify(p.whole, mmr, []float32{1, 2}, record)),
		"no λ":                  second(Diversify(p.whole, noMMR, []float32{1}, record)),
		"a λ of 2":              second(Diversify(p.whole, badMMR, []float32{1}, record)),
		"no gate":               second(Cut(ungated, []float32{1})),
		"no query":              second(Ahead(p.whole, undirected, nil)),
		"gate of no query":      second(GateScores(p.whole, undirected)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if gate, err := GateScores(p.whole, ungated); err != nil || gate != nil {
		t.Errorf("%d gate scores of a method without a gate: %v", len(gate), err)
	}
}
