package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// If a part of a collection is damaged, a query that names no method is answered by the other
// parts, with a Notice. A query that names a method which needs the damaged part gets the
// error.

// damaged reports whether an error is about the content of a file, so that trying again does
// not help.
func damaged(err error) bool {
	switch fault.Of(err) {
	case fault.Input, fault.Integrity, fault.Version, fault.Unsupported, fault.Limit:
		return true
	}
	return false
}

// openEncoder opens the encoder of an instance. If the one that the collection carries is
// damaged and words can answer, the instance works without it.
func (c *Collection) openEncoder(ctx context.Context, in *instance) error {
	e, err := c.encoding.open(ctx, in.core)
	if err == nil && c.store != nil {
		err = checkCanaries(ctx, e, c.store.Manifest())
	}
	switch {
	case err == nil:
		in.encoder = e
	case c.options.Encoder == nil && c.store.Manifest().Terms != nil && damaged(err) && !in.core.Lost():
		in.broken = &EncoderError{err}
	default:
		return err
	}
	return nil
}

// lacks adds to the notice what the answer does without, and the fault that is the reason.
func (r *Result) lacks(what string, fault error) {
	if r.Notice != "" {
		r.Notice += "; "
	}
	r.Notice += fmt.Sprintf("%s (%v)", what, fault)
}

// EncoderError says why the encoder that a collection carries cannot be used.
type EncoderError struct{ Err error }

func (e *EncoderError) Error() string { return e.Err.Error() }
func (e *EncoderError) Unwrap() error { return e.Err }

// noEncoder returns the reason why an instance cannot encode texts.
func (in *instance) noEncoder() error {
	if in.broken != nil {
		return in.broken
	}
	return ErrNoEncoder
}

// whyWords returns the Notice for a query that can only be answered by words, because no
// encoder can be used. It returns "" if the query can be answered in another way, or words
// cannot answer it.
func (c *Collection) whyWords(in *instance, q *Query) string {
	const alone = ": the words of the query rank alone (BM25), whatever its side"
	switch {
	case in.encoder != nil || c.store.Manifest().Terms == nil || q.Query.Text == "" || q.Method != "" || q.MMR != nil || q.Hybrid != nil:
		return ""
	case in.broken != nil && q.needsEncoder():
		return fmt.Sprintf("the encoder that the collection carries cannot be used (%v)", in.broken) + alone
	case q.Query.Vector == nil && q.Root == nil && len(q.Perspectives) == 0:
		return "the collection carries no encoder" + alone
	}
	return ""
}

// needsEncoder reports whether a part of the query is a text that has to be encoded.
func (q *Query) needsEncoder() bool {
	for _, p := range q.Perspectives {
		if p.Vector == nil {
			return true
		}
	}
	return q.Query.Vector == nil || q.Root != nil && q.Root.Vector == nil
}

// noAngles is the error if the collection has angles, but those of a text cannot be computed,
// or those of rows cannot be read.
type noAngles struct{ err error }

func (e *noAngles) Error() string { return e.err.Error() }
func (e *noAngles) Unwrap() error { return e.err }

// lostAngles reports whether a query can be answered without angles after an error.
func lostAngles(ctx context.Context, in *instance, err error) bool {
	_, ok := errors.AsType[*noAngles](err)
	return ok && ctx.Err() == nil && !in.core.Lost()
}

// noWords is the error if the collection has an index of words, but the words of a query
// cannot be looked up in it.
type noWords struct{ err error }

func (e *noWords) Error() string { return e.err.Error() }
func (e *noWords) Unwrap() error { return e.err }

// lostWords reports whether a query can be answered without words after an error.
func lostWords(ctx context.Context, in *instance, err error) bool {
	_, ok := errors.AsType[*noWords](err)
	return ok && ctx.Err() == nil && !in.core.Lost()
}
