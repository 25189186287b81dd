// Package texts reads texts to encode: lines, JSON lines, or a corpus.
package texts

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Formats of a file of texts.
const (
	Lines     = "text" // one text per line
	JSONLines = "jsonl"
	Corpus    = "corpus" // a corpus as for vantage index
)

// Source is an input of texts.
type Source struct {
	Name string // name for errors

	path, format string
	corpus       *corpus.Corpus // set if the format is Corpus
	marks        corpus.Marks   // of the texts
	size         int64          // size of the input; 0 if unknown
}

// oneText is a text with its id, "" if it has none, and its instruction, nil if it
// has none.
type oneText struct {
	id, text    string
	instruction *string
}

// Open opens an input: a path, or "" or "-" for stdin. If no format is given, it
// follows from the path.
func Open(path, format string, fields corpus.Options) (*Source, error) {
	s := &Source{Name: path, path: path, format: format}
	if path == "" || path == "-" {
		if format == Corpus {
			return nil, fault.Errorf(fault.Query, "a corpus is read from a file or folder: name it, or give --input-format jsonl")
		}
		s.Name, s.path = "stdin", ""
		if format == "" {
			s.format = Lines
		}
		return s, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w: check the path", path, fault.Unnamed(err))
	}
	if info.Mode().IsRegular() {
		s.size = info.Size()
	}
	if s.format == "" {
		switch ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")); {
		case info.IsDir(), ext == ".csv", ext == ".tsv", ext == ".xlsx", ext == ".xml", ext == ".rss", ext == ".atom":
			s.format = Corpus
		case ext == ".jsonl", ext == ".ndjson", ext == ".json":
			s.format = JSONLines
		default:
			s.format = Lines
		}
	}
	if s.format == Corpus {
		s.corpus, err = corpus.Open(path, fields)
		return s, err
	}
	if info.IsDir() {
		return nil, fault.Errorf(fault.Query, "%s is a folder, which is read as a corpus: leave --input-format out", path)
	}
	return s, nil
}

// Progress returns how much of the input the first texts take, and its size, 0 if that is unknown.
func (s *Source) Progress(texts int64) (taken, size int64) {
	if s.corpus != nil {
		return s.corpus.Progress(texts)
	}
	return s.marks.Of(texts)
}

// texts yields the texts one by one. An error is the last element.
func (s *Source) texts() iter.Seq2[oneText, error] {
	return func(yield func(oneText, error) bool) {
		if s.corpus != nil {
			for doc, err := range s.corpus.Documents() {
				if !yield(oneText{id: doc.ID, text: doc.EncodedText()}, err) || err != nil {
					return
				}
			}
			return
		}
		if err := s.lines(func(t oneText) bool { return yield(t, nil) }); err != nil {
			yield(oneText{}, err)
		}
	}
}

// lines reads a file of lines until use returns false.
func (s *Source) lines(use func(oneText) bool) error {
	file := os.Stdin
	if s.path != "" {
		var err error
		if file, err = os.Open(s.path); err != nil {
			return fault.Errorf(fault.Input, "%s: %w: check the path", s.Name, fault.Unnamed(err))
		}
		defer file.Close()
	}
	s.marks.Begin(s.size)
	var place corpus.Place
	r := place.File(file)
	if strings.HasSuffix(strings.ToLower(s.path), ".gz") {
		z, err := unpack.NewReader(r)
		if unread, ok := errors.AsType[*unpack.ReadError](err); ok {
			return fault.Errorf(fault.Input, "%s: %w", s.Name, fault.Unnamed(unread.Err))
		}
		if err != nil {
			return fault.Errorf(fault.Input, "%s: %w: its name says that it is compressed", s.Name, err)
		}
		r = z
	}
	b := bufio.NewReaderSize(place.Text(r), 64<<10)
	texts := int64(0)
	for number, last := 1, false; !last; number++ {
		line, err := inputs.ReadLine(b)
		switch {
		case errors.Is(err, inputs.ErrLongLine):
			return fault.Errorf(fault.Input, "%s:%d: longer than %s: put every text on a line of its own", s.Name, number, human.Bytes(inputs.MaxLine))
		case err == io.EOF:
			if last = true; len(line) == 0 {
				return nil
			}
		case err != nil:
			return fault.Errorf(fault.Input, "%s: %w", s.Name, fault.Unnamed(err))
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		switch {
		case !utf8.Valid(line):
			return fault.Errorf(fault.Input, "%s:%d: not UTF-8: convert the file, for example: iconv -f LATIN1 -t UTF-8", s.Name, number)
		case bytes.IndexByte(line, 0) >= 0:
			return fault.Errorf(fault.Input, "%s:%d: not UTF-8 but a zero byte, as in UTF-16: convert the file, for example: iconv -f UTF-16LE -t UTF-8", s.Name, number)
		}
		t := oneText{text: string(line)}
		if s.format == JSONLines {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if t, err = parseText(line); err != nil {
				return fault.Errorf(fault.Input, "%s:%d: %w", s.Name, number, err)
			}
		}
		texts++
		s.marks.Mark(texts, place.At(b.Buffered()))
		if !use(t) {
			return nil
		}
	}
	return nil
}

// parseText parses a line such as {"_id": "1", "text": "...", "instruction": "..."}. It reads into
// a map, as package corpus does: for the fields of a struct, encoding/json also takes "Text" or "ID".
func parseText(line []byte) (oneText, error) {
	var fields map[string]any
	if err := jsonlite.Check(line); err != nil {
		return oneText{}, err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return oneText{}, fault.Errorf(fault.Input, "%w: write one object per line, such as {\"text\": \"...\"}", err)
	}
	if rest := bytes.TrimSpace(line[d.InputOffset():]); len(rest) > 0 {
		return oneText{}, fault.Errorf(fault.Input, "text after the object: put every object on a line of its own")
	}
	if err := jsonlite.Unique(line); err != nil {
		return oneText{}, fault.Errorf(fault.Input, "%w: keep one of the two", err)
	}
	var t oneText
	switch text := fields["text"].(type) {
	case nil:
		return oneText{}, fault.Errorf(fault.Input, "no \"text\": write one object per line, such as {\"text\": \"...\"}")
	case string:
		t.text = text
	default:
		return oneText{}, fault.Errorf(fault.Input, "the \"text\" is not a string: write the text between quotes")
	}
	id := fields["_id"]
	if id == nil {
		id = fields["id"]
	}
	switch id := id.(type) {
	case nil:
	case string:
		t.id = id
	case json.Number:
		t.id = id.String()
	default:
		return oneText{}, fault.Errorf(fault.Input, "the id is neither text nor a number")
	}
	switch instruction := fields["instruction"].(type) {
	case nil:
	case string:
		t.instruction = &instruction
	default:
		return oneText{}, fault.Errorf(fault.Input, "the \"instruction\" is not a string: write the instruction between quotes, or leave it out")
	}
	return t, nil
}
