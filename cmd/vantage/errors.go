package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/vantage-search/vantage/headless"
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/blame"
	"github.com/vantage-search/vantage/internal/model/hub"
	"github.com/vantage-search/vantage/internal/model/npy"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitInput  = 3
)

var errInterrupted = errors.New("interrupted")

// interrupted reports whether err is what the end of the context led to.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

// exitCode tells what kind of error it was.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case is[*blame.Usage](err):
		return exitUsage
	case is[*blame.Input](err):
		return exitInput
	case is[*collection.TargetError](err), is[*headless.LostError](err): // whatever is wrong there, it is not the input
		return exitFailed
	case is[*search.FilterError](err), is[*perspective.UnknownMethodError](err), is[*perspective.MissingError](err),
		is[*hub.NameError](err), is[*perspective.LambdaError](err), is[*perspective.TooManyError](err), errors.Is(err, search.ErrNoEncoder), errors.Is(err, search.ErrNoTerms):
		return exitUsage
	case is[*corpus.InputError](err), is[*npy.FormatError](err), is[*npy.ValueError](err),
		is[*collection.VectorsError](err), is[*collection.DocumentError](err), errors.Is(err, collection.ErrNoDocuments),
		is[*store.MissingError](err), is[*store.CorruptError](err),
		is[*manifest.NewerError](err), is[*manifest.InvalidError](err), errors.Is(err, manifest.ErrNotCollection),
		is[*shard.FormatError](err), is[*shard.RowError](err), is[*search.FileError](err), is[*search.EncoderMismatchError](err),
		is[*hub.ModelError](err), is[*hub.NotCachedError](err), notOnHub(err),
		is[*perspective.DegenerateError](err), is[*perspective.DimensionError](err), is[*perspective.NonFiniteError](err),
		coreRefused(err):
		return exitInput
	}
	return exitFailed
}

// notOnHub reports whether a model or revision that was named does not exist.
func notOnHub(err error) bool {
	e, ok := errors.AsType[*hub.StatusError](err)
	return ok && e.File == "" && errors.Is(e, fs.ErrNotExist)
}

// coreRefused reports whether the WebAssembly core found fault with a file or
// a query, which it says by number.
func coreRefused(err error) bool {
	e, ok := errors.AsType[*headless.CallError](err)
	return ok && (e.Code == abi.CodeInput || e.Code == abi.CodeQuery || e.Code == abi.CodeUnsupported)
}

// printError writes an error, each of its lines once.
func printError(w io.Writer, command string, err error) {
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "vantage: %s\n", escape(strings.TrimRight(line, "\r\n")))
	}
	if exitCode(err) == exitUsage {
		fmt.Fprintf(w, "Run '%s --help' for usage.\n", command)
	}
}

// warn writes what a user should know although the command goes on.
func warn(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "vantage: warning: %s\n", escape(fmt.Sprintf(format, args...)))
}
