package vantage

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Document is one document of a corpus, in the fields of BEIR. What is encoded is its
// title, a space and its text. Its metadata may hold what JSON can; strings, numbers
// and bools can be filtered by.
type Document struct {
	ID       string         `json:"_id"` // of at most 4096 bytes, unlike any other's
	Title    string         `json:"title,omitempty"`
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// IndexOptions say how Index writes a collection. Encoder or Vectors is required.
type IndexOptions struct {
	Name      string // that tells the collection to people
	Generator string // program and version that writes it; "": "vantage"

	// Encoder encodes the documents. A static one (NewStaticEncoder) is written into the
	// collection, which then encodes its queries by itself; any other has to be given
	// again when the collection is opened. With Vectors, it is the encoder that made these, which
	// is checked.
	Encoder Encoder
	// QueryEncoder encodes the queries if Encoder encodes only documents, as with DPR's
	// two encoders. It is not static, and neither is Encoder then.
	QueryEncoder Encoder
	// Vectors are those of the documents if they are there already; nil: Encoder makes
	// them.
	Vectors *Vectors

	IDF      bool   // weight a static encoder's tokens by how rare they are in the corpus, which is read twice
	Words    bool   // write an index of words, too, for Hybrid and MethodWords; it is held in memory meanwhile
	Quantize string // how vectors are stored: "int8" (also if it is ""), "f16" or "f32"

	// Journal is a file that keeps what an Encoder that is not static has encoded until
	// the collection is written: after an interruption, the same call goes on from
	// there. "": none.
	Journal string
	// Workers is how many documents are encoded at a time; 0: as many as there are
	// processors. The collection does not depend on it.
	Workers int
	// Progress receives the progress of a stage: "weigh" and "encode" (documents),
	// "write" (files). total is 0 while it is not known. It is called from one
	// goroutine at a time. nil: no one is told.
	Progress func(stage string, done, total int64)
}

// Vectors are rows made elsewhere, one for each document in the order of the corpus.
type Vectors struct {
	// Model names the encoder that made them. Kind and Dim are filled in, and Revision
	// if it is empty.
	Model Model
	Dim   int       // numbers of a row, 1 to 65,536
	Data  []float32 // row after row
}

// Report says what Index did. Its JSON is part of what `vantage index --json` prints.
type Report struct {
	Documents     int   `json:"documents"`
	Encoded       int   `json:"encoded"`        // documents whose vector was computed
	Resumed       int   `json:"resumed"`        // documents whose vector an interrupted run had computed
	Reused        int   `json:"reused"`         // documents whose vector was taken from the old collection
	Removed       int   `json:"removed"`        // documents of the old collection whose id is gone
	Truncated     int   `json:"truncated"`      // documents longer than the encoder reads, if it is not static
	Empty         int   `json:"empty"`          // documents with neither title nor text: they are never found
	MostlyUnknown int   `json:"mostly_unknown"` // encoded documents that are mostly unknown to a static encoder
	Files         int   `json:"files"`          // of the collection, the manifest included
	FilesWritten  int   `json:"files_written"`  // those that were not there already
	FilesRemoved  int   `json:"files_removed"`  // of the old collection
	Bytes         int64 `json:"bytes"`          // of the collection as stored
	Model         Model `json:"model"`          // as the manifest describes it

	// LeftOut has the metadata fields that filters cannot use, and why; the documents keep
	// them.
	LeftOut map[string]string `json:"left_out"`
	Notes   []string          `json:"notes"` // what else a user should know, such as why nothing was reused
}

// Index writes the documents of a corpus, in the order in which they come, as a
// collection into the folder dir, which is made if need be. An error of the corpus ends
// it and is returned.
//
// It is atomic: whenever it ends, also by a signal or a power failure, dir holds the
// old collection (or none), or the new one, whole. Documents whose text is unchanged
// keep the vector that the old collection has for them, if the same encoder made it.
// The files are the same with and without an old collection. One call writes to a
// folder at a time.
//
// Errors are of kind ErrInput or ErrLimit, or those of the context, the encoder and
// the file system.
func Index(ctx context.Context, documents iter.Seq2[Document, error], dir string, o IndexOptions) (*Report, error) {
	options, err := o.internal()
	if err != nil {
		return nil, classify(err, fault.Input)
	}
	var broken bool // by the corpus, whose error is returned as it is
	r, err := collection.Write(ctx, dir, func(yield func(store.Document, error) bool) {
		for d, err := range documents {
			broken = err != nil
			if !yield(store.Document(d), err) {
				return
			}
		}
	}, options)
	if err != nil && !broken {
		err = classify(err, fault.Input)
	}
	if err != nil {
		return nil, err
	}
	return reportOf(r), nil
}

// internal are the options as the writer takes them.
func (o *IndexOptions) internal() (collection.Options, error) {
	out := collection.Options{Name: o.Name, Generator: o.Generator, Terms: o.Words, Workers: o.Workers, Progress: o.Progress}
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
	var err error
	out.Rows, err = o.rows()
	return out, err
}

// rows are what gives the documents their vectors.
func (o *IndexOptions) rows() (collection.Source, error) {
	made, err := o.encoded()
	if err != nil || o.Vectors == nil {
		return made, err
	}
	return collection.Given{Model: manifest.Model(o.Vectors.Model), Dim: o.Vectors.Dim, Data: o.Vectors.Data, Maker: made}, nil
}

// encoded are rows that the options' encoder makes; nil if there is none.
func (o *IndexOptions) encoded() (collection.Source, error) {
	files, static := staticOf(o.Encoder)
	_, staticQueries := staticOf(o.QueryEncoder)
	switch {
	case o.Encoder == nil && o.Vectors == nil:
		return nil, errors.New("neither an encoder nor vectors: set IndexOptions.Encoder or IndexOptions.Vectors")
	case o.Encoder == nil && o.QueryEncoder != nil:
		return nil, errors.New("an encoder of the queries alone: set IndexOptions.Encoder, too")
	case o.Encoder == nil && o.IDF:
		return nil, errors.New("IDF weights the tokens of a static encoder: it cannot be applied to given vectors")
	case o.Encoder == nil:
		return nil, nil
	case static && o.QueryEncoder != nil || staticQueries:
		return nil, errors.New("a static encoder encodes queries and documents alike: leave IndexOptions.QueryEncoder out")
	case static:
		return collection.Carried{Model: files, IDF: o.IDF}, nil
	case o.IDF:
		return nil, errors.New("IDF weights the tokens of a static encoder: it cannot be applied to other models")
	}
	source := collection.Outside{Encoder: internalOf(o.Encoder)}
	if o.Vectors == nil { // else nothing is encoded
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
	for _, f := range r.LeftOut {
		out.LeftOut[f.Field] = f.Reason
	}
	return out
}
