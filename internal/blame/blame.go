// Package blame makes errors that say whose fault it is: a mistake in what was asked
// for, or in what was given to read. The command ends with another exit code for
// each.
package blame

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Usage is a mistake in what was asked for: options that exclude each other, a
// name that is none, a number out of its range.
type Usage struct{ Err error }

func (e *Usage) Error() string { return e.Err.Error() }
func (e *Usage) Unwrap() error { return e.Err }

// Usagef is fmt.Errorf for a Usage.
func Usagef(format string, args ...any) error { return &Usage{fmt.Errorf(format, args...)} }

// Input is a file, folder or text that cannot be used as it is.
type Input struct{ Err error }

func (e *Input) Error() string { return e.Err.Error() }
func (e *Input) Unwrap() error { return e.Err }

// Is reports the kind of fault: input.
func (e *Input) Is(target error) bool { return target == fault.Input }

// Inputf is fmt.Errorf for an Input.
func Inputf(format string, args ...any) error { return &Input{fmt.Errorf(format, args...)} }

// Is reports whether an error of type T is in err's tree.
func Is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// At puts a place before an error, if there is one.
func At(place string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", place, err)
}

// Unnamed leaves out the operation and the path of an error that is reported with
// the path in front.
func Unnamed(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
