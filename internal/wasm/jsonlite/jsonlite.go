// Package jsonlite is a strict pull reader of JSON (RFC 8259) for the browser core, which cannot
// afford encoding/json (it links reflection, fmt and os into the module). There it reads safetensors
// headers, tokenizer.json, config.json and pack.json; natively also documents and queries.
//
// Within the limits of depth and size below, it accepts exactly the texts that json.Valid accepts,
// and decodes strings and numbers to the same values as json.Unmarshal. Its fuzzer checks this. In
// particular invalid UTF-8 inside a string and unpaired surrogate escapes are not errors but decode
// to U+FFFD, so that the strings it returns are always valid UTF-8. [Reader.Strict] makes both of
// these errors, as in serde_json (the reader of the safetensors and tokenizers reference
// implementations).
//
// After the first error, every call returns a zero value and every iterator ends, so a
// caller may read a whole document and check [Reader.End] once.
//
//	r := jsonlite.NewReader(data)
//	for key := range r.Object() {
//		switch key {
//		case "shape":
//			for range r.Array() {
//				shape = append(shape, r.Int64())
//			}
//		case "dtype":
//			dtype = r.Text()
//		} // a value that is not read is checked and skipped
//	}
//	if err := r.End(); err != nil { ... }
package jsonlite

import "iter"

// Limits of one JSON text. A parsed value takes up to a hundred times the memory of its
// text, so the length of a text says little about the memory that reading takes.
// static/src/collection/bounds.js has the same limits.
const (
	MaxDepth  = 64        // greatest depth of objects and arrays
	MaxValues = 1_000_000 // most objects, arrays, strings, numbers, booleans and nulls; keys do not count
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of values. Invalid means the end of the input, a byte that begins no value,
// or a reader that has failed.
const (
	Invalid Kind = iota
	Object
	Array
	String
	Number
	Bool
	Null
)

// String is the kind's name in error messages.
func (k Kind) String() string {
	switch k {
	case Object:
		return "an object"
	case Array:
		return "an array"
	case String:
		return "a string"
	case Number:
		return "a number"
	case Bool:
		return "a boolean"
	case Null:
		return "null"
	}
	return "no value"
}

// Reader reads one JSON text. It must not be copied or used by several goroutines at a time.
type Reader struct {
	data   []byte
	pos    int
	depth  int  // number of open objects and arrays
	values int  // number of values so far
	due    bool // the value at pos has not been read yet
	strict bool
	err    error
}

// NewReader returns a reader of the one value in data. Strings without escapes are returned as parts of
// data, not as copies: data must not be changed as long as such strings are in use, and they keep all of
// data alive (strings.Clone frees it).
func NewReader(data []byte) *Reader { return &Reader{data: data, due: true} }

// Strict makes the reader refuse invalid UTF-8 and unpaired surrogate escapes in
// strings, even in skipped ones, and returns the reader.
func (r *Reader) Strict() *Reader {
	r.strict = true
	return r
}

// Err returns the first error: a *SyntaxError if the text is not JSON, a *LimitError if
// it exceeds the limits, a *ValueError if it is not what the caller expects.
func (r *Reader) Err() error { return r.err }

// End returns the reader's error or, if anything but white space follows the value, a
// *SyntaxError. A value that has not been read is checked and skipped first.
func (r *Reader) End() error {
	if r.due {
		r.Skip()
	}
	if r.err == nil {
		if r.space(); r.pos < len(r.data) {
			r.syntax("the end of the text")
		}
	}
	return r.err
}

// Kind returns the kind of the next value without reading it.
func (r *Reader) Kind() Kind {
	if r.err != nil || !r.due {
		return Invalid
	}
	r.space()
	return r.kind()
}

// kind is the kind of the value at pos, by its first byte.
func (r *Reader) kind() Kind {
	if r.pos >= len(r.data) {
		return Invalid
	}
	switch c := r.data[r.pos]; {
	case c == '"':
		return String
	case c == '{':
		return Object
	case c == '[':
		return Array
	case c == '-' || '0' <= c && c <= '9':
		return Number
	case c == 't' || c == 'f':
		return Bool
	case c == 'n':
		return Null
	}
	return Invalid
}

// begin moves to the next value, which must be of the given kind, and marks it as read.
func (r *Reader) begin(want Kind) bool {
	if r.err != nil {
		return false
	}
	if !r.due {
		r.fail(&ValueError{r.pos, "a value was read twice"})
		return false
	}
	r.space()
	if got := r.kind(); got == Invalid {
		r.syntax("a value")
		return false
	} else if got != want {
		r.fail(&ValueError{r.pos, "expected " + want.String() + ", found " + got.String()})
		return false
	}
	r.due = false
	return r.count()
}

// Object reads an object. The loop's body reads the value of each key. A value that it
// does not read is skipped, and so is the rest of the object if it breaks out of the
// loop.
func (r *Reader) Object() iter.Seq[string] {
	return func(yield func(string) bool) { r.object(yield, nil) }
}

// UniqueObject is Object, with an error if a key occurs twice.
func (r *Reader) UniqueObject() iter.Seq[string] {
	return func(yield func(string) bool) { r.object(yield, make(map[string]struct{})) }
}

func (r *Reader) object(yield func(string) bool, seen map[string]struct{}) {
	if !r.begin(Object) || !r.enter() {
		return
	}
	wanted := true
	for first := true; r.more('}', first); first = false {
		at := r.pos
		if r.pos >= len(r.data) || r.data[r.pos] != '"' {
			r.syntax("a key")
			return
		}
		key := r.text()
		if r.space(); r.err == nil && (r.pos >= len(r.data) || r.data[r.pos] != ':') {
			r.syntax("':'")
		}
		if r.err != nil {
			return
		}
		r.pos++
		if seen != nil {
			if _, twice := seen[key]; twice {
				r.fail(&ValueError{at, "key " + quote(key) + " occurs twice"})
				return
			}
			seen[key] = struct{}{}
		}
		r.due = true
		wanted = wanted && yield(key)
		if r.due {
			r.Skip()
		}
	}
}

// Array reads an array. The loop's body reads the element with the given index. An
// element that it does not read is skipped, and so is the rest of the array if it
// breaks out of the loop.
func (r *Reader) Array() iter.Seq[int] {
	return func(yield func(int) bool) {
		if !r.begin(Array) || !r.enter() {
			return
		}
		wanted := true
		for i := 0; r.more(']', i == 0); i++ {
			r.due = true
			wanted = wanted && yield(i)
			if r.due {
				r.Skip()
			}
		}
	}
}

// count counts one more value.
func (r *Reader) count() bool {
	if r.values++; r.values > MaxValues {
		r.tooMany()
	}
	return r.err == nil
}

// enter moves past an opening bracket.
func (r *Reader) enter() bool {
	if r.depth++; r.depth > MaxDepth {
		r.tooDeep()
		return false
	}
	r.pos++
	return true
}

// more moves to the next member or element. At the end it moves past the closing
// bracket and returns false.
func (r *Reader) more(closing byte, first bool) bool {
	if r.err != nil {
		return false
	}
	if r.space(); r.pos < len(r.data) {
		switch c := r.data[r.pos]; {
		case c == closing:
			r.pos++
			r.depth--
			return false
		case first:
			return true
		case c == ',':
			r.pos++
			r.space()
			return true
		}
	}
	r.syntax("',' or '" + string(closing) + "'")
	return false
}

// space moves past white space.
func (r *Reader) space() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case ' ', '\n', '\t', '\r':
			r.pos++
		default:
			return
		}
	}
}
