// Package extract lets a chat model split queries into root and perspective (Beyond Relevance,
// Section 3.4 and Table 6).
package extract

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
)

var schema = chat.NewSchema("parts", `{"type": "object", "additionalProperties": false, "required": ["root", "perspective"],
"properties": {"root": {"type": "string"}, "perspective": {"type": "string"}}}`)

// together is the number of queries that are split at the same time.
const together = 4

// ByModel lets a chat model split queries and returns the parts of each. A reply is refused if a
// part is not a run of words of the query, and the model is asked once to repair it. If that reply
// is refused, too, the query is marked. told is called with the number of queries that are done.
// Errors are those of chat.Client.Ask, except *chat.ReplyError.
func ByModel(ctx context.Context, c *chat.Client, queries []string, told func(done int)) ([]pireval.Parts, error) {
	instructions, err := c.Instructions("extract")
	if err != nil {
		return nil, err
	}
	parts := make([]pireval.Parts, len(queries))
	var mu sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(together)
	for i, query := range queries {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			reply, err := c.Ask(ctx, chat.Question{
				Instructions: instructions, Text: query, Schema: schema,
				Accept: func(reply json.RawMessage) error { _, err := read(query, reply); return err },
			})
			if _, refused := errors.AsType[*chat.ReplyError](err); refused {
				parts[i].Refused = true
			} else if err != nil {
				return err
			} else if parts[i], err = read(query, reply); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			told(done)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
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
