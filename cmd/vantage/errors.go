package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/vantage-search/vantage/internal/human"
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

// exitCode returns the exit code of an error: that of its kind (fault.Table), if it has
// one.
func exitCode(err error) int {
	switch kind := fault.Of(err); {
	case err == nil:
		return exitDone
	case kind != "":
		return kind.Facts().Exit
	}
	return exitFailed
}

// printError writes each line of an error after the program's name. After a wrong call, it also
// says where to find help.
func printError(w io.Writer, command string, err error) {
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "vantage: %s\n", human.Escape(strings.TrimRight(line, "\r\n")))
	}
	if exitCode(err) == exitUsage {
		fmt.Fprintf(w, "Run '%s --help' for usage.\n", command)
	}
}

// usagef returns an error for a wrong call.
func usagef(format string, args ...any) error { return fault.Errorf(fault.Query, format, args...) }
