package store

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// decode parses one document. The result shares no memory with the line.
func decode(line []byte) (Document, error) {
	var d Document
	r := jsonlite.NewReader(line)
	for key := range r.Object() {
		switch key {
		case "_id":
			d.ID = text(r)
		case "title":
			d.Title = text(r)
		case "text":
			d.Text = text(r)
		case "metadata":
			if !r.Null() {
				d.Metadata = metadata(r)
			}
		}
	}
	return d, r.End()
}

// text parses a string. null gives the empty string.
func text(r *jsonlite.Reader) string {
	if r.Null() {
		return ""
	}
	return strings.Clone(r.Text())
}

func metadata(r *jsonlite.Reader) map[string]any {
	m := map[string]any{}
	for name := range r.Object() {
		var value any
		switch r.Kind() {
		case jsonlite.String:
			value = strings.Clone(r.Text())
		case jsonlite.Number:
			value = json.Number(r.Raw())
		case jsonlite.Bool:
			value = r.Bool()
		case jsonlite.Null:
			r.Null()
		default:
			value = json.RawMessage(bytes.ToValidUTF8(r.Raw(), []byte("\ufffd")))
		}
		m[strings.Clone(name)] = value
	}
	return m
}
