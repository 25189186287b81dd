package retry

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		key, value string
		want       time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", "Wed, 01 Jul 2026 12:01:30 GMT", 90 * time.Second},
		{"Retry-After", "Wed, 01 Jul 2026 11:00:00 GMT", 0},
		{"Retry-After", "Wed, 01 Jul 9026 11:00:00 GMT", 24 * time.Hour},
		{"Retry-After", "-7", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "4294967295", 24 * time.Hour},
		{"Retry-After", "99999999999999999999", 0},
		{"RateLimit", `"api";r=0;t=55`, 55 * time.Second},
		{"RateLimit", `"api"; r=0; t=55`, 55 * time.Second},
		{"RateLimit", `"api";r=0`, 0},
		{"X", "1", 0},
	} {
		h := http.Header{}
		h.Set(c.key, c.value)
		if got := After(h, now); got != c.want {
			t.Errorf("%s: %s: %v, want %v", c.key, c.value, got, c.want)
		}
	}
}

func TestDo(t *testing.T) {
	p := Policy{Attempts: 3, Delay: time.Microsecond, Most: 2 * time.Microsecond, Wait: time.Millisecond}
	no := errors.New("no")
	for _, c := range []struct {
		name  string
		f     func(call int) (bool, error)
		calls int
		want  string
	}{
		{"at once", func(int) (bool, error) { return false, nil }, 1, ""},
		{"the second time", func(n int) (bool, error) {
			if n == 1 {
				return false, &Passing{Err: no}
			}
			return false, nil
		}, 2, ""},
		{"for good", func(int) (bool, error) { return false, no }, 1, "no"},
		{"too often", func(int) (bool, error) { return false, &Passing{Err: no} }, 3, "no (tried 3 times)"},
		{"progress begins anew", func(n int) (bool, error) { return n <= 5, &Passing{Err: no} }, 7, "no (tried 3 times)"},
		{"a short wait", func(int) (bool, error) { return false, &Passing{no, time.Microsecond} }, 3, "no (tried 3 times)"},
		{"a long wait", func(int) (bool, error) { return false, &Passing{no, time.Minute} }, 1, "no (it asks to wait 1m0s)"},
	} {
		calls, pauses := 0, 0
		err := p.Do(t.Context(), func(error, time.Duration) { pauses++ }, func() (bool, error) { calls++; return c.f(calls) })
		got := ""
		if err != nil {
			got = err.Error()
			if !errors.Is(err, no) {
				t.Errorf("%s: the cause is lost: %v", c.name, err)
			}
		}
		if got != c.want || calls != c.calls || pauses != calls-1 {
			t.Errorf("%s: %q after %d calls and %d pauses, want %q after %d", c.name, got, calls, pauses, c.want, c.calls)
		}
	}
	end := errors.New("the end")
	ctx, cancel := context.WithCancelCause(t.Context())
	p.Delay = time.Hour
	err := p.Do(ctx, func(error, time.Duration) { cancel(end) }, func() (bool, error) { return false, &Passing{Err: no} })
	if !errors.Is(err, end) || strings.Contains(err.Error(), "tried") {
		t.Errorf("ended in a pause: %v", err)
	}
}
