package trec

import (
	"bufio"
	"io"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 1 << 20

// maxID is the longest query or document id, in bytes.
const maxID = 1<<16 - 1

// LineError is the error of a line of a file. Line 0 means the whole file.
type LineError struct {
	File    string
	Line    int
	Problem string
}

func (e *LineError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Problem
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.Problem
}

// Is reports that the kind of fault is input.
func (e *LineError) Is(target error) bool { return target == fault.Input }

// lines yields the lines of a file that have fields, split at white space or at tabs.
type lines struct {
	file   string
	in     *bufio.Reader
	long   []byte // holds a line that is longer than the reader's buffer
	number int    // number of the last line read, from 1
	tabs   bool   // only tabs separate fields
	line   []byte
	fields [][]byte
}

func newLines(r io.Reader, file string) *lines {
	return &lines{file: file, in: bufio.NewReaderSize(r, 1<<16)}
}

// next reads the next line that is not blank into l.fields, which are valid until the
// next call. It returns false at the end.
func (l *lines) next() (bool, error) {
	for {
		line, err := l.read()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if l.number++; l.number == 1 && len(line) > 2 && string(line[:3]) == "\xef\xbb\xbf" { // a byte order mark is not part of an id
			line = line[3:]
		}
		l.line = line
		if l.fields, err = l.split(line); err != nil {
			return false, err
		}
		if len(l.fields) > 0 {
			if l.tabs {
				l.splitTabs()
			}
			return true, nil
		}
	}
}

func (l *lines) read() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if err == nil && len(l.long) == 0 {
			return part, nil
		}
		if len(l.long)+len(part) > maxLine {
			l.number++
			return nil, l.problem("the line is longer than " + strconv.Itoa(maxLine) + " bytes")
		}
		l.long = append(l.long, part...)
		switch {
		case err == bufio.ErrBufferFull:
		case err == nil, err == io.EOF && len(l.long) > 0:
			return l.long, nil
		case err == io.EOF:
			return nil, io.EOF
		default:
			l.number++
			return nil, l.failed(err)
		}
	}
}

// split splits a line at white space as defined by C's isspace. It looks at each byte
// once.
func (l *lines) split(line []byte) ([][]byte, error) {
	fields := l.fields[:0]
	start := -1
	for i, c := range line {
		switch {
		case c == ' ' || '\t' <= c && c <= '\r':
			if start >= 0 {
				fields = append(fields, line[start:i])
				start = -1
			}
		case c == 0:
			return nil, l.problem("the line has a NUL byte: is this a text file?")
		case start < 0:
			start = i
		}
	}
	if start >= 0 {
		fields = append(fields, line[start:])
	}
	return fields, nil
}

// splitTabs splits the line at tabs only.
func (l *lines) splitTabs() {
	end := len(l.line)
	for end > 0 && (l.line[end-1] == '\n' || l.line[end-1] == '\r' || l.line[end-1] == ' ') {
		end--
	}
	fields, start := l.fields[:0], 0
	for i, c := range l.line[:end] {
		if c == '\t' {
			fields = append(fields, l.line[start:i])
			start = i + 1
		}
	}
	l.fields = append(fields, l.line[start:end])
}

//go:noinline
func (l *lines) problem(text string) error {
	return &LineError{File: l.file, Line: l.number, Problem: text}
}

// checkID refuses ids that are too long to store, or empty, which is possible between
// tabs.
//
//go:noinline
func (l *lines) checkID(what string, id []byte) error {
	if len(id) == 0 {
		return l.problem("the " + what + " id is empty")
	}
	if len(id) > maxID {
		return l.problem("the " + what + " id has " + strconv.Itoa(len(id)) + " bytes, at most " + strconv.Itoa(maxID))
	}
	return nil
}

// quote quotes a field of untrusted text, shortened if it is long.
//
//go:noinline
func quote(field []byte) string {
	const most = 40
	if len(field) > most {
		return strconv.Quote(string(field[:most])) + "…"
	}
	return strconv.Quote(string(field))
}
