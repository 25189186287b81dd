package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// InputError says what is wrong in a corpus, where it is, and what to do.
type InputError struct {
	File    string
	Line    int64 // from 1; 0: the file as a whole
	Column  int   // in bytes, from 1; 0: the line as a whole
	Problem string
	Remedy  string
	Err     error // the cause, if another error shows it
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

// cause omits the operation and path that *fs.PathError repeats.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
