package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitInput  = 3
)

// usageError is a mistake in how the command was called.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// inputError is a file, folder or text that cannot be used as it is.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// Is reports the kind of fault: input.
func (e *inputError) Is(target error) bool { return target == fault.Input }

func inputf(format string, args ...any) error { return &inputError{fmt.Errorf(format, args...)} }

var errInterrupted = errors.New("interrupted")

// interrupted reports whether err is what the end of the context led to.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

// exitCode tells what kind of error it was: a mistake in the call, or by its kind
// (fault.Table).
func exitCode(err error) int {
	switch kind := fault.Of(err); {
	case err == nil:
		return exitDone
	case is[*usageError](err):
		return exitUsage
	case kind != "":
		return kind.Facts().Exit
	}
	return exitFailed
}

func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
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

// unnamed leaves out the operation and path of an error that is reported with
// the path in front.
func unnamed(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
