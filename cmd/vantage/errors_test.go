package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/remote"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/hub"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/host"
	"github.com/vantage-search/vantage/perspective"
)

func TestExitCodes(t *testing.T) {
	for want, errs := range map[int][]error{
		exitDone: {nil},
		exitFailed: {errors.New("x"), fs.ErrPermission, context.Canceled, &host.LostError{}, &host.CallError{Code: fault.Internal.Facts().Code}, &collection.TargetError{Err: manifest.ErrNotCollection}, &remote.StatusError{Code: 503},
			&hub.StatusError{Code: 404, File: "config.json"}, &hub.StatusError{Code: 503}, &hub.DiskError{Err: fs.ErrPermission}, &hub.UnreachableError{Err: fs.ErrClosed}},
		exitUsage: {usagef("x"), &hub.NameError{}, &search.FilterError{}, &perspective.UnknownMethodError{}, search.ErrNoEncoder, search.ErrNoTerms,
			&perspective.DegenerateError{}, &host.CallError{Code: fault.Query.Facts().Code}},
		exitInput: {inputf("x"), inputf("x: %w", &perspective.MissingError{}), &corpus.InputError{}, &store.CorruptError{}, &store.MissingError{Err: fs.ErrNotExist},
			&hub.StatusError{Code: 404}, &hub.StatusError{Code: 403}, &hub.IntegrityError{}, &hub.ModelError{}, &hub.NotCachedError{},
			manifest.ErrNotCollection, &host.CallError{Code: fault.Limit.Facts().Code}, &host.CallError{Code: fault.Input.Facts().Code}, fault.New(fault.Input, "tokenizer.json: damaged")},
	} {
		for _, err := range errs {
			if got := exitCode(err); got != want {
				t.Errorf("%T %v: %d, want %d", err, err, got, want)
			}
			if got := exitCode(wrap("place", err)); got != want {
				t.Errorf("%T %v in a place: %d, want %d", err, err, got, want)
			}
		}
	}
	if code := exitCode(&host.StartError{Err: errors.New("no memory")}); code != exitFailed {
		t.Errorf("an engine that does not start: %d", code)
	}
}

func TestReport(t *testing.T) {
	var b strings.Builder
	printError(&b, "vantage search", errors.Join(errors.New("one \x1b[1m"), fmt.Errorf("two\n")))
	printError(&b, "vantage search", usagef("three"))
	printError(&b, "vantage search", nil)
	want := `vantage: one \u001b[1m` + "\nvantage: two\nvantage: three\nRun 'vantage search --help' for usage.\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
