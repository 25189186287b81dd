package collection

import (
	"errors"
	"io"

	"github.com/vantage-search/vantage/internal/folders"
)

// Lock locks the folder of a collection or a site against other runs until it is
// closed.
func Lock(dir string) (io.Closer, error) {
	held, err := folders.Lock(dir)
	if errors.Is(err, folders.ErrHeld) {
		return nil, &TargetError{Dir: dir, Problem: "another run is writing to the folder", Remedy: "wait until it has ended", Err: err}
	}
	return held, err
}
