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
// (*ReplyError) is nil; any other error ends AskAll. It then still waits for the questions that were
// sent, because their replies cost as much as others and are kept. told is called
// with the number of questions that are done.
func (c *Client) AskAll(ctx context.Context, n int, question func(i int) Question, told func(done int)) ([]json.RawMessage, error) {
	replies := make([]json.RawMessage, n)
	var mu sync.Mutex
	done, failed := 0, false
	var group errgroup.Group
	group.SetLimit(together)
	for i := range n {
		group.Go(func() error {
			mu.Lock()
			ended := failed
			mu.Unlock()
			if ended {
				return nil
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			reply, err := c.Ask(ctx, question(i))
			mu.Lock()
			defer mu.Unlock()
			if _, refused := errors.AsType[*ReplyError](err); err != nil && !refused {
				failed = true
				return err
			}
			replies[i] = reply
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
