// Package search opens a collection on a native or WebAssembly core and answers queries
// given as texts. Package vantage, the command and the headless host all search through
// it. The JavaScript library does the same in a page, and tests compare the results of
// both bit for bit.
package search

import (
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// Core is an engine: the Go packages natively, or an instance of core.wasm.
type Core interface {
	// OpenEncoder reads a static encoder's three files.
	OpenEncoder(tokenizer, weights, config []byte) (Encoder, error)
	// OpenModel begins to read a pack with its pack.json.
	OpenModel(manifest []byte) (Model, error)
	// OpenIndex returns an empty index; dtype is shard.F32 or shard.I8.
	OpenIndex(dim int, dtype shard.DType, rows int) (Index, error)
	// OpenWords returns an inverted index with the documents of a lengths file.
	OpenWords(lengths []byte) (Words, error)
	// Fuse fuses a ranking by vectors with one by words: see lexical.Fuse.
	Fuse(fusion string, weight float64, vectors, words []lexical.Hit) ([]lexical.Hit, error)
	// Read finds the root and the perspective of a query by its wording: see
	// perspective.Read.
	Read(query string) (perspective.Reading, error)
	// Stance says which side a perspective asks for: see perspective.Stance.
	Stance(perspective string) (int, error)
	// Lost reports that the core can no longer answer and must be replaced.
	Lost() bool
	Close() error
}

// Encoder turns texts into vectors.
type Encoder interface {
	Dim() int
	Encode(text string) ([]float32, encode.Info, error)
}

// Index ranks rows.
type Index interface {
	Load(firstRow int, file []byte) error
	SetNumbers(column uint32, firstRow int, values []float64) error
	SetCodes(column uint32, firstRow int, codes []uint32) error
	Add(vector []float32) (row int, err error)
	// LoadAngles adds a file of angles, the second vectors of rows. Its first is that of row firstRow.
	LoadAngles(firstRow int, file []byte) error
	// AddAngle sets the angle of a row that Add added.
	AddAngle(row int, vector []float32) error
	// Mask finds the rows that meet all filters; nil for no filters.
	Mask(filters []index.Filter) (index.Mask, error)
	// Documents returns a byte per document: 0 if the mask allows none of its rows,
	// otherwise 1.
	Documents(m index.Mask) ([]byte, error)
	// Cut finds the cut of a gated method's gate over the rows that the request's mask allows. Later requests can carry it.
	Cut(r *ranking.Request) (float64, error)
	Search(r *ranking.Request) ([]ranking.Hit, error)
	// Explain explains hits of any ranking. Hits name their documents: see
	// ranking.Explain.
	Explain(r *ranking.Request, hits []ranking.Hit) error
	// Sides tells the sides of all rows: see ranking.Tell.
	Sides(r *ranking.Request, c stance.Calibration) (*ranking.Sides, error)
	// SidesOf tells the sides of the documents of hits: see ranking.TellOf.
	SidesOf(r *ranking.Request, c stance.Calibration, hits []index.Hit) ([]ranking.Stance, error)
	// Vector returns the row of a document and its angle, which is nil if it has not been
	// loaded.
	Vector(document uint32, angleDim int) (vector, angle []float32, err error)
	Close() error
}

// Words ranks documents by BM25.
type Words interface {
	Documents() int
	// Terms returns the distinct words of a text in the form that the index has.
	Terms(text string) ([]string, error)
	// Load adds a term file.
	Load(file []byte) error
	// Search returns the k best documents. keep has a byte per document, 0 if it must
	// not be a hit; nil allows all.
	Search(text string, k int, keep []byte) ([]lexical.Hit, error)
}

// Native is the core that runs as Go code in this process. It may be used from
// several goroutines.
func Native() Core { return &native{} }

func (*native) OpenEncoder(tokenizer, weights, config []byte) (Encoder, error) {
	s, err := encode.OpenStatic(tokenizer, weights, config)
	if err != nil {
		return nil, err
	}
	return nativeEncoder{s}, nil
}

func (*native) OpenIndex(dim int, dtype shard.DType, rows int) (Index, error) {
	ix, err := index.New(dim, dtype, rows)
	if err != nil {
		return nil, err
	}
	return nativeIndex{ix}, nil
}

func (*native) OpenWords(lengths []byte) (Words, error) {
	x, err := lexical.Open(lexical.DefaultParameters, lengths)
	if err != nil {
		return nil, err
	}
	return nativeWords{x}, nil
}

func (*native) Fuse(fusion string, weight float64, vectors, words []lexical.Hit) ([]lexical.Hit, error) {
	return lexical.Fuse(fusion, weight, vectors, words)
}

func (*native) Read(query string) (perspective.Reading, error) { return perspective.Read(query), nil }

func (*native) Stance(text string) (int, error) { return perspective.Stance(text), nil }

func (*native) Lost() bool { return false }

type nativeEncoder struct{ static *encode.Static }

func (e nativeEncoder) Dim() int { return e.static.Dim() }

func (e nativeEncoder) Encode(text string) ([]float32, encode.Info, error) {
	vector := make([]float32, e.static.Dim())
	info := e.static.Encode(vector, text)
	return vector, info, nil
}

type nativeIndex struct{ *index.Index }

func (ix nativeIndex) Load(firstRow int, file []byte) error {
	rows, err := shard.DecodeRows(file)
	if err != nil {
		return err
	}
	return ix.Index.Load(firstRow, rows)
}

func (ix nativeIndex) LoadAngles(firstRow int, file []byte) error {
	rows, err := shard.DecodeRows(file)
	if err != nil {
		return err
	}
	return ix.Index.LoadAngles(firstRow, rows)
}

func (ix nativeIndex) Search(r *ranking.Request) ([]ranking.Hit, error) {
	return ranking.Search(ix.Index, r)
}

func (ix nativeIndex) Cut(r *ranking.Request) (float64, error) {
	scores, err := ranking.GateScores(ix.Index, r)
	if err != nil {
		return 0, err
	}
	return ranking.Cut(r, scores)
}

func (ix nativeIndex) Explain(r *ranking.Request, hits []ranking.Hit) error {
	return ranking.Explain(ix.Index, r, hits)
}

func (ix nativeIndex) Sides(r *ranking.Request, c stance.Calibration) (*ranking.Sides, error) {
	return ranking.Tell(ix.Index, r, c)
}

func (ix nativeIndex) SidesOf(r *ranking.Request, c stance.Calibration, hits []index.Hit) ([]ranking.Stance, error) {
	return ranking.TellOf(ix.Index, r, c, hits)
}

func (ix nativeIndex) Vector(document uint32, _ int) (vector, angle []float32, err error) {
	return ix.Index.Vector(document)
}

func (ix nativeIndex) Documents(m index.Mask) ([]byte, error) { return ix.Index.Documents(m), nil }

func (nativeIndex) Close() error { return nil }

type nativeWords struct{ *lexical.Index }

func (nativeWords) Terms(text string) ([]string, error) { return lexical.Terms(text), nil }

func (w nativeWords) Search(text string, k int, keep []byte) ([]lexical.Hit, error) {
	q := lexical.Query{Text: text, K: k}
	if keep != nil {
		q.Keep = func(document uint32) bool { return uint64(document) < uint64(len(keep)) && keep[document] != 0 }
	}
	return w.Index.Search(q)
}
