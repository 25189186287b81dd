package beir

import (
	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// Query is a query of a test collection.
type Query struct {
	ID, Text          string
	Root, Perspective string // if the file has them
}

// ReadQueries reads JSON lines of _id (or id) and text, or of the fields that o names.
func ReadQueries(path string, o corpus.Options) ([]Query, error) {
	lines, err := corpus.Open(path, o)
	if err != nil {
		return nil, err
	}
	var queries []Query
	for doc, err := range lines.Documents() {
		if err != nil {
			return nil, err
		}
		queries = append(queries, Query{ID: doc.ID, Text: doc.Text, Root: textOf(doc.Metadata["root"]), Perspective: textOf(doc.Metadata["perspective"])})
	}
	if len(queries) == 0 {
		return nil, &corpus.InputError{File: path, Problem: "no queries in it", Remedy: `write one JSON object per line, such as {"_id": "1", "text": "..."}`}
	}
	return queries, nil
}

// textOf is a field that is a text, or empty.
func textOf(field any) string {
	text, _ := field.(string)
	return text
}
