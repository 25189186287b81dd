package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Every kind has an ABI code and a class of its own, and the code leads back to the kind.
func TestTable(t *testing.T) {
	codes, classes := map[int32]bool{}, map[string]bool{}
	for _, f := range fault.Table {
		if codes[f.Code] || classes[f.Class] || f.Code >= 0 || f.Code == -2 || f.Code == -3 {
			t.Errorf("%s: its code %d or class %s is taken", f.Kind, f.Code, f.Class)
		}
		if f.Kind.Doc() == "" {
			t.Errorf("nothing says what %s is", f.Kind)
		}
		codes[f.Code], classes[f.Class] = true, true
		if fault.OfCode(f.Code) != f.Kind || f.Kind.Facts() != f {
			t.Errorf("%s: code %d leads to %s", f.Kind, f.Code, fault.OfCode(f.Code))
		}
	}
	for _, code := range []int32{-2, -3, -99} {
		if fault.OfCode(code) != fault.Internal {
			t.Errorf("code %d is %s", code, fault.OfCode(code))
		}
	}
}

type limitError struct{ err error }

func (e *limitError) Error() string        { return "limit" }
func (e *limitError) Unwrap() error        { return e.err }
func (e *limitError) Is(target error) bool { return target == fault.Limit }

// The outermost error with a kind decides. errors.Is finds all kinds in the chain.
func TestOf(t *testing.T) {
	plain := errors.New("plain")
	inner := fault.New(fault.Input, "inner")
	for want, err := range map[fault.Kind]error{
		"":                plain,
		fault.Input:       fmt.Errorf("wrapped: %w", inner),
		fault.Limit:       fmt.Errorf("wrapped: %w", &limitError{inner}),
		fault.Integrity:   errors.Join(plain, fmt.Errorf("two: %w", fault.As(fault.Integrity, &limitError{plain}))),
		fault.Unavailable: fmt.Errorf("%w: host", fault.Unavailable),
	} {
		if got := fault.Of(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
		if want != "" && !errors.Is(err, want) {
			t.Errorf("errors.Is does not find %s in %v", want, err)
		}
	}
	both := &limitError{inner}
	if !errors.Is(both, fault.Limit) || !errors.Is(both, fault.Input) || errors.Is(both, fault.Query) {
		t.Error("errors.Is does not go by the chain")
	}
	if fault.Of(nil) != "" || fault.As(fault.Input, nil) != nil {
		t.Error("no error has a kind")
	}
}

// An error with a place keeps its kind and its cause.
func TestPlaces(t *testing.T) {
	_, missing := os.Open("no-such-file")
	for _, err := range []error{
		fault.Errorf(fault.Input, "%s: %w", "no-such-file", fault.Unnamed(missing)),
		fault.At("there", fault.As(fault.Input, missing)),
	} {
		if fault.Of(err) != fault.Input || errors.Is(err, fault.Query) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v", err)
		}
	}
	err := fmt.Errorf("twice: %w", fault.Errorf(fault.Query, "-k is %d", 0))
	if fault.Of(err) != fault.Query || err.Error() != "twice: -k is 0" {
		t.Errorf("%v", err)
	}
	if err := fault.At("there", nil); err != nil {
		t.Errorf("%v", err)
	}
	if err := fault.Errorf(fault.Input, "x: %w", fault.Unnamed(missing)); err.Error() != "x: "+errors.Unwrap(missing).Error() {
		t.Errorf("%q", err)
	}
}
