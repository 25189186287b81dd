// Package records reads data sets: JSON arrays, JSON lines, and text for other parsers,
// such as that of CSV. Files are untrusted: errors name the file, the line or entry, and
// what is wrong there.
package records

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Limits, far above the size of the files that are released (2.5 MB of BERDS and
// Perspectrum, 8 MB of SciFact).
const (
	maxFile = 256 << 20 // bytes; each file is read into memory
	maxText = 1 << 20   // bytes per text
)

// ReadAll reads a text file within the limit.
func ReadAll(r io.Reader, name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(b) > maxFile:
		return nil, fmt.Errorf("%s: longer than %d MB, the most that is read: split it", name, maxFile>>20)
	}
	for line, rest := 1, b; len(rest) > 0; line++ {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			end = len(rest)
		}
		if !utf8.Valid(rest[:end]) {
			return nil, fmt.Errorf("%s:%d: not UTF-8: convert the file, for example with iconv -t UTF-8", name, line)
		}
		rest = rest[end:]
	}
	return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), nil
}

// Array decodes a JSON array. Errors give the number of the entry, from 1.
func Array[T any](r io.Reader, name string, each func(number int, entry *T) error) error {
	b, err := ReadAll(r, name)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return fmt.Errorf("%s: not a JSON array", name)
	}
	number := 1
	for ; d.More(); number++ {
		entry := new(T)
		var text json.RawMessage
		err := d.Decode(&text)
		if err == nil {
			err = unpack.JSON(text, entry)
		}
		if err != nil {
			return fmt.Errorf("%s: entry %d: %w", name, number, Syntax(err))
		}
		if err := jsonlite.Unique(text); err != nil {
			return fmt.Errorf("%s: entry %d: %w: keep one of the two", name, number, err)
		}
		if err := each(number, entry); err != nil {
			return fmt.Errorf("%s: entry %d: %w", name, number, err)
		}
	}
	if _, err := d.Token(); err != nil { // the closing bracket
		return fmt.Errorf("%s: after entry %d: %w", name, number-1, Syntax(err))
	}
	return End(d, name)
}

// Lines decodes JSON lines, empty ones left out. Errors give the number of the line.
func Lines[T any](r io.Reader, name string, each func(line int, row *T) error) error {
	b, err := ReadAll(r, name)
	if err != nil {
		return err
	}
	for number := 1; len(b) > 0; number++ {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		b = rest
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		row := new(T)
		if err := unpack.JSON(line, row); err != nil {
			return fmt.Errorf("%s:%d: not the JSON object that is expected: %w", name, number, err)
		}
		if err := jsonlite.Unique(line); err != nil {
			return fmt.Errorf("%s:%d: %w: keep one of the two", name, number, err)
		}
		if err := each(number, row); err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	return nil
}

// End refuses text after a file's JSON value.
func End(d *json.Decoder, name string) error {
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%s: text after the JSON value, at byte %d", name, d.InputOffset()+1)
	}
	return nil
}

// Syntax gives a clear error if a file ends early.
func Syntax(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends in the middle: it may have been cut off")
	}
	return err
}

// CheckText refuses a text that is missing or too long.
func CheckText(field, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("no %q", field)
	}
	if len(text) > maxText {
		return fmt.Errorf("%q has %d bytes, at most %d", field, len(text), maxText)
	}
	return nil
}

// Located puts line and column before an error of the CSV reader.
func Located(err error) error {
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		return fmt.Errorf("%d:%d: %w", e.Line, e.Column, e.Err)
	}
	return err
}
