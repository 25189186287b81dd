package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// InputError says what is wrong in a corpus, at which place, and what to do.
type InputError struct {
	File    string
	Line    int64 // from 1; 0 means the whole file
	Column  int   // in bytes, from 1; 0 means the whole line
	Problem string
	Remedy  string
	Err     error // the underlying error, or nil
}

func (e *InputError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
	}
	fmt.Fprintf(&b, ": %s: %s", e.Problem, e.Remedy)
	return b.String()
}

// Is reports the kind of fault: input.
func (e *InputError) Is(target error) bool { return target == fault.Input }

func (e *InputError) Unwrap() error { return e.Err }

// cause is an error without the operation and path that *fs.PathError repeats.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
