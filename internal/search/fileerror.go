package search

import "github.com/vantage-search/vantage/internal/wasm/fault"

// FileError says that a file of the collection has the bytes that the manifest
// promises, and that the core cannot use them.
type FileError struct {
	File string
	Err  error // what the core said
}

func (e *FileError) Error() string { return e.File + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// Is reports the kind of fault: input, unless Err has a kind.
func (e *FileError) Is(target error) bool { return target == fault.Input && fault.Of(e.Err) == "" }
