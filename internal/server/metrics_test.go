package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// counted is the value of a counter with a label, as /metrics has it.
func (r *running) counted(t *testing.T, name, label, value string) float64 {
	t.Helper()
	families, err := r.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		if f.GetName() != "vantage_"+name {
			continue
		}
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if l.GetName() == label && l.GetValue() == value {
					sum += m.GetCounter().GetValue()
				}
			}
		}
	}
	return sum
}

// A request whose client left before the answer is no success, in the log and in the metrics.
func TestClientsThatLeave(t *testing.T) {
	begun := make(chan struct{}, 1)
	chat := chatscript.Serve(t, func(chatscript.Request) chatscript.Reply {
		begun <- struct{}{}
		return chatscript.Reply{Wait: time.Minute}
	})
	var log lockedBuffer
	gate := make(chan struct{})
	r := withChat(t, chat, Budget{}, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	r.model.gate = gate
	defer close(gate)
	for route, ask := range map[string]func(ctx context.Context) error{
		"POST /v1/embeddings": func(ctx context.Context) error {
			_, err := r.client().PostContext(ctx, `{"input": "night"}`)
			return err
		},
		"POST /v1/perspectives": func(ctx context.Context) error {
			_, _, err := r.askViews(ctx, `{"query": "night", "domain": "geography"}`, nil)
			return err
		},
	} {
		ctx, leave := context.WithCancel(t.Context())
		go func() {
			select {
			case <-begun:
			case <-r.model.begun:
			}
			leave()
		}()
		if err := ask(ctx); err == nil {
			t.Errorf("%s: it was answered", route)
		}
		line := fmt.Sprintf("route=%q status=", route)
		wait.Until(t, "the log of "+route, func() bool { return strings.Contains(log.String(), line) })
		if !strings.Contains(log.String(), line+"499 ") {
			t.Errorf("%s: the log says %s", route, log.String())
		}
	}
	if n, ok := r.counted(t, "requests_total", "status", "499"), r.counted(t, "requests_total", "status", fmt.Sprint(http.StatusOK)); n != 2 || ok != 0 {
		t.Errorf("%v requests without an answer are counted, and %v successes", n, ok)
	}
}

// A refusal for the rate is counted on a socket, too.
func TestRateOfSockets(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.Rate = 0.01 })
	c := r.dial(t, wire.Token{}) // the one request that may come at once
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("night")})
	if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeRateLimited {
		t.Errorf("%+v", f)
	}
	if n := r.counted(t, "refused_total", "reason", "rate"); n != 1 {
		t.Errorf("%v refusals are counted", n)
	}
}

// A text of a client that is away is lost when its session is, and not before.
func TestTextsOfClientsAway(t *testing.T) {
	for _, back := range []bool{true, false} {
		gate := make(chan struct{})
		r := start(t, gate, nil)
		c := r.dial(t, wire.Token{})
		c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("one")})
		<-r.model.begun
		c.send(&wire.Encode{ID: 2, DType: wire.F32, Texts: texts("two", "three")})
		wait.Until(t, "both wait", func() bool { return r.engine.queue.tokens() > 0 })
		c.ws.NetConn().Close()
		wait.Until(t, "neither waits", func() bool { return r.engine.queue.tokens() == 0 })
		want := 2.0
		if back {
			want = 0
			d := r.dial(t, c.welcome.Token)
			d.send(&wire.Resume{ID: 2, Count: 2, Have: []byte{0}})
			close(gate)
			if vectors, _, _ := d.collect(2); len(vectors) != 2 {
				t.Errorf("%d vectors", len(vectors))
			}
		} else {
			r.sessions.clear()
			close(gate)
		}
		wait.Until(t, fmt.Sprintf("%v texts are lost", want), func() bool { return r.counted(t, "dropped_total", "reason", droppedAway) == want })
		if n := r.counted(t, "dropped_total", "reason", "cancelled"); n != 0 {
			t.Errorf("%v texts count as cancelled", n)
		}
	}
}
