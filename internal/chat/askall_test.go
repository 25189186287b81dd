package chat

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Replies come in the order of the questions. One that is refused is nil, and any other
// failure ends the call.
func TestAskAll(t *testing.T) {
	numbered := NewSchema("numbered", `{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":0}}}`)
	ask := func(i int) Question {
		return Question{Instructions: "Repeat.", Text: strconv.Itoa(i), Schema: numbered}
	}
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Text == "7" {
			return says(`{"n": -1}`)
		}
		return says(fmt.Sprintf(`{"n": %s}`, r.Text))
	})
	c := open(t, Settings{URL: s.URL})
	replies, err := c.AskAll(t.Context(), 9, ask, func(int) {})
	if err != nil || len(replies) != 9 {
		t.Fatalf("%s %v", replies, err)
	}
	for i, reply := range replies {
		if want := fmt.Sprintf(`{"n": %d}`, i); i != 7 && string(reply) != want || i == 7 && reply != nil {
			t.Errorf("%d: %s", i, reply)
		}
	}

	c = open(t, Settings{URL: serve(t, says(`{"n": 1}`)).URL})
	most := 0
	if replies, err := c.AskAll(t.Context(), 20, ask, func(done int) { most = max(most, done) }); err != nil || len(replies) != 20 || most != 20 {
		t.Errorf("%d replies, %d told, %v", len(replies), most, err)
	}
	broken := serve(t, raw(401, "{}"))
	if _, err := open(t, Settings{URL: broken.URL}).AskAll(t.Context(), 20, ask, func(int) {}); fault.Of(err) != fault.Input || len(broken.Asked()) > together {
		t.Errorf("%v after %d requests", err, len(broken.Asked()))
	}
	// Three questions are on their way when the fourth fails. Their replies are not lost.
	var arrived atomic.Int64
	failed := make(chan struct{})
	failing := chatscript.Serve(t, func(chatscript.Request) chatscript.Reply {
		if arrived.Add(1) == together {
			defer close(failed)
			return raw(401, "{}")
		}
		<-failed
		return chatscript.Reply{Content: `{"n": 1}`, Wait: 20 * time.Millisecond}
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
