package chat

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// together is how many questions AskAll asks at a time.
const together = 4

// AskAll asks n questions, a few at a time. A reply that is refused even after a repair
// (*ReplyError) is nil; any other error ends the whole. told is called with the number of
// questions that are done.
func (c *Client) AskAll(ctx context.Context, n int, question func(i int) Question, told func(done int)) ([]json.RawMessage, error) {
	replies := make([]json.RawMessage, n)
	var mu sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(together)
	for i := range n {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			reply, err := c.Ask(ctx, question(i))
			if _, refused := errors.AsType[*ReplyError](err); err != nil && !refused {
				return err
			}
			replies[i] = reply
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
	return replies, nil
}
