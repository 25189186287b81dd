package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Formats of a file of texts.
const (
	formatText      = "text"
	formatJSONLines = "jsonl"
	formatCorpus    = "corpus"
)

// textSource is where texts to be encoded come from.
type textSource struct {
	name, path, format string
	corpus             *corpus.Corpus // of formatCorpus
	read               atomic.Int64   // bytes
	size               int64          // 0: not known
}

// oneText is a text with its id, "" if it has none, and its instruction, nil if it
// has none.
type oneText struct {
	id, text    string
	instruction *string
}

// openTexts finds out what the input is.
func openTexts(path, format string, fields corpus.Options) (*textSource, error) {
	s := &textSource{name: path, path: path, format: format}
	if path == "" || path == "-" {
		if format == formatCorpus {
			return nil, usagef("a corpus is read from a file or folder: name it, or give --input-format jsonl")
		}
		s.name, s.path = "stdin", ""
		if format == "" {
			s.format = formatText
		}
		return s, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, inputf("%s: %w: check the path", path, unnamed(err))
	}
	if info.Mode().IsRegular() {
		s.size = info.Size()
	}
	if s.format == "" {
		switch ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")); {
		case info.IsDir(), ext == ".csv":
			s.format = formatCorpus
		case ext == ".jsonl", ext == ".ndjson", ext == ".json":
			s.format = formatJSONLines
		default:
			s.format = formatText
		}
	}
	if s.format == formatCorpus {
		s.corpus, err = corpus.Open(path, fields)
		return s, err
	}
	if info.IsDir() {
		return nil, usagef("%s is a folder, which is read as a corpus: leave --input-format out", path)
	}
	return s, nil
}

// progress tells how much of the input is read.
func (s *textSource) progress() (read, size int64) {
	if s.corpus != nil {
		return s.corpus.Progress()
	}
	return s.read.Load(), s.size
}

// Limits of a portion in memory.
const (
	portionBytes = 16 << 20
	portionTexts = 4096
)

// portion is some texts, with what oneText has of each.
type portion struct {
	ids, texts   []string
	instructions []*string
	err          error
}

// portions reads the texts ahead, so that waiting for a pipe can be interrupted. A
// portion has about the given number of bytes, counting at most what a model with
// maxTokens reads of each text.
func (s *textSource) portions(ctx context.Context, bytes, maxTokens int) iter.Seq[portion] {
	limit := bytes
	if maxTokens > 0 {
		limit = min(limit, 8*maxTokens) // what follows is cut off
	}
	ready := make(chan portion, 1)
	go func() {
		defer close(ready)
		var p portion
		read, size := 0, 0
		send := func() bool {
			select {
			case ready <- p:
				p, read, size = portion{}, 0, 0
				return true
			case <-ctx.Done():
				return false
			}
		}
		for t, err := range s.texts() {
			if err != nil {
				p = portion{err: err}
				send()
				return
			}
			p.ids, p.texts, p.instructions = append(p.ids, t.id), append(p.texts, t.text), append(p.instructions, t.instruction)
			length := len(t.text)
			if t.instruction != nil {
				length += len(*t.instruction)
			}
			read += min(length, limit)
			size += length
			if (read >= bytes || size >= portionBytes || len(p.texts) >= portionTexts) && !send() {
				return
			}
		}
		if len(p.texts) > 0 {
			send()
		}
	}()
	return func(yield func(portion) bool) {
		for {
			select {
			case p, more := <-ready:
				if !more || !yield(p) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// texts reads the texts one by one; an error is the last.
func (s *textSource) texts() iter.Seq2[oneText, error] {
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

// Read counts what is read.
type countedBytes struct {
	r io.Reader
	n *atomic.Int64
}

func (c countedBytes) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// lines reads a file of lines until use wants no more.
func (s *textSource) lines(use func(oneText) bool) error {
	file := os.Stdin
	if s.path != "" {
		var err error
		if file, err = os.Open(s.path); err != nil {
			return inputf("%s: %w: check the path", s.name, unnamed(err))
		}
		defer file.Close()
	}
	var r io.Reader = countedBytes{file, &s.read}
	if strings.HasSuffix(strings.ToLower(s.path), ".gz") {
		z, err := unpack.NewReader(bufio.NewReader(r))
		if err != nil {
			return inputf("%s: %w: its name says that it is compressed", s.name, err)
		}
		r = z
	}
	b := bufio.NewReaderSize(r, 64<<10)
	for number, last := 1, false; !last; number++ {
		line, err := readLine(b)
		switch {
		case errors.Is(err, errLongLine):
			return inputf("%s:%d: longer than %s: put every text on a line of its own", s.name, number, bytesText(maxQueryLine))
		case err == io.EOF:
			if last = true; len(line) == 0 {
				return nil
			}
		case err != nil:
			return inputf("%s: %w", s.name, unnamed(err))
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if !utf8.Valid(line) {
			return inputf("%s:%d: not UTF-8: convert the file, for example: iconv -f LATIN1 -t UTF-8", s.name, number)
		}
		t := oneText{text: string(line)}
		if s.format == formatJSONLines {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if t, err = parseText(line); err != nil {
				return inputf("%s:%d: %w", s.name, number, err)
			}
		}
		if !use(t) {
			return nil
		}
	}
	return nil
}

// parseText reads a line such as {"_id": "1", "text": "...", "instruction": "..."}.
func parseText(line []byte) (oneText, error) {
	var fields struct {
		ID          any     `json:"_id"`
		OtherID     any     `json:"id"`
		Text        *string `json:"text"`
		Instruction any     `json:"instruction"`
	}
	if err := jsonlite.Check(line); err != nil {
		return oneText{}, err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return oneText{}, inputf("%w: write one object per line, such as {\"text\": \"...\"}", err)
	}
	if rest := bytes.TrimSpace(line[d.InputOffset():]); len(rest) > 0 {
		return oneText{}, inputf("text after the object: put every object on a line of its own")
	}
	if err := jsonlite.Unique(line); err != nil {
		return oneText{}, inputf("%w: keep one of the two", err)
	}
	if fields.Text == nil {
		return oneText{}, inputf("no \"text\": write one object per line, such as {\"text\": \"...\"}")
	}
	t := oneText{text: *fields.Text}
	id := fields.ID
	if id == nil {
		id = fields.OtherID
	}
	switch id := id.(type) {
	case nil:
	case string:
		t.id = id
	case json.Number:
		t.id = id.String()
	default:
		return oneText{}, inputf("the id is neither text nor a number")
	}
	switch instruction := fields.Instruction.(type) {
	case nil:
	case string:
		t.instruction = &instruction
	default:
		return oneText{}, inputf("the \"instruction\" is no text: write what goes before this text between quotes, or leave it out")
	}
	return t, nil
}
