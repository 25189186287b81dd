//go:build !wasm

package fault

import (
	"errors"
	"fmt"
	"io/fs"
)

// Errorf is fmt.Errorf with a kind, as by As.
func Errorf(kind Kind, format string, args ...any) error {
	return As(kind, fmt.Errorf(format, args...))
}

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

// Unnamed removes the operation and the path from an error, for messages that begin
// with the path.
func Unnamed(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
