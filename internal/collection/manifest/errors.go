package manifest

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrNotCollection says that a file is not a collection's manifest at all (a web app has a manifest.json, too).
var ErrNotCollection = fault.New(fault.Input, `not a Vantage collection: manifest.json lacks "format": "`+Format+`"`)

// NewerError says that a collection was written in a version of the format that this reader does not know.
type NewerError struct{ Version int }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the collection has format version %d, this program reads versions up to %d: upgrade vantage", e.Version, Version)
}

// Is reports the kind of fault: version.
func (e *NewerError) Is(target error) bool { return target == fault.Version }

// InvalidError says what is wrong in a manifest.
type InvalidError struct {
	Field   string // such as "vectors[3].sha256"
	Problem string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("manifest.json: %s: %s: index the corpus again, or upload the whole folder again", e.Field, e.Problem)
}

// Is reports the kind of fault: input.
func (e *InvalidError) Is(target error) bool { return target == fault.Input }

func invalid(field, format string, args ...any) error {
	return &InvalidError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

func tooLarge(n int64) string { return fmt.Sprintf("%d bytes, at most %d", n, MaxBytes) }
