package vantage

import (
	"context"
	"errors"
	"io/fs"
	"net"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Kinds of errors, for errors.Is; every engine gives the same one. The text of an
// error names the thing at fault and the remedy. Errors of the context, the file
// system and the network stay what they are: errors.Is and errors.As find them, too.
var (
	ErrInput       error = fault.Input       // a corpus, an encoder or vectors that cannot be used as they are
	ErrQuery       error = fault.Query       // a query that has no defined answer, or that the collection cannot answer
	ErrLimit       error = fault.Limit       // a stated limit is exceeded
	ErrIntegrity   error = fault.Integrity   // a file of a collection is not what the manifest promises
	ErrVersion     error = fault.Version     // a collection that only a newer program reads
	ErrUnsupported error = fault.Unsupported // well-formed, but of a kind that is not read
	ErrUnavailable error = fault.Unavailable // a host that does not answer, or not with the file
	ErrInternal    error = fault.Internal    // a fault of the engine; what ran on it can be asked again
)

// ErrClosed is the error of calls after Close.
var ErrClosed = search.ErrClosed

// classifyAs gives an error a kind if it has none and is not the caller's, the file
// system's or the network's.
func classifyAs(err error, otherwise fault.Kind) error {
	if err == nil || fault.Of(err) != "" || outside(err) {
		return err
	}
	return fault.As(otherwise, err)
}

// outside reports whether an error is the caller's, the file system's or the
// network's.
func outside(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		fault.Is[*fs.PathError](err) || fault.Is[net.Error](err)
}
