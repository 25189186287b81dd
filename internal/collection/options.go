// Package collection writes collections to disk.
//
// A collection is written so that a run that is killed at any point leaves the old collection or none: new files are
// written and synced in a staging folder, moved to names made of their content's hash, which no other content can have,
// and only then does the new manifest take the place of the old one in a single rename.
package collection

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Options of Write. Model, Encoder or External is required. With Model and External, the rows are External's and the
// collection carries Model's encoder for the queries; with Encoder and External, the rows are External's too.
type Options struct {
	Name      string
	Generator string // program and version, for the manifest; default "vantage"

	Model    staticmodel.Files // the encoder of the documents, or with External of the queries alone; the collection carries it
	IDF      bool              // weight the encoder's tokens by how rare they are in the corpus; reads the documents twice
	External *Vectors          // vectors from elsewhere; without Model the collection carries no encoder

	Encoder encoder.Encoder // an encoder that the collection does not carry, such as a transformer, in place of Model
	Queries encoder.Encoder // encodes the queries where Encoder encodes only documents, as with DPR's two encoders; nil: Encoder
	Journal string          // file that keeps what Encoder has encoded until the collection stands; "": none

	Terms bool // also file an inverted index, so that the collection can be searched by words; it is held in memory meanwhile

	DType shard.DType // of the stored rows: I8 (default), F16 or F32

	// Progress is told how far a stage is; total is 0 where it is not known. It is called from one goroutine at a time.
	Progress func(stage string, done, total int64)

	ShardBytes     int // longest vector file; default DefaultShardBytes
	TermBytes      int // longest file of terms, uncompressed, but for single terms that need more; default DefaultTermBytes
	BlockDocuments int // documents per file; default DefaultBlockDocuments
	Workers        int // default: as many as processors. The output does not depend on it
}

// Stages of Progress.
const (
	StageWeigh  = "weigh"  // documents counted for IDF
	StageEncode = "encode" // documents encoded or reused
	StageWrite  = "write"  // files moved into place
)

// Defaults.
const (
	DefaultShardBytes     = 4_000_000
	DefaultTermBytes      = 64_000
	DefaultBlockDocuments = 256
	maxBlockBytes         = 4 << 20 // of a block's texts, so that blocks of long documents have fewer
)

// Vectors are rows made elsewhere, one per document in the order of the corpus.
type Vectors struct {
	Model manifest.Model // ID and what else is known about the encoder; Kind and Dim are filled in, Revision where empty
	Dim   int
	Data  []float32 // [documents, Dim]
}

// Report says what Write did.
type Report struct {
	Documents     int
	Encoded       int // documents whose vector was computed
	Reused        int // documents whose vector was taken from the old collection
	Removed       int // documents of the old collection whose id is gone
	Resumed       int // documents whose vector an interrupted run had computed
	Truncated     int // documents encoded, now or in an interrupted run, that are longer than Encoder reads
	Empty         int // documents with neither title nor text: they are never found
	MostlyUnknown int // encoded documents that are mostly unknown to the encoder, as in a language that it does not know

	Files        int   // of the collection, the manifest included
	FilesWritten int   // those that were not there already
	FilesRemoved int   // of the old collection
	Bytes        int64 // of the collection as stored

	Model   manifest.Model
	LeftOut []LeftOut // metadata fields that filters cannot use
	Notes   []string  // what else a user should know, such as why nothing was reused
}

// LeftOut is a metadata field that is not in the columns (the documents themselves keep it).
type LeftOut struct{ Field, Reason string }

// TargetError says why a folder cannot be written to.
type TargetError struct {
	Dir     string
	Problem string
	Remedy  string
	Err     error
}

func (e *TargetError) Error() string { return fmt.Sprintf("%s: %s: %s", e.Dir, e.Problem, e.Remedy) }

// Is reports the kind of fault: unavailable.
func (e *TargetError) Is(target error) bool { return target == fault.Unavailable }
func (e *TargetError) Unwrap() error        { return e.Err }

// ErrNoDocuments says that a corpus is empty.
var ErrNoDocuments = fault.New(fault.Input, "the corpus has no documents: check that it is the right file")

// DocumentError says which document cannot be indexed.
type DocumentError struct {
	Index   int // from 0, in the order of the corpus
	ID      string
	Problem string
	Err     error
}

func (e *DocumentError) Error() string {
	return fmt.Sprintf("document %d (%.80q): %s", e.Index, e.ID, e.Problem)
}

// Is reports the kind of fault: input.
func (e *DocumentError) Is(target error) bool { return target == fault.Input }
func (e *DocumentError) Unwrap() error        { return e.Err }

// VectorsError says how given vectors and documents disagree.
type VectorsError struct {
	Problem string
	Remedy  string // "": one row per document
}

func (e *VectorsError) Error() string {
	return "vectors: " + e.Problem + ": " + cmp.Or(e.Remedy, "give one row per document, in the order of the corpus")
}

// Is reports the kind of fault: input.
func (e *VectorsError) Is(target error) bool { return target == fault.Input }

func (o *Options) defaults() error {
	if o.Generator == "" {
		o.Generator = "vantage"
	}
	if o.DType == "" {
		o.DType = shard.I8
	}
	if o.DType != shard.I8 && o.DType != shard.F16 && o.DType != shard.F32 {
		return fmt.Errorf("rows cannot be stored as %q: choose I8, F16 or F32", o.DType)
	}
	if o.ShardBytes <= 0 {
		o.ShardBytes = DefaultShardBytes
	}
	if o.TermBytes <= 0 {
		o.TermBytes = DefaultTermBytes
	}
	if o.BlockDocuments <= 0 {
		o.BlockDocuments = DefaultBlockDocuments
	}
	if o.BlockDocuments > manifest.MaxBlock {
		return fmt.Errorf("%d documents per block, at most %d", o.BlockDocuments, manifest.MaxBlock)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	switch {
	case o.External == nil && o.Encoder == nil && len(o.Model.Weights) == 0:
		return fmt.Errorf("neither an encoder nor vectors: set Options.Model, Options.Encoder or Options.External")
	case o.Encoder != nil && len(o.Model.Weights) > 0:
		return fmt.Errorf("two encoders: set one of Options.Model and Options.Encoder")
	case o.Queries != nil && o.Encoder == nil:
		return fmt.Errorf("an encoder of the queries alone: set Options.Encoder, too")
	case o.Queries != nil && o.Queries.Info().Dim != o.Encoder.Info().Dim:
		return fmt.Errorf("the model of the queries, %s, gives %d dimensions, and that of the documents, %s, %d: they do not belong together",
			o.Queries.Info().ID, o.Queries.Info().Dim, o.Encoder.Info().ID, o.Encoder.Info().Dim)
	case o.Encoder != nil && o.IDF:
		return fmt.Errorf("IDF weights the tokens of a static encoder: it cannot be applied to other models")
	}
	if v := o.External; v != nil {
		if v.Dim < 1 || v.Dim > manifest.MaxDim || len(v.Data)%v.Dim != 0 {
			return &VectorsError{Problem: fmt.Sprintf("%d numbers are not rows of %d, and rows have 1 to %d", len(v.Data), v.Dim, manifest.MaxDim)}
		}
		if o.IDF {
			return fmt.Errorf("IDF weights the tokens of a static encoder: it cannot be applied to given vectors")
		}
	}
	return nil
}

func (o *Options) progress(stage string, done, total int64) {
	if o.Progress != nil {
		o.Progress(stage, done, total)
	}
}
