package search

import "github.com/vantage-search/vantage/internal/wasm/fault"

// FileError says that the core cannot use a file of the collection, although the file's
// hash matches the manifest.
type FileError struct {
	File string
	Err  error // the core's error
}

func (e *FileError) Error() string { return e.File + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// Is reports the kind of fault: input, unless Err has a kind.
func (e *FileError) Is(target error) bool { return target == fault.Input && fault.Of(e.Err) == "" }
