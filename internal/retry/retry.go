// Package retry repeats calls that failed for a temporary reason: a broken connection, or a host that asks the client
// to wait. It exists because backoff libraries count all failures, while a long download that makes progress may break
// off any number of times.
package retry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Passing is a temporary error. Wait is the time that the host asks the client to wait,
// 0 if it does not say.
type Passing struct {
	Err  error
	Wait time.Duration
}

func (e *Passing) Error() string { return e.Err.Error() }
func (e *Passing) Unwrap() error { return e.Err }

// Policy says how often and how long a client waits.
type Policy struct {
	Attempts int           // attempts in a row without progress
	Delay    time.Duration // delay before the second attempt; doubled each time
	Most     time.Duration // longest delay
	Wait     time.Duration // longest wait that a host may ask for
}

// Do calls f until it succeeds, fails with an error other than *Passing, fails too often in a row without progress, or
// the host asks for too long a wait.
// It calls pausing, if not nil, before each pause. If ctx ends, its cause is the error.
func (p Policy) Do(ctx context.Context, pausing func(err error, pause time.Duration), f func() (progress bool, err error)) error {
	delay := p.Delay
	for attempt := 1; ; attempt++ {
		progress, err := f()
		if ctx.Err() != nil && err != nil {
			return context.Cause(ctx)
		}
		passing, ok := errors.AsType[*Passing](err)
		if !ok {
			return err
		}
		if progress {
			attempt, delay = 1, p.Delay
		}
		if attempt >= p.Attempts {
			return fmt.Errorf("%w (tried %d times)", passing.Err, attempt)
		}
		if passing.Wait > p.Wait {
			return fmt.Errorf("%w (it asks to wait %v)", passing.Err, passing.Wait)
		}
		// Random pauses keep the clients of one host from coming back at the same moment.
		pause := max(delay/2+rand.N(delay/2+1), passing.Wait)
		if pausing != nil {
			pausing(err, pause)
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-timer.C:
		}
		delay = min(2*delay, p.Most)
	}
}
