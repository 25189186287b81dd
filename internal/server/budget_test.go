package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
)

// A client, which here is a key, has a budget for each day.
func TestPerspectivesBudget(t *testing.T) {
	const each = 3 * (chatscript.PromptTokens + chatscript.ReplyTokens)
	const body = `{"query": "night", "domain": "geography"}`
	at := time.Date(2030, 1, 2, 23, 0, 0, 0, time.UTC)
	for name, b := range map[string]Budget{"requests": {Requests: 2}, "tokens": {Tokens: each + 1}} {
		s := chatscript.Serve(t, geographer)
		r := withChat(t, s, b, func(o *Options) { o.Keys = []string{"one", "two"} })
		now := at
		r.views.budgets.now = func() time.Time { return now }
		ask := func(key string) (*http.Response, string) {
			t.Helper()
			answer, text, err := r.askViews(t.Context(), body, nil, "Authorization", "Bearer "+key)
			if err != nil {
				t.Fatal(err)
			}
			return answer, text
		}
		for range 2 {
			if answer, text := ask("one"); answer.StatusCode != http.StatusOK {
				t.Fatalf("%s: %s", name, text)
			}
		}
		before := len(s.Asked())
		answer, text := ask("one")
		if answer.StatusCode != http.StatusTooManyRequests || answer.Header.Get("Retry-After") != "3600" || !strings.Contains(text, "the "+name+" that this client may") || !strings.Contains(text, "budget_exceeded") || len(s.Asked()) != before {
			t.Errorf("%s: %v %s", name, answer.Header, text)
		}
		if answer, text := ask("two"); answer.StatusCode != http.StatusOK {
			t.Errorf("%s, another client: %s", name, text)
		}
		now = at.Add(time.Hour)
		if answer, text := ask("one"); answer.StatusCode != http.StatusOK {
			t.Errorf("%s, the next day: %s", name, text)
		}
	}
}

// A host that reports no tokens does not make the budget endless.
func TestPerspectivesBudgetUncounted(t *testing.T) {
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		reply := geographer(r)
		reply.Silent = true
		return reply
	})
	r := withChat(t, s, Budget{Tokens: 1}, nil)
	for _, want := range []int{http.StatusOK, http.StatusTooManyRequests} {
		if answer, text, err := r.askViews(t.Context(), `{"query": "night", "domain": "geography"}`, nil); err != nil || answer.StatusCode != want {
			t.Errorf("%s %v, want %d", text, err, want)
		}
	}
}

// Requests that run at midnight still count as running, and their tokens as those of the day before.
func TestBudgetsAtMidnight(t *testing.T) {
	now := time.Date(2030, 1, 2, 23, 59, 59, 0, time.UTC)
	b := &budgets{now: func() time.Time { return now }, limit: Budget{Tokens: 100}}
	var ends []func(int64)
	for range viewsAtOnce {
		end, refused := b.begin("a")
		if refused != nil {
			t.Fatal(refused)
		}
		ends = append(ends, end)
	}
	now = now.Add(time.Minute)
	if _, refused := b.begin("a"); refused == nil || refused.Code != "overloaded" {
		t.Errorf("more than %d requests at a time: %v", viewsAtOnce, refused)
	}
	for _, end := range ends {
		end(100)
	}
	for range viewsAtOnce {
		end, refused := b.begin("a")
		if refused != nil {
			t.Fatal(refused)
		}
		defer end(0)
	}
}

// A client asks a few at a time, and the server remembers a limited number of clients.
func TestBudgets(t *testing.T) {
	b := &budgets{now: time.Now}
	end, refused := b.begin("a")
	if refused != nil {
		t.Fatal(refused)
	}
	if _, refused = b.begin("a"); refused != nil {
		t.Fatal(refused)
	}
	if _, refused = b.begin("a"); refused == nil || refused.Code != "overloaded" || refused.Retry != time.Second {
		t.Errorf("%v", refused)
	}
	if end(7); b.spends["a"].tokens != 7 {
		t.Errorf("%+v", b.spends["a"])
	}
	if _, refused = b.begin("a"); refused != nil {
		t.Error(refused)
	}
	for i := len(b.spends); i < mostClients; i++ {
		if _, refused := b.begin(fmt.Sprint(i)); refused != nil {
			t.Fatal(refused)
		}
	}
	if _, refused := b.begin("another"); refused == nil || !strings.Contains(refused.Message, "too many clients") || len(b.spends) != mostClients {
		t.Errorf("%v", refused)
	}
}
