package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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

var errInterrupted = errors.New("interrupted")

// interrupted reports whether the end of the context caused err.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

// exitCode tells what kind of error it was: a mistake in the call, or by its kind
// (fault.Table).
func exitCode(err error) int {
	switch kind := fault.Of(err); {
	case err == nil:
		return exitDone
	case kind != "":
		return kind.Facts().Exit
	}
	return exitFailed
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

// warn writes a warning; the command continues.
func warn(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "vantage: warning: %s\n", escape(fmt.Sprintf(format, args...)))
}
