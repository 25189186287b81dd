package collection

import (
	"errors"
	"fmt"
	"io"

	"github.com/vantage-search/vantage/internal/folders"
)

// Lock locks the folder of a collection or a site, or a file that keeps vectors, against other
// runs until it is closed. Errors are *TargetError.
func Lock(path string) (io.Closer, error) {
	held, err := folders.Lock(path)
	switch {
	case errors.Is(err, folders.ErrHeld):
		return nil, &TargetError{Dir: path, Problem: "another run is writing to it", Remedy: "wait until it has ended", Err: err}
	case err != nil:
		return nil, &TargetError{Dir: path, Problem: fmt.Sprintf("cannot be locked against other runs: %v", err), Remedy: "check that it exists and may be read", Err: err}
	}
	return held, nil
}
