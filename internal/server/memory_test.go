package server

import (
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// If memory is short, the server forgets answers that clients did not acknowledge,
// beginning with the client that holds most. So such clients keep nobody out.
func TestHoarders(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.SessionBytes = 2 << 20 })
	list := texts(slices.Repeat([]string{"night"}, 200)...)
	small, large, fresh := r.dial(t, wire.Token{}), r.dial(t, wire.Token{}), r.dial(t, wire.Token{})
	encode := func(c *client, id uint32) {
		t.Helper()
		c.send(&wire.Encode{ID: id, DType: wire.F32, Texts: list})
		if vectors, faults, _ := c.collect(id); len(vectors) != len(list) {
			t.Fatalf("request %d: %+v", id, faults)
		}
	}
	for id := range uint32(5) {
		encode(small, id+1)
	}
	each := r.held() / 5
	for id := uint32(1); r.held() < 2<<20-4*each; id++ {
		encode(large, id)
	}
	for id := range uint32(20) {
		encode(fresh, id+1)
	}
	resume := func(c *client) wire.Frame {
		c.send(&wire.Resume{ID: 1, Count: uint32(len(list)), Have: make([]byte, len(list)/8)})
		return c.next()
	}
	if f, ok := resume(large).(*wire.Fault); !ok || f.Code != wire.CodeUnknownRequest {
		t.Errorf("a forgotten request: %+v", f)
	}
	if _, ok := resume(small).(*wire.Vector); !ok {
		t.Error("the answers of the small client were forgotten")
	}
}

// deafen makes a client send requests without reading the answers, until the server
// stops reading from it. The client may acknowledge its requests.
func (r *running) deafen(t *testing.T, acknowledges bool) {
	t.Helper()
	c := r.dial(t, wire.Token{})
	go func() { // blocks in the end
		for id := uint32(1); ; id++ {
			b := (&wire.Encode{ID: id, DType: wire.F32, Texts: make([][]byte, 1000)}).Append(nil)
			if c.ws.WriteMessage(websocket.BinaryMessage, b) != nil {
				return
			}
			if acknowledges && c.ws.WriteMessage(websocket.BinaryMessage, (&wire.Ack{ID: id}).Append(nil)) != nil {
				return
			}
		}
	}()
	r.sessions.mu.Lock()
	s := r.sessions.byToken[c.welcome.Token]
	r.sessions.mu.Unlock()
	wait.Until(t, "the server has stopped reading", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.conn == nil {
			return true // it was cut off
		}
		s.conn.mu.Lock()
		defer s.conn.mu.Unlock()
		return s.conn.calmed != nil
	})
}

// cutOff is the number of clients that were cut off because they did not read.
func (r *running) cutOff(t *testing.T) float64 {
	t.Helper()
	families, err := r.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "vantage_refused_total" && m.GetLabel()[0].GetValue() == "slow" {
				return m.GetCounter().GetValue()
			}
		}
	}
	t.Fatal("there is no such metric")
	return 0
}

// The server stops reading from a client that sends requests and does not read answers.
// Such a client holds little memory, with or without acknowledgements, and is cut off
// if room is needed.
func TestHoardersThatDoNotRead(t *testing.T) {
	for _, acknowledges := range []bool{false, true} {
		r := start(t, nil, func(o *Options) { o.Limits.SessionBytes, o.Limits.PendingBytes = 40<<20, 200<<10 })
		const deaf, room = 4, 35 << 20
		for range deaf {
			r.deafen(t, acknowledges)
		}
		if held := r.held(); held < deaf*crowded || held > deaf<<20 {
			t.Errorf("%d bytes are held", held)
		}
		if !r.sessions.reserve(room) || r.cutOff(t) != 0 {
			t.Error("there is no room without cutting off a client")
		}
		wait.Until(t, "there is room", func() bool { return r.sessions.reserve(40<<20 - room - deaf*socketBytes - 256<<10) })
		if r.cutOff(t) == 0 {
			t.Error("nobody was cut off")
		}
	}
}

// A new client is answered even if others do not read and hold all memory.
func TestRoomBesideThoseThatDoNotRead(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.SessionBytes = 2 << 20 })
	for range 10 {
		r.deafen(t, false)
	}
	other := r.dial(t, wire.Token{})
	answered, id := 0, uint32(0)
	wait.Until(t, "the client is answered", func() bool {
		id++
		other.send(&wire.Encode{ID: id, DType: wire.F32, Texts: make([][]byte, 50)}) // so few that this client is not cut off itself
		vectors, faults, _ := other.collect(id)
		if f := faults[wire.WholeRequest]; f != nil && f.Code != wire.CodeOverloaded {
			t.Fatalf("%+v", f)
		}
		if len(vectors) == 50 {
			answered++
		}
		return answered == 100
	})
	if r.cutOff(t) == 0 {
		t.Error("nobody was cut off")
	}
}

// An unfinished message counts against the memory of all clients. A message without
// room is refused.
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
	wait.Until(t, "the unfinished one is counted", func() bool { return r.held() > 2*int64(len(long)) })
	other := r.dial(t, wire.Token{})
	other.send(&wire.Encode{ID: 7, DType: wire.F32, Texts: texts(strings.Repeat("night ", 50_000))})
	if f, ok := other.next().(*wire.Fault); !ok || f.ID != 7 || f.Index != wire.WholeRequest || f.Code != wire.CodeOverloaded || f.Retry == 0 {
		t.Errorf("%+v", f)
	}
	other.send(&wire.Encode{ID: 8, DType: wire.F32, Texts: texts("night")})
	if vectors, _, _ := other.collect(8); len(vectors) != 1 {
		t.Error("the connection does not continue")
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
	wait.Until(t, "all is given back", func() bool { return r.held() == 0 })
}

// A long message must arrive in time, even if the client answers pings.
func TestUnfinishedMessagesEnd(t *testing.T) {
	t.Parallel() // the test mostly waits
	r := start(t, nil, func(o *Options) { o.Limits.Ping = 1500 * time.Millisecond })
	alive, unfinished := r.dial(t, wire.Token{}), r.dial(t, wire.Token{})
	pong := make(chan wire.Frame, 1)
	go func() {
		f, _ := alive.read() // answers pings until a frame comes
		pong <- f
	}()
	go unfinished.read() // answers pings
	w, err := unfinished.ws.NextWriter(websocket.BinaryMessage)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(make([]byte, 1<<20))
	wait.Until(t, "the client with the unfinished message is cut off", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.conns) < 2
	})
	wait.Until(t, "all is given back", func() bool { return r.held() == 0 })
	alive.send(&wire.Ping{Nonce: [8]byte{7}})
	if f, ok := (<-pong).(*wire.Pong); !ok || f.Nonce != [8]byte{7} {
		t.Errorf("the client that is alive got %+v", f)
	}
}

// Waiting requests do not count against each other: every request that fits is
// admitted.
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
		if let.Load() != 3 || r.held() != 900 {
			t.Fatalf("%d requests of 300 bytes were admitted, %d bytes are held", let.Load(), r.held())
		}
		r.sessions.bytes.Store(0)
	}
}

// A frame with too many texts is refused before its texts are parsed.
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

// A request that can never fit is not told to try again.
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
