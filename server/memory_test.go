package server

import (
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/server/wire"
)

// Who acknowledges nothing has its answers forgotten for others' sake, those of whoever
// holds most first, and keeps nobody out.
func TestHoarders(t *testing.T) {
	request := int64(len("night") + wire.VectorSize(32, wire.F32))
	r := start(t, nil, func(o *Options) { o.Limits.SessionBytes = int(20 * request) })
	small, large := r.dial(t, wire.Token{}), r.dial(t, wire.Token{})
	encode := func(c *client, id uint32) {
		t.Helper()
		c.send(&wire.Encode{ID: id, DType: wire.F32, Texts: texts("night")})
		if vectors, faults, _ := c.collect(id); len(vectors) != 1 {
			t.Fatalf("request %d: %+v", id, faults)
		}
	}
	for id := range uint32(5) {
		encode(small, id+1)
	}
	for id := range uint32(15) {
		encode(large, id+1)
	}
	if got := r.sessions.bytes.Load(); got != 20*request {
		t.Fatalf("%d bytes are held", got)
	}
	encode(r.dial(t, wire.Token{}), 1)
	if got := r.sessions.bytes.Load(); got != 6*request {
		t.Errorf("%d bytes are held, want those of the small one and of the new one, %d", got, 6*request)
	}
	resume := func(c *client) wire.Frame {
		c.send(&wire.Resume{ID: 1, Count: 1, Have: []byte{0}})
		return c.next()
	}
	if f, ok := resume(large).(*wire.Fault); !ok || f.Code != wire.CodeUnknownRequest {
		t.Errorf("what was forgotten: %+v", f)
	}
	if _, ok := resume(small).(*wire.Vector); !ok {
		t.Error("what the small one holds was forgotten")
	}
}

// Who reads nothing and holds most is cut off where room is needed.
func TestHoardersThatDoNotRead(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.SessionBytes, o.Limits.PendingBytes = 40<<20, 30<<20 })
	deaf := r.dial(t, wire.Token{})
	many := make([][]byte, 2000)
	eventually(t, "it holds much that it has not read", func() bool {
		deaf.send(&wire.Encode{ID: uint32(r.sessions.bytes.Load() + 1), DType: wire.F32, Texts: many})
		return r.sessions.bytes.Load() > 25<<20
	})
	other := r.dial(t, wire.Token{})
	eventually(t, "the other has room and the first is cut off", func() bool {
		for id := uint32(1); ; id++ {
			other.send(&wire.Encode{ID: id, DType: wire.F32, Texts: many})
			vectors, faults, _ := other.collect(id)
			if len(vectors) != len(many) {
				t.Fatalf("%+v", faults)
			}
			r.mu.Lock()
			sockets := len(r.conns)
			r.mu.Unlock()
			if sockets == 1 {
				return true
			}
		}
	})
}

// A message that does not end takes of what all may have, and one that there is no room
// for is refused.
func TestUnfinishedMessages(t *testing.T) {
	r := start(t, nil, func(o *Options) {
		o.Limits.SessionBytes, o.Proxies = 3<<20, []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	long := (&wire.Encode{ID: 7, DType: wire.F32, Texts: texts(strings.Repeat("night ", 40_000))}).Append(nil)
	c := r.dial(t, wire.Token{})
	w, err := c.ws.NextWriter(websocket.BinaryMessage)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(long[:len(long)-1])
	eventually(t, "the unfinished one is counted", func() bool { return r.sessions.bytes.Load() > 2*int64(len(long)) })
	other := r.dial(t, wire.Token{})
	other.send(&wire.Encode{ID: 7, DType: wire.F32, Texts: texts(strings.Repeat("night ", 50_000))})
	if f, ok := other.next().(*wire.Fault); !ok || f.ID != 7 || f.Index != wire.WholeRequest || f.Code != wire.CodeOverloaded || f.Retry == 0 {
		t.Errorf("%+v", f)
	}
	other.send(&wire.Encode{ID: 8, DType: wire.F32, Texts: texts("night")})
	if vectors, _, _ := other.collect(8); len(vectors) != 1 {
		t.Error("the connection does not go on")
	}
	w.Write(long[len(long)-1:])
	w.Close()
	if vectors, faults, _ := c.collect(7); len(vectors) != 1 {
		t.Errorf("%+v", faults)
	}
	for _, id := range []uint32{7, 8} {
		c.send(&wire.Ack{ID: id})
		other.send(&wire.Ack{ID: id})
	}
	eventually(t, "all is given back", func() bool { return r.sessions.bytes.Load() == 0 })
}

// Signs of life do not keep a message waiting for ever, nor anything else of what is long.
func TestUnfinishedMessagesEnd(t *testing.T) {
	t.Parallel() // it waits
	r := start(t, nil, func(o *Options) { o.Limits.Ping = 300 * time.Millisecond })
	alive, unfinished := r.dial(t, wire.Token{}), r.dial(t, wire.Token{})
	for _, c := range []*client{alive, unfinished} {
		go c.read() // which answers pings
	}
	w, err := unfinished.ws.NextWriter(websocket.BinaryMessage)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(make([]byte, 1<<20))
	eventually(t, "the unfinished one is cut off", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.conns) == 1
	})
	eventually(t, "all is given back", func() bool { return r.sessions.bytes.Load() == 0 })
	alive.send(&wire.Ping{})
}

// Who acknowledges what it does not read takes memory all the same, and is cut off where
// room is needed; so is who asks for answers without end.
func TestUnreadAnswersCount(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.SessionBytes, o.Limits.PendingBytes = 40<<20, 30<<20 })
	deaf := r.dial(t, wire.Token{})
	many := make([][]byte, 2000)
	id := uint32(0)
	eventually(t, "what it has acknowledged is counted", func() bool {
		id++
		deaf.send(&wire.Encode{ID: id, DType: wire.F32, Texts: many})
		deaf.send(&wire.Ack{ID: id})
		return r.sessions.bytes.Load() > 20<<20
	})
	if !r.sessions.reserve(35 << 20) {
		t.Error("there is no room for others")
	}
	r.sessions.bytes.Add(-35 << 20)
	eventually(t, "it is cut off", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.conns) == 0
	})
	eventually(t, "all is given back", func() bool { return r.sessions.bytes.Load() == 0 })
}

// Who waits for room does not count against others who do: what fits is let in.
func TestReserveAtOnce(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.SessionBytes = 1000 })
	for range 100 {
		var let atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if r.sessions.reserve(300) {
					let.Add(1)
				}
			})
		}
		all.Wait()
		if let.Load() != 3 || r.sessions.bytes.Load() != 900 {
			t.Fatalf("%d of 300 bytes were let in, %d bytes are held", let.Load(), r.sessions.bytes.Load())
		}
		r.sessions.bytes.Store(0)
	}
}

// A frame of more texts than a request may have is refused without their list.
func TestTooManyTexts(t *testing.T) {
	r := start(t, nil, nil)
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 3, DType: wire.F32, Texts: make([][]byte, 2049)})
	if f, ok := c.next().(*wire.Fault); !ok || f.ID != 3 || f.Code != wire.CodeTooLarge || !strings.Contains(f.Message, "2049 texts, at most 2048") {
		t.Errorf("%+v", f)
	}
	torn := (&wire.Encode{ID: 4, DType: wire.F32, Texts: make([][]byte, 2049)}).Append(nil)
	c.ws.WriteMessage(websocket.BinaryMessage, torn[:len(torn)-1])
	if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeProtocol {
		t.Errorf("torn: %+v", f)
	}
	if err := ended(t, c.ws); !websocket.IsCloseError(err, websocket.CloseProtocolError) {
		t.Error(err)
	}
}

// What could never have room is not told to come again.
func TestNeverFits(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.SessionBytes = 200_000 })
	c := r.dial(t, wire.Token{})
	long := strings.Repeat("night ", 10_000)
	c.send(&wire.Encode{ID: 3, DType: wire.F32, Texts: texts(long)})
	if f, ok := c.next().(*wire.Fault); !ok || f.ID != 3 || f.Code != wire.CodeTooLarge || f.Retry != 0 {
		t.Errorf("%+v", f)
	}
	if answer, text := r.post(t, `{"input": "`+long+`"}`); answer.StatusCode != 413 || answer.Header.Get("Retry-After") != "" || !strings.Contains(text, "fewer texts") {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
}
