package vantage

import (
	"context"
	"errors"
	"io/fs"
	"net"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Kinds of errors, for errors.Is; they are the same with every engine. An error's text
// names the thing at fault and the remedy. An error that wraps another may be of both
// kinds. Errors of the context, the file system and the network stay what they are:
// errors.Is and errors.As find these, too.
var (
	ErrInput       error = fault.Input       // a file, a text or a setting that cannot be used as it is
	ErrQuery       error = fault.Query       // a query that has no defined answer, or names something that does not exist
	ErrLimit       error = fault.Limit       // a stated limit is exceeded
	ErrIntegrity   error = fault.Integrity   // data that is missing, has another length or hash than stated, or comes from another model
	ErrVersion     error = fault.Version     // data written for another version of Vantage
	ErrUnsupported error = fault.Unsupported // well-formed data of a kind that Vantage does not read
	ErrUnavailable error = fault.Unavailable // a host, a disk or a busy server that does not answer now and may do so later
	ErrInternal    error = fault.Internal    // a fault of Vantage's own, such as a core that crashed
)

// ErrClosed is the error of calls after Close, of kind ErrUnavailable.
var ErrClosed = search.ErrClosed

// classify gives an error a kind, unless it has one or comes from the caller's context or
// encoder, the file system or the network.
func classify(ctx context.Context, err error, kind fault.Kind) error {
	err = ended(ctx, err)
	if err == nil || fault.Of(err) != "" || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrClosed) ||
		fault.Is[*encoderFault](err) || fault.Is[*fs.PathError](err) || fault.Is[net.Error](err) {
		return err
	}
	return fault.As(kind, err)
}

// ended lets errors.Is find context.Canceled or context.DeadlineExceeded in the cause for
// which the caller ended the context, such as that of signal.NotifyContext.
func ended(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) || !errors.Is(err, context.Cause(ctx)) {
		return err
	}
	return &endedError{err, ctx.Err()}
}

type endedError struct{ cause, context error }

func (e *endedError) Error() string   { return e.cause.Error() }
func (e *endedError) Unwrap() []error { return []error{e.cause, e.context} }

// encoderFault is an error of the program's own encoder.
type encoderFault struct{ err error }

func (e *encoderFault) Error() string { return e.err.Error() }
func (e *encoderFault) Unwrap() error { return e.err }
