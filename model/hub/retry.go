package hub

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/vantage-search/vantage/model/internal/stall"
)

// passing is an error that may go away by itself. wait is how long the hub asks to leave it alone, 0 where it says
// nothing.
type passing struct {
	err  error
	wait time.Duration
}

func (e *passing) Error() string { return e.err.Error() }
func (e *passing) Unwrap() error { return e.err }

// timing is how patient a client is.
type timing struct {
	attempts int           // in a row without progress
	delay    time.Duration // before the second attempt; doubled each time
	most     time.Duration // longest delay
	wait     time.Duration // longest that a hub may ask for
	stall    time.Duration // without a byte, after which an answer is given up
}

var patient = timing{attempts: 5, delay: 500 * time.Millisecond, most: 20 * time.Second, wait: 5 * time.Minute, stall: stall.After}

// noticeable is a pause that is worth a word to the user.
const noticeable = 3 * time.Second

// retry calls f until it succeeds, fails for good, or fails too often in a row without having got on.
func (c *client) retry(ctx context.Context, f func() (progress bool, err error)) error {
	delay := c.timing.delay
	for attempt := 1; ; attempt++ {
		progress, err := f()
		if ctx.Err() != nil && err != nil {
			return context.Cause(ctx)
		}
		var p *passing
		if err == nil || !errors.As(err, &p) {
			return err
		}
		if progress {
			attempt, delay = 1, c.timing.delay
		}
		if attempt >= c.timing.attempts {
			return fmt.Errorf("%w (tried %d times)", p.err, attempt)
		}
		if errors.Is(err, stall.Err) && !progress { // whoever was silent so long has been given time enough
			return p.err
		}
		if p.wait > c.timing.wait {
			return fmt.Errorf("%w (it asks to wait %v)", p.err, p.wait)
		}
		// Some randomness keeps many clients of one hub from coming back at the same moment.
		pause := max(delay/2+rand.N(delay/2+1), p.wait)
		if pause >= noticeable {
			c.notice(fmt.Sprintf("%v; trying again in %.0f s", p.err, pause.Seconds()))
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-timer.C:
		}
		delay = min(2*delay, c.timing.most)
	}
}

// retryAfter reads how long an answer asks to wait: Retry-After in seconds or as a date, else the "t" of the RateLimit
// header that the hub sends with 429.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const most = 24 * time.Hour // more than anybody waits; keeps sums from overflowing
	seconds := func(s string) (time.Duration, bool) {
		n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
		return min(time.Duration(n)*time.Second, most), err == nil
	}
	after := h.Get("Retry-After")
	if d, ok := seconds(after); ok {
		return d
	}
	if at, err := http.ParseTime(after); err == nil {
		return min(max(at.Sub(now), 0), most)
	}
	for part := range strings.SplitSeq(h.Get("RateLimit"), ";") {
		if t, ok := strings.CutPrefix(strings.TrimSpace(part), "t="); ok {
			if d, ok := seconds(t); ok {
				return d
			}
		}
	}
	return 0
}
