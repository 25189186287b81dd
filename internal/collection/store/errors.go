package store

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// kindOf is the kind of fault of a file that is missing or damaged: integrity, because the
// manifest promises it. Nothing promises the manifest itself, so a fault in it is of kind
// input.
func kindOf(name string) fault.Kind {
	if name == manifest.FileName {
		return fault.Input
	}
	return fault.Integrity
}

// MissingError says that a file of the collection is missing.
type MissingError struct {
	File   string
	Remedy string
	Err    error // error of the file system or host
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s: missing: %s (%v)", e.File, e.Remedy, e.Err)
}

// Is reports the kind of fault: see kindOf. A folder without a manifest is no collection.
func (e *MissingError) Is(target error) bool {
	return target == kindOf(e.File) || e.File == manifest.FileName && target == manifest.ErrNotCollection
}

func (e *MissingError) Unwrap() error { return e.Err }

// CorruptError says that a file of the collection does not match the manifest, or that the
// manifest itself is damaged.
type CorruptError struct {
	File     string
	What     string // the property that differs, such as "SHA-256"
	Expected string
	Got      string
	Remedy   string
	Err      error // the underlying error, or nil
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s: %s: expected %s, got %s: %s", e.File, e.What, e.Expected, e.Got, e.Remedy)
}

// Is reports the kind of fault: see kindOf.
func (e *CorruptError) Is(target error) bool { return target == kindOf(e.File) }

func (e *CorruptError) Unwrap() error { return e.Err }

func notRegular(name string, err error) error {
	return &CorruptError{File: name, What: "kind", Expected: "a regular file", Got: "a folder, a pipe or a device", Remedy: remedyUpload, Err: err}
}

const (
	remedyUpload   = "re-upload the folder: the upload may be torn"
	remedyMissing  = "open the collection again if it was indexed anew since, or else re-upload the folder: the upload may be torn"
	remedyHTMLPage = "the host answered with an HTML page, perhaps for a missing file: re-upload the folder, or check the host's rewrite rules"
	remedyManifest = "is this a collection? make one with: vantage index CORPUS -o DIR"
)
