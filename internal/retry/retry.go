// Package retry tries again what may pass: connections that break, and hosts that ask to be left alone for a while.
package retry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Passing is an error that may go away by itself. Wait is how long the host asks to be left alone, 0 if it says nothing.
type Passing struct {
	Err  error
	Wait time.Duration
}

func (e *Passing) Error() string { return e.Err.Error() }
func (e *Passing) Unwrap() error { return e.Err }

// Policy is how patient a client is.
type Policy struct {
	Attempts int           // in a row without progress
	Delay    time.Duration // before the second attempt; doubled each time
	Most     time.Duration // longest delay
	Wait     time.Duration // longest that a host may ask for
}

// Do calls f until it succeeds, fails with another error than *Passing, or fails too often in a row without having got
// on. It tells of a pause before it makes it, if pausing is not nil. Once ctx has ended, its cause is the error.
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
		// Some randomness keeps many clients of one host from coming back at the same moment.
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
