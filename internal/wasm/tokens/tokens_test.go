package tokens

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// corpus is a collection of random documents whose vectors lie around some topics, as
// those of texts do.
type corpus struct {
	dim       int
	documents [][]float32 // vectors of each document
	book      *Codebook
	files     [][]byte
	firsts    []int
}

func unit(r *rand.Rand, dim int, around []float32, spread float64) []float32 {
	v := make([]float32, dim)
	var norm float64
	for i := range v {
		x := r.NormFloat64() * spread
		if around != nil {
			x += float64(around[i])
		}
		v[i] = float32(x)
		norm += x * x
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(norm))
	}
	return v
}

// newCorpus makes documents of 0 to 20 vectors, of which every fiftieth has many more, and
// files of the given number of documents.
func newCorpus(t testing.TB, r *rand.Rand, dim, bits, documents, perFile int) *corpus {
	t.Helper()
	c := &corpus{dim: dim}
	var topics []float32
	for range 12 {
		topics = append(topics, unit(r, dim, nil, 1)...)
	}
	var err error
	if c.book, err = NewCodebook(dim, bits, topics); err != nil {
		t.Fatal(err)
	}
	var v Vectors
	for i := range documents {
		n := r.IntN(21)
		if i%50 == 7 {
			n = blockVectors + r.IntN(3*blockVectors)
		}
		var vectors []float32
		for range n {
			topic := r.IntN(12)
			vectors = append(vectors, unit(r, dim, topics[topic*dim:][:dim], 0.5/math.Sqrt(float64(dim)))...)
		}
		c.documents = append(c.documents, vectors)
		if err := c.book.Encode(&v, vectors); err != nil {
			t.Fatal(err)
		}
		if len(v.Counts) == perFile || i == documents-1 {
			file, err := c.book.EncodeFile(&v)
			if err != nil {
				t.Fatal(err)
			}
			c.files, c.firsts = append(c.files, file), append(c.firsts, i+1-len(v.Counts))
			v = Vectors{}
		}
	}
	return c
}

// index loads the files in the given order, or as they are.
func (c *corpus) index(t testing.TB, order ...int) *Index {
	t.Helper()
	ix, err := New(c.book, len(c.documents))
	if err != nil {
		t.Fatal(err)
	}
	if order == nil {
		for i := range c.files {
			order = append(order, i)
		}
	}
	for _, i := range order {
		if err := ix.Load(c.firsts[i], c.files[i]); err != nil {
			t.Fatal(err)
		}
	}
	return ix
}

// stored are the vectors of every document as they are stored.
func (c *corpus) stored(t testing.TB) (out [][]float32) {
	t.Helper()
	for _, file := range c.files {
		f, err := c.book.DecodeFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for d := range f.Documents() {
			out = append(out, c.book.Decode(f, d))
		}
	}
	return out
}

// search ranks all documents, or the n best candidates.
func search(t testing.TB, ix *Index, query []float32, probes, n int, allowed []byte) []Hit {
	t.Helper()
	q, err := ix.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	found := ix.Candidates(q, probes, n, allowed)
	if err := ix.Rank(q, found); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestScoresAreMaxSimOfTheStoredVectors(t *testing.T) {
	for _, bits := range []int{8, 4, 2} {
		for _, dim := range []int{1, 2, 3, 5, 8, 16, 17, 48, 128} {
			r := rand.New(rand.NewPCG(uint64(bits), uint64(dim)))
			c := newCorpus(t, r, dim, bits, 60, 13)
			query := unit(r, dim, nil, 1)
			for range 6 {
				query = append(query, unit(r, dim, nil, 1)...)
			}
			stored := c.stored(t)
			got := search(t, c.index(t), query, 3, 60, nil)
			if len(got) != 60 {
				t.Fatalf("%d bits, %d dimensions: %d hits", bits, dim, len(got))
			}
			for i, h := range got {
				want := naive.MaxSim(query, stored[h.Document], dim)
				// Queries are rounded to 15 bits for the products with residuals.
				if approx.Apart(float64(h.Score), want, 7*2e-5) {
					t.Errorf("%d bits, %d dimensions, document %d: %v, want %v", bits, dim, h.Document, h.Score, want)
				}
				if i > 0 && !got[i-1].before(h) {
					t.Errorf("%v before %v", got[i-1], h)
				}
				if len(stored[h.Document]) == 0 && h.Score != 0 {
					t.Errorf("a document without vectors scores %v", h.Score)
				}
			}
		}
	}
}

// The vectors as stored are near the given ones, and the nearer the more bits they have.
func TestErrorOfTheWidths(t *testing.T) {
	for bits, most := range map[int]float64{8: 0.0001, 4: 0.015, 2: 0.13} { // share of the residual's square
		r := rand.New(rand.NewPCG(1, 1))
		c := newCorpus(t, r, 128, bits, 50, 50)
		var off, residual float64
		for d, stored := range c.stored(t) {
			for i, v := range stored {
				e := float64(v - c.documents[d][i])
				off += e * e
			}
			row, nearest := make([]float32, c.book.stride), make([]int32, 1)
			for i := 0; i < len(stored); i += c.dim {
				copy(row, c.documents[d][i:][:c.dim])
				Nearest(nearest, row, c.book.rows, c.book.half, c.book.stride)
				for j, v := range c.book.row(int(nearest[0]))[:c.dim] {
					residual += float64(row[j]-v) * float64(row[j]-v)
				}
			}
		}
		t.Logf("%d bits: %.5f of the residuals' square is lost", bits, off/residual)
		if off/residual > most {
			t.Errorf("%d bits: %.5f of the residuals' square is lost, at most %v", bits, off/residual, most)
		}
	}
}

// The nearest of many centroids is that of the least distance, in whichever order the kernel
// compares them.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	const dim, stride, k = 5, 8, 3*chunk + 17
	rows, half := make([]float32, k*stride), make([]float32, k)
	for i := range k {
		copy(rows[i*stride:], unit(r, dim, nil, 1))
		if i == k-1 {
			copy(rows[i*stride:][:dim], rows[chunk*stride:]) // an equal one
		}
		half[i] = 0.5
	}
	vectors := append(slices.Clone(rows[:40*stride]), rows[chunk*stride:][:stride]...)
	vectors = append(vectors, rows[(k-1)*stride:]...)
	for i := range 40 {
		copy(vectors[i*stride:], unit(r, dim, nil, 1))
	}
	nearest := make([]int32, 42)
	Nearest(nearest, vectors, rows, half, stride)
	for i, got := range nearest {
		want, least := 0, math.Inf(1)
		for c := range k {
			off := 0.0
			for j := range dim {
				off += math.Pow(float64(vectors[i*stride+j])-float64(rows[c*stride+j]), 2)
			}
			if off < least-1e-6 {
				want, least = c, off
			}
		}
		if int(got) != want {
			t.Errorf("vector %d: centroid %d, want %d", i, got, want)
		}
	}
}

// Errors are orthogonal to their vectors, as exactly as a float16 scale permits: at 4 bits all but
// a few, at 2 bits most.
func TestErrorsDoNotPointAlongVectors(t *testing.T) {
	for bits, most := range map[int]int{4: 5, 2: 33} { // percent
		c := newCorpus(t, rand.New(rand.NewPCG(4, 4)), 128, bits, 50, 50)
		along, n := 0, 0
		for d, stored := range c.stored(t) {
			for i := 0; i < len(stored); i += c.dim {
				dot := 0.0
				for j := range c.dim {
					dot += float64(stored[i+j]-c.documents[d][i+j]) * float64(c.documents[d][i+j])
				}
				if n++; approx.Apart(dot, 0, 1e-3) {
					along++
				}
			}
		}
		if n < 100 || 100*along > most*n {
			t.Errorf("%d bits: the errors of %d of %d vectors point along them", bits, along, n)
		}
	}
}

// A vector that is a centroid is stored as it is, at every width.
func TestCentroidsAreExact(t *testing.T) {
	centroids := []float32{0.5, -0.25, 0.125, 1, 0, 0}
	for _, bits := range []int{8, 4, 2} {
		book, err := NewCodebook(3, bits, centroids)
		if err != nil {
			t.Fatal(err)
		}
		var v Vectors
		if err := book.Encode(&v, centroids); err != nil {
			t.Fatal(err)
		}
		file, err := book.EncodeFile(&v)
		if err != nil {
			t.Fatal(err)
		}
		f, err := book.DecodeFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := book.Decode(f, 0); !slices.Equal(got, centroids) || f.Vectors() != 2 {
			t.Errorf("%d bits: %v", bits, got)
		}
	}
}

// The same bits with any number of goroutines and any order of arrival; the union of
// parts that are searched one by one is the whole.
func TestSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, bits := range []int{8, 4, 2} {
		r := rand.New(rand.NewPCG(3, uint64(bits)))
		c := newCorpus(t, r, 24, bits, 300, 40)
		query := slices.Concat(unit(r, 24, nil, 1), unit(r, 24, nil, 1), unit(r, 24, nil, 1))
		runtime.GOMAXPROCS(1)
		want := search(t, c.index(t), query, 2, 100, nil)
		for _, processors := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(processors)
			for range 4 {
				if got := search(t, c.index(t, r.Perm(len(c.files))...), query, 2, 100, nil); !slices.Equal(got, want) {
					t.Errorf("%d bits, %d processors: %v, want %v", bits, processors, got[:5], want[:5])
				}
			}
		}
		var union hits
		for i := range c.files {
			part := c.index(t, i)
			q, err := part.Query(query)
			if err != nil {
				t.Fatal(err)
			}
			union = append(union, part.Candidates(q, 2, 100, nil)...)
		}
		slices.SortFunc(union, func(a, b Hit) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		union = union[:100]
		for _, h := range union {
			part := c.index(t, slices.IndexFunc(c.firsts, func(first int) bool { return first+40 > int(h.Document) }))
			q, err := part.Query(query)
			if err != nil {
				t.Fatal(err)
			}
			one := []Hit{h}
			if err := part.Rank(q, one); err != nil || !slices.Contains(want, one[0]) {
				t.Errorf("%v is not in the whole: %v", one[0], err)
			}
		}
	}
}

// candidates is the rule of Candidates, without inverted lists.
func candidates(c *corpus, stored func(document int) []int, q *Query, probes, n int, allowed []byte) (out []uint32) {
	sums := make([]float32, len(c.documents))
	for _, scores := range q.centroids {
		order := make([]int, len(scores))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case scores[a] > scores[b]:
				return -1
			case scores[a] < scores[b]:
				return 1
			}
			return 0
		})
		floor := scores[order[min(probes, len(order)-1)]]
		for d := range sums {
			for _, centroid := range order[:min(probes, len(order))] {
				if slices.Contains(stored(d), centroid) {
					sums[d] += scores[centroid] - floor
					break
				}
			}
		}
	}
	for d := range sums {
		if allowed == nil || allowed[d] != 0 {
			out = append(out, uint32(d))
		}
	}
	slices.SortStableFunc(out, func(a, b uint32) int {
		switch {
		case sums[a] > sums[b]:
			return -1
		case sums[a] < sums[b]:
			return 1
		}
		return 0
	})
	return out[:min(n, len(out))]
}

func TestCandidatesAreTheRule(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	c := newCorpus(t, r, 16, 4, 200, 33)
	files := make([]*File, len(c.files))
	for i, file := range c.files {
		files[i], _ = c.book.DecodeFile(file)
	}
	stored := func(d int) (out []int) {
		f := files[d/33]
		for i := f.starts[d%33]; i < f.starts[d%33+1]; i++ {
			out = append(out, f.centroid(int(i)))
		}
		return out
	}
	ix := c.index(t)
	allowed := make([]byte, 200)
	for i := range allowed {
		allowed[i] = byte(r.IntN(3))
	}
	for _, probes := range []int{1, 3, 12, 40} {
		for _, n := range []int{1, 20, 500} {
			for _, mask := range [][]byte{nil, allowed} {
				q, err := ix.Query(slices.Concat(unit(r, 16, nil, 1), unit(r, 16, nil, 1), unit(r, 16, nil, 1)))
				if err != nil {
					t.Fatal(err)
				}
				var got []uint32
				for _, h := range ix.Candidates(q, probes, n, mask) {
					got = append(got, h.Document)
				}
				if want := candidates(c, stored, q, probes, n, mask); !slices.Equal(got, want) {
					t.Errorf("%d probes, %d candidates: %v, want %v", probes, n, got, want)
				}
			}
		}
	}
	short := ix.Candidates(must(ix.Query(make([]float32, 16))), 3, 500, allowed[:10]) // documents beyond the mask are not allowed
	for _, h := range short {
		if h.Document >= 10 {
			t.Errorf("document %d", h.Document)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The score of two queries together is the sum of their scores, and equal documents are
// in the order of their numbers.
func TestSumsAndTies(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	c := newCorpus(t, r, 32, 4, 90, 30)
	for i := range 30 { // the last file is the first once more
		c.documents[60+i] = c.documents[i]
	}
	c.files[2] = c.files[0]
	ix := c.index(t)
	a, b := unit(r, 32, nil, 1), slices.Concat(unit(r, 32, nil, 1), unit(r, 32, nil, 1))
	score := func(query []float32) map[uint32]float64 {
		out := map[uint32]float64{}
		all := search(t, ix, query, 12, 90, nil)
		for i, h := range all {
			out[h.Document] = float64(h.Score)
			if h.Document >= 60 && (i == 0 || !slices.ContainsFunc(all[:i], func(o Hit) bool { return o.Document == h.Document-60 && o.Score == h.Score })) {
				t.Errorf("document %d comes before its equal", h.Document)
			}
		}
		return out
	}
	one, two, both := score(a), score(b), score(slices.Concat(a, b))
	for d, s := range both {
		if approx.Apart(s, one[d]+two[d], 1e-6) {
			t.Errorf("document %d: %v, want %v", d, s, one[d]+two[d])
		}
	}
}

func TestRefusals(t *testing.T) {
	c := newCorpus(t, rand.New(rand.NewPCG(9, 9)), 8, 8, 20, 10)
	ix := c.index(t)
	second := func(_ any, err error) error { return err }
	for name, o := range map[string]struct {
		err  error
		kind fault.Kind
		says string
	}{
		"three bits":               {CheckBits(3), fault.Input, "3 bits per component, must be 8, 4 or 2"},
		"a codebook of no rows":    {second(NewCodebook(8, 4, nil)), fault.Input, "0 centroids, must be 1 to 65536"},
		"a ragged codebook":        {second(NewCodebook(8, 4, make([]float32, 9))), fault.Input, "9 numbers cannot be rows of 8"},
		"an infinite centroid":     {second(NewCodebook(1, 4, []float32{1, 1e6})), fault.Input, "row 1 has numbers that are not finite"},
		"a long vector":            {c.book.Encode(new(Vectors), []float32{1e5, 0, 0, 0, 0, 0, 0, 0}), fault.Input, "row 0: the token vector is not finite or longer"},
		"NaN in a vector":          {c.book.Encode(new(Vectors), []float32{float32(math.NaN()), 0, 0, 0, 0, 0, 0, 0}), fault.Input, "not finite"},
		"a ragged vector":          {c.book.Encode(new(Vectors), make([]float32, 7)), fault.Input, "7 numbers cannot be vectors of 8"},
		"an empty query":           {second(ix.Query(nil)), fault.Query, "a query of 0 numbers"},
		"a query of another width": {second(ix.Query(make([]float32, 12))), fault.Query, "of 8 dimensions each"},
		"a long query":             {second(ix.Query(make([]float32, 8*(MaxQuery+1)))), fault.Query, "must be 1 to 4096"},
		"an infinite query":        {second(ix.Query([]float32{0, 0, 0, 0, 0, 0, 0, float32(math.Inf(1))})), fault.Query, "vector 0 of the query is not finite"},
		"too many documents":       {second(New(c.book, 1<<31+1)), fault.Limit, "2147483649 documents"},
		"a file twice":             {ix.Load(10, c.files[0]), fault.Input, "document 10 is loaded already"},
		"a file beyond the end":    {ix.Load(15, c.files[1]), fault.Input, "documents 15 to 24 of a collection of 20"},
		"a document of no file":    {must(New(c.book, 20)).Rank(must(ix.Query(make([]float32, 8))), []Hit{{Document: 3}}), fault.Query, "document 3 are not loaded"},
	} {
		if o.err == nil || !strings.Contains(o.err.Error(), o.says) || !errors.Is(o.err, o.kind) {
			t.Errorf("%s: %v", name, o.err)
		}
	}
	if hits := must(New(c.book, 20)).Candidates(must(ix.Query(make([]float32, 8))), 3, 5, nil); len(hits) != 0 {
		t.Errorf("%d hits before a file is loaded", len(hits))
	}
}
