// Package extract lets a chat model split queries into root and perspective (Beyond Relevance,
// Section 3.4 and Table 6).
package extract

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
)

var schema = chat.NewSchema("parts", `{"type": "object", "additionalProperties": false, "required": ["root", "perspective"],
"properties": {"root": {"type": "string"}, "perspective": {"type": "string"}}}`)

// ByModel lets a chat model split queries and returns the parts of each. A reply is refused if a
// part is not a run of words of the query, and the model is asked once to repair it. If that reply
// is refused, too, the query is marked. told is called with the number of queries that are done.
// Errors are those of the methods Instructions and AskAll of chat.Client.
func ByModel(ctx context.Context, c *chat.Client, queries []string, told func(done int)) ([]pireval.Parts, error) {
	instructions, err := c.Instructions("extract")
	if err != nil {
		return nil, err
	}
	replies, err := c.AskAll(ctx, len(queries), func(i int) chat.Question {
		return chat.Question{
			Instructions: instructions, Text: queries[i], Schema: schema,
			Accept: func(reply json.RawMessage) error { _, err := read(queries[i], reply); return err },
		}
	}, told)
	if err != nil {
		return nil, err
	}
	parts := make([]pireval.Parts, len(queries))
	for i, reply := range replies {
		if parts[i].Refused = reply == nil; reply == nil {
			continue
		}
		if parts[i], err = read(queries[i], reply); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// read returns the parts that a reply names, or an error that tells the model what is
// wrong with them.
func read(query string, reply json.RawMessage) (pireval.Parts, error) {
	var p struct{ Root, Perspective string }
	if err := json.Unmarshal(reply, &p); err != nil {
		return pireval.Parts{}, err
	}
	p.Root, p.Perspective = strings.TrimSpace(p.Root), strings.TrimSpace(p.Perspective)
	switch {
	case p == struct{ Root, Perspective string }{}:
		return pireval.Parts{}, nil
	case p.Root == "" || p.Perspective == "":
		return pireval.Parts{}, errors.New("one part is empty, and only both may be")
	case !offers(query, p.Root):
		return pireval.Parts{}, errors.New("the root is not a piece of the query")
	case !offers(query, p.Perspective):
		return pireval.Parts{}, errors.New("the perspective is not a piece of the query")
	}
	return pireval.Parts{Root: p.Root, Perspective: p.Perspective, Split: true}, nil
}

// offers reports whether the words of a part are consecutive words of the query.
func offers(query, part string) bool {
	words := wordsOf(part)
	return words != "  " && strings.Contains(wordsOf(query), words)
}

// wordsOf returns the runs of letters and digits of a text, in lower case and with a space before
// and after each.
func wordsOf(text string) string {
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
}
