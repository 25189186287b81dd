package texts

import (
	"context"
	"iter"

	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// Limits of a portion, which is held in memory.
const (
	portionBytes = 16 << 20
	portionTexts = 4096
)

// Portion is a list of texts. Each has an id, which may be "", and an instruction,
// which may be nil.
type Portion struct {
	IDs, Texts   []string
	Instructions []*string
	Err          error // error that ends the texts
}

// Portions reads the texts ahead, so that waiting for a pipe can be interrupted. A
// portion has about the given number of bytes. Of each text, only the part counts that
// a model with maxTokens reads.
func (s *Source) Portions(ctx context.Context, bytes, maxTokens int) iter.Seq[Portion] {
	limit := bytes
	if maxTokens > 0 {
		limit = min(limit, 8*maxTokens) // the model truncates the rest
	}
	return func(yield func(Portion) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop() // ends the reading if yield does not want the rest
		ready := make(chan Portion, 1)
		go s.readAhead(ctx, ready, bytes, limit)
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

// readAhead sends portions of about the given number of bytes until the context ends. Of each
// text, at most limit bytes count.
func (s *Source) readAhead(ctx context.Context, ready chan<- Portion, bytes, limit int) {
	defer close(ready)
	var p Portion
	read, size := 0, 0
	send := func() bool {
		select {
		case ready <- p:
			p, read, size = Portion{}, 0, 0
			return true
		case <-ctx.Done():
			return false
		}
	}
	for t, err := range s.texts() {
		if err != nil {
			if len(p.Texts) == 0 || send() {
				p = Portion{Err: err}
				send()
			}
			return
		}
		p.IDs, p.Texts, p.Instructions = append(p.IDs, t.id), append(p.Texts, t.text), append(p.Instructions, t.instruction)
		length := len(t.text)
		if t.instruction != nil {
			length += len(*t.instruction)
		}
		read += min(length, limit)
		size += length
		if (read >= bytes || size >= portionBytes || len(p.Texts) >= portionTexts) && !send() {
			return
		}
	}
	if len(p.Texts) > 0 {
		send()
	}
}

// All yields the texts at a path, as Open and Portions do. An error is the last
// element.
func All(ctx context.Context, path string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s, err := Open(path, "", corpus.Options{})
		if err != nil {
			yield("", err)
			return
		}
		for p := range s.Portions(ctx, portionBytes, 0) {
			for _, text := range p.Texts {
				if !yield(text, nil) {
					return
				}
			}
			if p.Err != nil {
				yield("", p.Err)
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield("", err)
		}
	}
}
