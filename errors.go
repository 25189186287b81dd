package vantage

import (
	"context"
	"errors"
	"io/fs"
	"net"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/remote"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Kinds of errors, for errors.Is; every engine gives the same one. An error has at
// most one, and its text names the thing at fault and the remedy. Errors of the
// context, the file system and the network stay what they are: errors.Is and
// errors.As find them, too.
var (
	ErrInput       = errors.New("input")       // a corpus, an encoder or vectors that cannot be used as they are
	ErrQuery       = errors.New("query")       // a query that has no defined answer, or that the collection cannot answer
	ErrLimit       = errors.New("limit")       // a stated limit is exceeded
	ErrIntegrity   = errors.New("integrity")   // a file of a collection is not what the manifest promises
	ErrVersion     = errors.New("version")     // a collection that only a newer program reads
	ErrUnsupported = errors.New("unsupported") // well-formed, but of a kind that is not read
	ErrUnavailable = errors.New("unavailable") // a host that does not answer, or not with the file
	ErrInternal    = errors.New("internal")    // a fault of the engine; what ran on it can be asked again
)

// ErrClosed is the error of calls after Close.
var ErrClosed = search.ErrClosed

// kindError gives an error its kind and leaves its text alone.
type kindError struct{ err, kind error }

func (e *kindError) Error() string   { return e.err.Error() }
func (e *kindError) Unwrap() []error { return []error{e.err, e.kind} }

// classify gives an error its kind, if it is of a type that has one.
func classify(err error) error { return classifyAs(err, nil) }

// classifyAs is classify for errors that are of a kind unless something else shows.
func classifyAs(err, otherwise error) error {
	if err == nil || is[*kindError](err) {
		return err
	}
	kind := kindOf(err)
	if kind == nil && !outside(err) {
		kind = otherwise
	}
	if kind == nil {
		return err
	}
	return &kindError{err, kind}
}

// outside reports whether an error is the caller's, the file system's or the
// network's.
func outside(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrClosed) ||
		is[*fs.PathError](err) || is[net.Error](err) || is[*collection.TargetError](err)
}

// coded is an error of the WebAssembly core.
type coded interface {
	error
	FaultCode() int32
}

// kindOf is the kind of an error by its type; nil: its type does not tell.
func kindOf(err error) error {
	if e, ok := errors.AsType[coded](err); ok {
		switch e.FaultCode() {
		case abi.CodeInput:
			return ErrInput
		case abi.CodeQuery:
			return ErrQuery
		case abi.CodeLimit:
			return ErrLimit
		case abi.CodeUnsupported:
			return ErrUnsupported
		}
		return ErrInternal
	}
	switch {
	case is[*index.LimitError](err), is[*jsonlite.LimitError](err), is[*unpack.ExpansionError](err), errors.Is(err, store.ErrTooLong):
		return ErrLimit
	case is[*remote.StatusError](err), is[*remote.StalledError](err):
		return ErrUnavailable
	case is[*manifest.NewerError](err):
		return ErrVersion
	case is[*store.MissingError](err), is[*store.CorruptError](err), is[*manifest.InvalidError](err):
		return ErrIntegrity
	case is[*search.FilterError](err), errors.Is(err, search.ErrNoEncoder), errors.Is(err, search.ErrNoTerms),
		is[*perspective.UnknownMethodError](err), is[*perspective.MissingError](err), is[*perspective.LambdaError](err), is[*perspective.TooManyError](err),
		is[*perspective.DegenerateError](err), is[*perspective.DimensionError](err), is[*perspective.NonFiniteError](err):
		return ErrQuery
	case is[*collection.DocumentError](err), is[*collection.VectorsError](err), errors.Is(err, collection.ErrNoDocuments),
		is[*search.FileError](err), is[*search.EncoderMismatchError](err), errors.Is(err, manifest.ErrNotCollection), is[*corpus.InputError](err),
		is[*shard.FormatError](err), is[*shard.RowError](err), is[*jsonlite.SyntaxError](err), is[*jsonlite.ValueError](err):
		return ErrInput
	}
	return nil
}

func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}
