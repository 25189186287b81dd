package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// lineBuffer is the size of the buffer of lines.
const lineBuffer = 256 << 10

// readJSONLines reads one JSON object per line, with BEIR's fields: _id, title, text, metadata. A number as _id counts
// as its digits. Other fields at the top level become metadata, like other columns of a CSV. Blank lines are skipped.
func readJSONLines(r io.Reader, file string, o Options, yield func(store.Document) error) error {
	lines := bufio.NewReaderSize(r, lineBuffer)
	ids := seen{}
	var untitled []string // fields of the first document, until one has the field that is named for titles
	var line []byte
	for number := int64(1); ; number++ {
		var err error
		line, err = readLine(lines, line[:0])
		if err == errLongLine {
			return &InputError{File: file, Line: number, Problem: fmt.Sprintf("the line is longer than %d MB", MaxRecordBytes>>20),
				Remedy: "put every document on a line of its own, and split larger texts into passages"}
		}
		if err != nil && err != io.EOF {
			return err
		}
		last := err == io.EOF
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if len(bytes.TrimSpace(line)) > 0 {
			doc, fields, problem := parseLine(line, o)
			if problem == nil {
				if len(ids) == 0 && o.TitleField != "" {
					untitled = slices.Sorted(maps.Keys(fields))
				}
				if _, ok := fields[o.TitleField]; ok {
					untitled = nil
				}
				if earlier := ids.add(doc.ID, number); earlier > 0 {
					problem = &InputError{Problem: fmt.Sprintf("the id %.80q is already taken by line %d", doc.ID, earlier), Remedy: "give every document an id of its own"}
				}
			}
			if problem != nil {
				problem.File, problem.Line = file, number
				return problem
			}
			if err := yield(doc); err != nil {
				return err
			}
		}
		if last {
			break
		}
	}
	if untitled != nil { // a default name may be missing everywhere, but this one may be misspelt
		return &InputError{File: file, Problem: fmt.Sprintf("no document has the field %q", o.TitleField),
			Remedy: fmt.Sprintf("the first one has %s: name the field that holds the title%s, or leave the option out", quoted(untitled), o.flag("title"))}
	}
	return nil
}

const remedyNested = "leave nested metadata out, or split the document"

var errLongLine = errors.New("long line")

// readLine appends the next line, without its end, to buf.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(buf)+len(part) > MaxRecordBytes {
			return buf, errLongLine
		}
		buf = append(buf, part...)
		if err != bufio.ErrBufferFull {
			return bytes.TrimRight(buf, "\r\n"), err
		}
	}
}

// parseLine parses one document, and returns the fields of its object, too. The error lacks file and line.
func parseLine(line []byte, o Options) (doc store.Document, fields map[string]any, problem *InputError) {
	if at, problem := badByte(line); at >= 0 {
		return doc, nil, &InputError{Column: at + 1, Problem: problem, Remedy: o.remedyCharset()}
	}
	start := len(line) - len(bytes.TrimLeft(line, " \t"))
	if line[start] != '{' {
		remedy := "each line must be an object such as {\"_id\": \"1\", \"text\": \"...\"}"
		if line[start] == '[' {
			remedy = "turn a JSON array into lines with: jq -c '.[]'"
		}
		return doc, nil, &InputError{Column: start + 1, Problem: "not a JSON object", Remedy: remedy}
	}
	if limit, ok := errors.AsType[*jsonlite.LimitError](jsonlite.Check(line)); ok {
		return doc, nil, &InputError{Column: limit.Offset + 1, Problem: limit.Problem, Remedy: remedyNested, Err: limit}
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	err := d.Decode(&fields)
	if err == nil {
		if rest := bytes.TrimSpace(line[d.InputOffset():]); len(rest) > 0 {
			return doc, nil, &InputError{Column: int(d.InputOffset()) + 1, Problem: "text after the object", Remedy: "put every document on a line of its own"}
		}
	} else {
		problem = &InputError{Column: int(d.InputOffset()) + 1, Problem: "not JSON: " + err.Error(), Remedy: "write one whole object per line, for example with: jq -c .", Err: err}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			problem.Column = int(syntax.Offset)
		}
		return doc, nil, problem
	}
	if twice, ok := errors.AsType[*jsonlite.ValueError](jsonlite.Unique(line)); ok {
		return doc, nil, &InputError{Column: twice.Offset + 1, Problem: twice.Problem, Remedy: "keep one of the two", Err: twice}
	}
	doc, problem = documentOf(fields, o)
	return doc, fields, problem
}

// documentOf makes a document of an object. Fields that are not the document's become
// metadata.
func documentOf(fields map[string]any, o Options) (doc store.Document, problem *InputError) {
	idField, titleField, textField := o.IDField, o.TitleField, o.TextField
	if idField == "" {
		idField = "_id"
		if _, ok := fields["_id"]; !ok {
			if _, ok := fields["id"]; ok {
				idField = "id"
			}
		}
	}
	if titleField == "" {
		titleField = "title"
	}
	if textField == "" {
		textField = "text"
	}
	switch id := fields[idField].(type) {
	case string:
		doc.ID = id
	case json.Number:
		doc.ID = id.String()
	case nil:
		return doc, &InputError{Problem: fmt.Sprintf("no %q", idField), Remedy: o.nameField("id", "an id", fields)}
	default:
		return doc, &InputError{Problem: fmt.Sprintf("%q is neither a string nor a number", idField), Remedy: "write ids as strings"}
	}
	if problem := checkID(doc.ID); problem != nil {
		return doc, problem
	}
	switch text := fields[textField].(type) {
	case string:
		doc.Text = text
	case nil:
		return doc, &InputError{Problem: fmt.Sprintf("no %q", textField), Remedy: o.nameField("text", "a text (it may be empty)", fields)}
	default:
		return doc, &InputError{Problem: fmt.Sprintf("%q is not a string", textField), Remedy: "write texts as strings"}
	}
	switch title := fields[titleField].(type) {
	case string:
		doc.Title = title
	case nil:
	default:
		return doc, &InputError{Problem: fmt.Sprintf("%q is not a string", titleField), Remedy: "write titles as strings, or leave the field out"}
	}
	switch metadata := fields["metadata"].(type) {
	case map[string]any:
		doc.Metadata = metadata
	case nil:
	default:
		return doc, &InputError{Problem: `"metadata" is not an object`, Remedy: "write metadata as an object of names and values, or leave it out"}
	}
	for name, value := range fields {
		if name == idField || name == titleField || name == textField || name == "metadata" {
			continue
		}
		if _, ok := doc.Metadata[name]; ok {
			continue // fields in "metadata" take precedence
		}
		if store.NestedDeeper(value, jsonlite.MaxDepth-2) { // the value moves a level deeper: {"metadata": {name: value}}
			return doc, &InputError{Problem: fmt.Sprintf("%.80q is nested more than %d deep", name, jsonlite.MaxDepth), Remedy: remedyNested}
		}
		if doc.Metadata == nil {
			doc.Metadata = map[string]any{}
		}
		doc.Metadata[name] = value
	}
	if len(doc.Metadata) == 0 {
		doc.Metadata = nil
	}
	return doc, nil
}

// nameField is the remedy if a document lacks a field.
func (o *Options) nameField(part, what string, fields map[string]any) string {
	if len(fields) == 0 {
		return fmt.Sprintf("give every document %s; this object is empty", what)
	}
	return fmt.Sprintf("the fields are %s: name the one that holds the %s%s, or give every document %s", quoted(slices.Sorted(maps.Keys(fields))), part, o.flag(part), what)
}

func checkID(id string) *InputError {
	if id == "" {
		return &InputError{Problem: "the id is empty", Remedy: "give every document an id"}
	}
	if len(id) > store.MaxIDBytes {
		return &InputError{Problem: fmt.Sprintf("the id has %d bytes, at most %d", len(id), store.MaxIDBytes), Remedy: "give documents shorter ids"}
	}
	return nil
}
