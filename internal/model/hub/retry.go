package hub

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vantage-search/vantage/internal/retry"
	"github.com/vantage-search/vantage/internal/stall"
)

// timing has the client's time limits.
type timing struct {
	retry.Policy
	stall time.Duration // time without a byte after which an answer is abandoned
}

var patient = timing{retry.Policy{Attempts: 5, Delay: 500 * time.Millisecond, Most: 20 * time.Second, Wait: 5 * time.Minute}, stall.After}

// noticeable is the least pause that is reported to the user.
const noticeable = 3 * time.Second

// retry calls f until it succeeds, fails permanently, or fails too often in a row without progress.
func (c *client) retry(ctx context.Context, f func() (progress bool, err error)) error {
	pausing := func(err error, pause time.Duration) {
		if pause >= noticeable {
			c.notice(fmt.Sprintf("%v; trying again in %.0f s", err, pause.Seconds()))
		}
	}
	return c.Do(ctx, pausing, func() (bool, error) {
		progress, err := f()
		passing, ok := errors.AsType[*retry.Passing](err)
		if ok && errors.Is(err, stall.Err) && !progress { // after such a long silence there is no second attempt
			return false, passing.Err
		}
		return progress, err
	})
}
