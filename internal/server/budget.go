package server

import (
	"net/http"
	"sync"
	"time"
)

// Budget is what a client, which is a key or an address, may use of the chat model in a day
// of UTC; 0: no bound. A request that has begun is answered to its end.
type Budget struct {
	Requests int
	Tokens   int64 // of prompts and replies
}

const (
	viewsAtOnce = 2       // requests of a client that ask the chat model at a time
	mostClients = 100_000 // whose budgets are kept in memory
)

// budgets are what clients have used today.
type budgets struct {
	limit Budget
	now   func() time.Time

	mu      sync.Mutex
	day     time.Time
	spends  map[string]*spent
	running map[string]int // running requests of clients, which may have begun on the day before
}

type spent struct {
	requests int
	tokens   int64
}

// begin counts a request of a client, or refuses it. end must be called with the tokens
// that it has used.
func (b *budgets) begin(client string) (end func(tokens int64), refused *apiError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now().UTC()
	if day := now.Truncate(24 * time.Hour); !day.Equal(b.day) {
		b.day, b.spends = day, map[string]*spent{}
	}
	if b.running == nil {
		b.running = map[string]int{}
	}
	s := b.spends[client]
	if s == nil {
		s = &spent{}
	}
	full := &apiError{Status: http.StatusTooManyRequests, Type: rateLimit, Code: "budget_exceeded", Retry: max(time.Second, b.day.Add(24*time.Hour).Sub(now))}
	switch {
	case b.spends[client] == nil && len(b.spends) >= mostClients:
		full.Message = "too many clients have asked today"
	case b.limit.Requests > 0 && s.requests >= b.limit.Requests:
		full.Message = "the requests that this client may make in a day are used up"
	case b.limit.Tokens > 0 && s.tokens >= b.limit.Tokens:
		full.Message = "the tokens that this client may use in a day are used up"
	case b.running[client] >= viewsAtOnce:
		full.Message, full.Code, full.Retry = "too many requests of this client ask the chat model", "overloaded", time.Second
	default:
		b.spends[client] = s
		s.requests++
		b.running[client]++
		return func(tokens int64) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if b.running[client]--; b.running[client] == 0 {
				delete(b.running, client)
			}
			s.tokens += tokens
		}, nil
	}
	return nil, full
}
