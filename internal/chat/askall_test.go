package chat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Replies come in the order of the questions. One that is refused is nil, and what is not
// the reply's fault ends the whole.
func TestAskAll(t *testing.T) {
	numbered := NewSchema("numbered", `{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":0}}}`)
	ask := func(i int) Question {
		return Question{Instructions: "Repeat.", Text: strconv.Itoa(i), Schema: numbered}
	}
	var s *scripted
	s = serve(t, func(w http.ResponseWriter, r *http.Request) {
		all := s.asked()
		var n int
		fmt.Sscanf(all[len(all)-1].Messages[1].Content, "```\n%d", &n)
		if n == 7 {
			n = -1
		}
		says(fmt.Sprintf(`{"n": %d}`, n))(w, r)
	})
	// One at a time, so that the server knows which question it answers.
	c := open(t, Settings{URL: s.URL})
	for i := range 9 {
		replies, err := c.AskAll(t.Context(), 1, func(int) Question { return ask(i) }, func(int) {})
		if want := fmt.Sprintf(`{"n": %d}`, i); err != nil || i != 7 && string(replies[0]) != want || i == 7 && replies[0] != nil {
			t.Errorf("%d: %s %v", i, replies, err)
		}
	}

	c = open(t, Settings{URL: serve(t, says(`{"n": 1}`)).URL})
	most := 0
	if replies, err := c.AskAll(t.Context(), 20, ask, func(done int) { most = max(most, done) }); err != nil || len(replies) != 20 || most != 20 {
		t.Errorf("%d replies, %d told, %v", len(replies), most, err)
	}
	broken := serve(t, raw(401, "{}"))
	if _, err := open(t, Settings{URL: broken.URL}).AskAll(t.Context(), 20, ask, func(int) {}); fault.Of(err) != fault.Input || len(broken.asked()) > together {
		t.Errorf("%v after %d requests", err, len(broken.asked()))
	}
	// Three questions are on their way when the fourth fails. Their replies are not lost.
	var arrived atomic.Int64
	failed := make(chan struct{})
	failing := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if arrived.Add(1) == together {
			defer close(failed)
			raw(401, "{}")(w, r)
			return
		}
		<-failed
		time.Sleep(20 * time.Millisecond)
		says(`{"n": 1}`)(w, r)
	})
	most = 0
	if _, err := open(t, Settings{URL: failing.URL}).AskAll(t.Context(), 20, ask, func(done int) { most = max(most, done) }); fault.Of(err) != fault.Input || most != int(arrived.Load())-1 || most == 19 {
		t.Errorf("%d replies of %d requests, %v", most, arrived.Load(), err)
	}
	left := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(left)
	if _, err := c.AskAll(ctx, 20, ask, func(int) {}); !errors.Is(err, left) {
		t.Error(err)
	}
}
