package vantage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Document is one document of a corpus, in the fields of BEIR. Its title, a space and its
// text are encoded. Its metadata may hold any value that encoding/json writes; filters can
// use those that it writes as strings, numbers and bools.
type Document struct {
	ID       string         `json:"_id"` // unique, not empty, at most 4,096 bytes
	Title    string         `json:"title,omitempty"`
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// IndexOptions say how Index writes a collection. Encoder or Vectors is required.
type IndexOptions struct {
	Name      string // of the collection, for people
	Generator string // program and version that writes it; "": "vantage"

	// Encoder encodes the documents. A static one (NewStaticEncoder) and a pack
	// (package packs) are written into the collection, which then encodes its queries by
	// itself; any other has to be given again when the collection is opened. With Vectors,
	// it must be the encoder that made them, which Index checks, and a pack is not written.
	Encoder Encoder
	// QueryEncoder encodes the queries if Encoder encodes only documents, as with DPR's
	// two encoders. Neither of the two may be static or a pack.
	QueryEncoder Encoder
	// Vectors are the documents' vectors, if they exist already; nil: Encoder makes them.
	Vectors *Vectors

	// TokenBits, if it is not 0, keeps a vector of each token, in 8, 4 or 2 bits per component
	// (residuals to centroids, as ColBERTv2 has them), and the collection is ranked by
	// MaxSim. Encoder must be a TokenEncoder or the pack of a ColBERT. With 4 bits, token
	// vectors of 128 components take about a seventh of their size at float32, and rankings
	// change a little (docs/performance.md). An update encodes everything again.
	TokenBits int

	// Score says how queries and documents are compared unless a query says otherwise. If
	// it is empty, the setting of Encoder's model holds, as models of sentence-transformers
	// may have one, or else perspective.Cosine.
	Score perspective.Score

	// Reader has the files of a pack that reads everyday queries, such as "why zoos are bad",
	// better than the grammar does: those of english.Reader; nil: none. The collection carries
	// it (5.4 MB) if the encoder's model is for English or, if that does not say so, if the
	// first documents are English. A pack with a reader of its own needs none, and the encoders
	// of packages english and sides bring it without being asked.
	Reader fs.FS

	IDF      bool   // weight a static encoder's tokens by their rarity in the corpus, which Index then reads twice
	Words    bool   // also write an index of words, for Hybrid and MethodWords; Index holds it in memory
	Quantize string // how vectors are stored: "int8" (the default), "f16" or "f32"

	// SmallFiles writes documents and the index of words in more and shorter files, so that
	// a page reads little for its first hits. A file of documents then has at most 8 KB,
	// and more in collections of over 8,192 documents. Documents of one page, by their
	// metadata "url" without its fragment, share a file if they fit.
	SmallFiles bool

	// Journal is a file in which Index keeps the vectors of an Encoder that is not static
	// until the collection is written. After an interruption, the same call continues from
	// there. "": no such file.
	Journal string
	// Workers is how many documents are prepared at a time, and also encoded if Encoder is
	// static; 0: as many as there are processors. The collection does not depend on it.
	Workers int
	// Progress receives the progress of a stage: "weigh" and "encode" (documents), "write"
	// (files), and with TokenBits also "centroids" (steps of learning them) and "tokens"
	// (documents). total is 0 while it is not known. It is called from one goroutine at a
	// time. It may be nil.
	Progress func(stage string, done, total int64)
}

// Vectors are vectors that were made elsewhere, one for each document, in the order of
// the corpus.
type Vectors struct {
	// Model names the encoder that made them. Index sets Kind and Dim, and Revision if it
	// is empty.
	Model Model
	Dim   int       // components of a vector, 1 to 65,536
	Data  []float32 // one vector after another
}

// Report says what Index did. Its JSON is part of what `vantage index --json` prints.
type Report struct {
	Documents     int   `json:"documents"`
	Encoded       int   `json:"encoded"`               // documents whose vector was computed
	Resumed       int   `json:"resumed"`               // documents whose vector an interrupted run had computed
	Reused        int   `json:"reused"`                // documents whose vector was taken from the old collection
	Removed       int   `json:"removed"`               // documents of the old collection whose id is gone
	Truncated     int   `json:"truncated"`             // of the encoded and resumed documents, those longer than the encoder reads, if it is not static
	Empty         int   `json:"empty"`                 // documents with neither title nor text: unless vectors were given, they match nothing, but have score 0, above a negative cosine
	MostlyUnknown int   `json:"mostly_unknown"`        // of the encoded and resumed documents, those that are mostly unknown to the encoder that the collection carries
	Files         int   `json:"files"`                 // of the collection, the manifest included
	FilesWritten  int   `json:"files_written"`         // files that were not there already
	FilesRemoved  int   `json:"files_removed"`         // of the old collection
	Bytes         int64 `json:"bytes"`                 // of the collection as stored
	Tokens        int64 `json:"tokens,omitempty"`      // vectors of tokens
	TokenBits     int   `json:"token_bits,omitempty"`  // of their components; 0: there are none
	TokenBytes    int64 `json:"token_bytes,omitempty"` // of their files, centroids included
	Model         Model `json:"model"`                 // as the manifest describes it

	// LeftOut has the metadata fields that filters cannot use, each with the reason. The
	// documents keep these fields.
	LeftOut map[string]string `json:"left_out"`
	Notes   []string          `json:"notes"` // what else a user should know, such as why nothing was reused
}

// Index writes the documents of a corpus, in the order given, as a collection into the
// folder dir, which it makes if necessary. If the corpus yields an error, Index stops and
// returns it.
//
// It is atomic: however it ends, even by a signal or a power failure, dir holds either
// the old collection (or none) or all of the new one. Documents whose text is unchanged
// keep the vector that the old collection has for them, if the same encoder made it. The
// files are the same with and without an old collection. Only one call can write to a
// folder at a time.
//
// Errors are of kind ErrInput, ErrLimit, ErrIntegrity (the files of a pack have changed) or
// ErrUnavailable (the folder or the journal cannot be written, or another call writes to it),
// or those of the context, the encoder and the file system.
func Index(ctx context.Context, documents iter.Seq2[Document, error], dir string, o IndexOptions) (*Report, error) {
	options, err := o.internal()
	if err != nil {
		return nil, classify(ctx, err, fault.Input)
	}
	var broken bool // the corpus yielded an error, which is returned as it is
	r, err := collection.Write(ctx, dir, func(yield func(store.Document, error) bool) {
		for d, err := range documents {
			broken = err != nil
			d.Metadata = maps.Clone(d.Metadata) // a corpus may fill the same map again
			if !yield(store.Document(d), err) {
				return
			}
		}
	}, options)
	if err != nil && !broken {
		err = classify(ctx, err, fault.Input)
	}
	if err != nil {
		return nil, err
	}
	return reportOf(r), nil
}

// internal returns the options in the form that the writer takes.
func (o *IndexOptions) internal() (collection.Options, error) {
	out := collection.Options{Name: o.Name, Generator: o.Generator, Terms: o.Words, Workers: o.Workers, Progress: o.Progress}
	out.Reader = o.reader()
	if o.SmallFiles {
		out.BlockBytes, out.TermBytes = collection.SmallBlockBytes, collection.SmallTermBytes
	}
	switch o.Quantize {
	case "", "int8":
		out.DType = shard.I8
	case "f16":
		out.DType = shard.F16
	case "f32":
		out.DType = shard.F32
	default:
		return out, fmt.Errorf("vectors cannot be stored as %q: choose int8, f16 or f32", o.Quantize)
	}
	if o.TokenBits != 0 {
		out.Score = manifest.ScoreMaxSim
		var err error
		out.Rows, err = o.tokens()
		return out, err
	}
	score, err := perspective.ParseScore(string(cmp.Or(o.Score, o.encoderScore())))
	if err != nil {
		if o.Score == "" {
			return out, fmt.Errorf("the model says of itself: %v (IndexOptions.Score, --score)", err) // an error of the model, and not of a query
		}
		return out, fmt.Errorf("%v (IndexOptions.Score)", err)
	}
	if score == perspective.MaxSim {
		return out, fmt.Errorf("%v (IndexOptions.Score): set TokenBits", perspective.ErrNoTokens)
	}
	out.Score = string(score)
	out.Rows, err = o.rows()
	return out, err
}

// reader returns the files of the reader of queries, or nil.
func (o *IndexOptions) reader() fs.FS {
	if p := packOf(o.Encoder); p != nil {
		if p.Manifest().Config.Reader != nil && o.Vectors == nil {
			return nil
		}
		if o.Reader == nil {
			return p.Reader()
		}
	}
	if files, static := staticOf(o.Encoder); static && o.Reader == nil {
		return files.Reader
	}
	return o.Reader
}

// encoderScore is how the encoder says that its vectors are compared, or "".
func (o *IndexOptions) encoderScore() perspective.Score {
	if own, ok := o.Encoder.(ownEncoder); ok {
		return perspective.Score(own.Info().Score)
	}
	return ""
}

// tokens returns the source of the vectors of tokens.
func (o *IndexOptions) tokens() (collection.Source, error) {
	late := lateOf(o.Encoder)
	switch {
	case o.Score != "" && o.Score != perspective.MaxSim:
		return nil, fmt.Errorf("vectors of tokens are compared by maxsim, not by %s: leave IndexOptions.Score or TokenBits out", o.Score)
	case o.Vectors != nil || o.QueryEncoder != nil || o.IDF:
		return nil, errors.New("vectors of tokens are made by one encoder: leave IndexOptions.Vectors, QueryEncoder and IDF out, or TokenBits")
	case late == nil:
		return nil, errors.New("the encoder has one vector for a whole text: give a ColBERT model, or leave IndexOptions.TokenBits (--token-bits) out")
	}
	return collection.Tokens{Encoder: late, Bits: o.TokenBits, Journal: o.Journal}, nil
}

// rows returns the source of the documents' vectors.
func (o *IndexOptions) rows() (collection.Source, error) {
	made, err := o.encoded()
	if err != nil || o.Vectors == nil {
		return made, err
	}
	return collection.Given{Model: manifest.Model(o.Vectors.Model), Dim: o.Vectors.Dim, Data: o.Vectors.Data, Maker: made}, nil
}

// encoded returns a source that encodes the documents; nil if there is no encoder.
func (o *IndexOptions) encoded() (collection.Source, error) {
	files, static := staticOf(o.Encoder)
	_, staticQueries := staticOf(o.QueryEncoder)
	switch {
	case o.Encoder == nil && o.Vectors == nil:
		return nil, errors.New("neither an encoder nor vectors: set IndexOptions.Encoder or IndexOptions.Vectors")
	case o.Encoder == nil && o.QueryEncoder != nil:
		return nil, errors.New("only an encoder of the queries: set IndexOptions.Encoder, too")
	case o.Encoder == nil && o.IDF:
		return nil, errors.New("IDF weights the tokens of a static encoder: it cannot be applied to given vectors")
	case o.Encoder == nil:
		return nil, nil
	case static && o.QueryEncoder != nil || staticQueries:
		return nil, errors.New("a static encoder encodes queries and documents alike: leave IndexOptions.QueryEncoder out")
	case packOf(o.Encoder) != nil && o.QueryEncoder != nil || packOf(o.QueryEncoder) != nil:
		return nil, errors.New("a pack encodes queries and documents: leave IndexOptions.QueryEncoder out")
	case static:
		return collection.Carried{Model: files, IDF: o.IDF}, nil
	case o.IDF:
		return nil, errors.New("IDF weights the tokens of a static encoder: it cannot be applied to other models")
	}
	if p := packOf(o.Encoder); p != nil && o.Vectors == nil {
		return collection.Pack{Model: p, Journal: o.Journal}, nil
	}
	source := collection.Outside{Encoder: internalOf(o.Encoder)}
	if o.Vectors == nil { // given vectors are not encoded
		source.Journal = o.Journal
	}
	if o.QueryEncoder != nil {
		source.Queries = internalOf(o.QueryEncoder)
	}
	return source, nil
}

func reportOf(r collection.Report) *Report {
	out := &Report{
		Documents: r.Documents, Encoded: r.Encoded, Resumed: r.Resumed, Reused: r.Reused, Removed: r.Removed,
		Truncated: r.Truncated, Empty: r.Empty, MostlyUnknown: r.MostlyUnknown,
		Files: r.Files, FilesWritten: r.FilesWritten, FilesRemoved: r.FilesRemoved, Bytes: r.Bytes,
		Model: modelOf(r.Model), LeftOut: map[string]string{}, Notes: append([]string{}, r.Notes...),
	}
	if t := r.Tokens; t != nil {
		out.Tokens, out.TokenBits = t.Vectors(), t.Bits
		for _, f := range t.All() {
			out.TokenBytes += f.Stored
		}
	}
	for _, f := range r.LeftOut {
		out.LeftOut[f.Field] = f.Reason
	}
	return out
}
