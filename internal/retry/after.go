package retry

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// MostAfter is the largest result of After. No client waits that long, and adding to it
// does not overflow.
const MostAfter = 24 * time.Hour

// After returns the time that an answer asks the client to wait: Retry-After in seconds
// or as a date, otherwise the "t" of the RateLimit header that model hubs send with
// 429. It is 0 if neither can be read.
func After(h http.Header, now time.Time) time.Duration {
	seconds := func(s string) (time.Duration, bool) {
		n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
		return min(time.Duration(n)*time.Second, MostAfter), err == nil
	}
	after := h.Get("Retry-After")
	if d, ok := seconds(after); ok {
		return d
	}
	if at, err := http.ParseTime(after); err == nil {
		return min(max(at.Sub(now), 0), MostAfter)
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
