package jsonlite

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// SyntaxError says where a text is not JSON.
type SyntaxError struct {
	Offset  int // byte offset of the error; the text's length if it ends too early
	Problem string
}

func (e *SyntaxError) Error() string {
	return "not JSON at byte " + strconv.Itoa(e.Offset) + ": " + e.Problem
}

// Is reports the kind of fault: input.
func (e *SyntaxError) Is(target error) bool { return target == fault.Input }

// ValueError says where a JSON text differs from what its reader expects: another kind
// of value, a number out of range, a key that occurs twice.
type ValueError struct {
	Offset  int // byte offset of the value or key; of Fail, the reader's position
	Problem string
}

func (e *ValueError) Error() string {
	return "JSON at byte " + strconv.Itoa(e.Offset) + ": " + e.Problem
}

// Is reports the kind of fault: input.
func (e *ValueError) Is(target error) bool { return target == fault.Input }

// LimitError says that a JSON text is deeper or has more values than is allowed.
type LimitError struct {
	Offset          int // byte offset of the first value too many
	Problem, Remedy string
}

func (e *LimitError) Error() string {
	return "JSON at byte " + strconv.Itoa(e.Offset) + ": " + e.Problem + ": " + e.Remedy
}

// Is reports the kind of fault: limit.
func (e *LimitError) Is(target error) bool { return target == fault.Limit }

// Fail makes the reader fail with a *ValueError at the current position, unless it has
// failed before. Callers use it for values that they do not accept.
//
//go:noinline
func (r *Reader) Fail(problem string) { r.fail(&ValueError{r.pos, problem}) }

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.due = false
}

// syntax fails with the expected and the actual text at pos.
func (r *Reader) syntax(expected string) {
	r.syntaxAt(r.pos, "expected "+expected+", found "+r.found())
}

func (r *Reader) syntaxAt(offset int, problem string) {
	r.fail(&SyntaxError{offset, problem})
}

func (r *Reader) tooDeep() {
	r.fail(&LimitError{r.pos, "objects and arrays are nested more than " + strconv.Itoa(MaxDepth) + " deep", "flatten them"})
}

func (r *Reader) tooMany() {
	r.fail(&LimitError{r.pos, "more than " + strconv.Itoa(MaxValues) + " values", "split the file"})
}

// found describes the byte at pos.
func (r *Reader) found() string {
	if r.pos >= len(r.data) {
		return "the end of the text"
	}
	if c := r.data[r.pos]; c < 0x20 || c >= 0x7f {
		return "byte 0x" + strconv.FormatUint(uint64(c), 16)
	}
	return "'" + string(r.data[r.pos:r.pos+1]) + "'"
}

// quote shortens a key for an error message.
func quote(s string) string {
	const most = 64
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(s)
}
