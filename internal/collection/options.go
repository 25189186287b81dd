// Package collection writes collections to disk.
//
// A run that is killed at any point leaves the old collection (or none) or the new one. The writer writes and syncs new
// files in a staging folder, and moves them to names that contain the hash of their content. Only then does one rename
// replace the old manifest by the new one.
package collection

import (
	"cmp"
	"fmt"
	"io/fs"
	"runtime"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Options are the options of Write. Rows is required.
type Options struct {
	Name      string
	Generator string // program and version for the manifest; default "vantage"

	Rows Source // source of the documents' vectors

	// Reader has the files of a pack that reads English queries; nil: none. A collection gets it if the encoder or, if that
	// does not say of which language it is, the documents are English.
	Reader fs.FS
	reader *readerPack // once it has been read

	Terms bool // also write an inverted index for searches by words, which is built in memory

	DType shard.DType // type of the stored rows: I8 (default), F16 or F32

	Score string // how queries and rows are compared: manifest.ScoreCosine (default) or ScoreDot; with Tokens always ScoreMaxSim

	// Progress receives the progress of a stage; total is 0 if it is unknown. Only one goroutine calls it at a time.
	Progress func(stage string, done, total int64)

	ShardBytes     int // longest vector file; default DefaultShardBytes
	TermBytes      int // longest file of terms, uncompressed, except that a single term may need more; default DefaultTermBytes. A smaller one grows with the number of documents if BlockBytes is set
	BlockDocuments int // documents per file; default DefaultBlockDocuments
	BlockBytes     int // longest file of documents as stored, unless one document takes more; grows with the number of documents; 0: no such limit
	Workers        int // default is the number of processors; the output does not depend on it
}

// Stages of Progress.
const (
	StageWeigh  = "weigh"  // documents counted for IDF
	StageEncode = "encode" // documents encoded or reused
	StageWrite  = "write"  // files moved into place

	// Of token vectors only.
	StageCentroids = "centroids" // steps of learning them
	StageTokens    = "tokens"    // documents whose token vectors are stored
)

// Defaults.
const (
	DefaultShardBytes     = 4_000_000
	DefaultTermBytes      = 64_000
	DefaultBlockDocuments = 256
	SmallBlockBytes       = 8000    // for pages that answer before they have loaded much
	SmallTermBytes        = 16_000  // for the same pages
	maxBlockBytes         = 4 << 20 // bytes of a block's texts; blocks of long documents have fewer documents
)

// Report is the result of Write.
type Report struct {
	Documents     int
	Encoded       int // documents whose vector was computed
	Reused        int // documents whose vector was taken from the old collection
	Removed       int // documents of the old collection whose ids the corpus lacks
	Resumed       int // documents whose vector an interrupted run had computed
	Truncated     int // documents that were encoded, now or in an interrupted run, and exceed the encoder's limit
	Empty         int // documents with neither title nor text: unless vectors were given, they match nothing, but have score 0, above a negative cosine
	MostlyUnknown int // encoded and resumed documents with mostly unknown words, for example in another language

	Files        int   // files of the collection, including the manifest
	FilesWritten int   // files that did not exist before
	FilesRemoved int   // files of the old collection that were removed
	Bytes        int64 // size of the collection as stored

	Model   manifest.Model
	Tokens  *manifest.Tokens // nil if documents have one vector each
	LeftOut []LeftOut        // metadata fields that filters cannot use
	Notes   []string         // other remarks for the user, such as why nothing was reused
}

// LeftOut is a metadata field that is not in the columns (the documents themselves keep it).
type LeftOut struct{ Field, Reason string }

// TargetError says why a folder, or a file that keeps vectors, cannot be written to.
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

// VectorsError says why given vectors do not match the documents.
type VectorsError struct {
	Problem string
	Remedy  string // "" means one row per document
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
	if most := manifest.MaxNameBytes; len(o.Name) > most || len(o.Generator) > most {
		return fault.Errorf(fault.Input, "the names of the collection and of its generator have %d and %d bytes, at most %d each: shorten them", len(o.Name), len(o.Generator), most)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Rows == nil {
		return fault.New(fault.Input, "nothing gives the documents vectors: set Options.Rows")
	}
	if o.Reader != nil {
		var err error
		if o.reader, err = openReader(o.Reader); err != nil {
			return err
		}
	}
	return o.Rows.check()
}

func (o *Options) progress(stage string, done, total int64) {
	if o.Progress != nil {
		o.Progress(stage, done, total)
	}
}
