// Package debates is the bundled demonstration corpus. Only the command uses it. It is not in
// internal, because it embeds the file beside it.
package debates

import (
	"bytes"
	_ "embed" // of the corpus
	"encoding/json"
	"io"
)

//go:embed corpus.jsonl
var corpus []byte

// Texts returns the texts of the passages and then of the points, each after its title, which
// points lack, and a space.
func Texts() (texts []string, err error) {
	d := json.NewDecoder(bytes.NewReader(corpus))
	for {
		var passage struct{ Title, Text string }
		switch err := d.Decode(&passage); err {
		case nil:
			texts = append(texts, passage.Title+" "+passage.Text)
		case io.EOF:
			return texts, nil
		default:
			return nil, err
		}
	}
}
