package server

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/testing/approx"
)

// Vectors are the model's for every role, and identical to the bit in f32.
func TestStreamVectors(t *testing.T) {
	r := start(t, nil, nil)
	c := r.dial(t, wire.Token{})
	var facts struct {
		Model  encoder.Info
		Limits map[string]int
	}
	if err := json.Unmarshal(c.welcome.Facts, &facts); err != nil || facts.Model.Dim != 32 || facts.Limits["texts"] != 2048 || c.welcome.Resumed {
		t.Errorf("%s (%v)", c.welcome.Facts, err)
	}
	list := []string{"night trains", "", "school uniforms help people", strings.Repeat("work ", 200)}
	ctx := context.Background()
	for role, name := range map[wire.Role]encoder.Role{wire.NoRole: encoder.NoRole, wire.Query: encoder.Query, wire.Document: encoder.Document, wire.Root: encoder.Query, wire.Perspective: encoder.Query} {
		want, err := r.model.Encoder.Encode(ctx, list, encoder.Options{Role: name})
		if err != nil {
			t.Fatal(err)
		}
		c.send(&wire.Encode{ID: 9, Role: role, DType: wire.F32, Texts: texts(list...)})
		vectors, faults, done := c.collect(9)
		if len(faults) > 0 || len(vectors) != len(list) || done.Vectors != uint32(len(list)) {
			t.Fatalf("%v %v %+v", vectors, faults, done)
		}
		for i, got := range vectors {
			if fmt.Sprint(got.Floats()) != fmt.Sprint(want[i].Vector) || int(got.Tokens) != want[i].Tokens || got.Truncated != (i == 3) {
				t.Errorf("role %d, text %d: %+v, want %+v", role, i, got, want[i])
			}
		}
		c.send(&wire.Ack{ID: 9})
	}
	want, _ := r.model.Encoder.Encode(ctx, list[:1], encoder.Options{})
	norm := 0.0
	for _, x := range want[0].Vector[:7] {
		norm += float64(x) * float64(x)
	}
	for dtype, tolerance := range map[wire.DType]float64{wire.F32: 1e-7, wire.F16: 1e-3, wire.Int8: 1e-2} {
		c.send(&wire.Encode{ID: 10, DType: dtype, Dimensions: 7, Texts: texts(list[0])})
		vectors, _, _ := c.collect(10)
		if vectors[0].Dim() != 7 || vectors[0].DType != dtype {
			t.Fatalf("%+v", vectors[0])
		}
		for i, x := range vectors[0].Floats() {
			if approx.Apart(float64(x), float64(want[0].Vector[i])/math.Sqrt(norm), tolerance) {
				t.Errorf("dtype %d, component %d: %v", dtype, i, x)
			}
		}
		c.send(&wire.Ack{ID: 10})
	}
	c.send(&wire.Ping{Nonce: [8]byte{1, 2, 3}})
	if pong, ok := c.next().(*wire.Pong); !ok || pong.Nonce[1] != 2 {
		t.Errorf("%+v", pong)
	}
}

// A faulty text gets a fault of its own, and a faulty request one for the request. The
// connection continues.
func TestStreamFaults(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.TextBytes, o.Limits.Texts = 100, 10 })
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: [][]byte{[]byte("night"), {0xff}, []byte(strings.Repeat("a", 101)), []byte("panic")}})
	vectors, faults, done := c.collect(1)
	if len(vectors) != 1 || faults[1].Code != wire.CodeInvalidText || faults[2].Code != wire.CodeTooLarge || faults[3].Code != wire.CodeInternal || done.Faults != 3 || done.Vectors != 1 {
		t.Errorf("%v %v %+v", vectors, faults, done)
	}
	for name, bad := range map[string]struct {
		frame *wire.Encode
		code  wire.Code
	}{
		"role":       {&wire.Encode{ID: 2, Role: 9, DType: wire.F32, Texts: texts("a")}, wire.CodeBadRequest},
		"dtype":      {&wire.Encode{ID: 2, DType: 0, Texts: texts("a")}, wire.CodeBadRequest},
		"dimensions": {&wire.Encode{ID: 2, DType: wire.F32, Dimensions: math.MaxUint32, Texts: texts("a")}, wire.CodeBadRequest},
		"texts":      {&wire.Encode{ID: 2, DType: wire.F32, Texts: make([][]byte, 11)}, wire.CodeTooLarge},
		"id":         {&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("a")}, wire.CodeBadRequest},
	} {
		c.send(bad.frame)
		if _, faults, _ := c.collect(bad.frame.ID); faults[wire.WholeRequest] == nil || faults[wire.WholeRequest].Code != bad.code {
			t.Errorf("%s: %+v", name, faults)
		}
	}
	c.send(&wire.Ack{ID: 1})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("a")})
	if vectors, _, _ := c.collect(1); len(vectors) != 1 {
		t.Errorf("the connection is unusable after faults")
	}
}

// Malformed frames end the connection with a fault and close code 1002.
func TestStreamTornFrames(t *testing.T) {
	r := start(t, nil, nil)
	whole := (&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("night trains")}).Append(nil)
	for n := 0; n < len(whole); n += 5 {
		c := r.dial(t, wire.Token{})
		c.ws.WriteMessage(websocket.BinaryMessage, whole[:n])
		if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeProtocol {
			t.Errorf("%d bytes: %+v", n, f)
		}
		if _, err := c.read(); !websocket.IsCloseError(err, websocket.CloseProtocolError) {
			t.Errorf("%d bytes: %v", n, err)
		}
		c.ws.Close()
	}
	c := r.dial(t, wire.Token{})
	c.ws.WriteMessage(websocket.TextMessage, whole)
	if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeProtocol {
		t.Errorf("%+v", f)
	}
	c = r.dial(t, wire.Token{})
	c.send(&wire.Hello{})
	if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeProtocol {
		t.Errorf("a second HELLO: %+v", f)
	}
	c = r.dial(t, wire.Token{})
	c.ws.WriteMessage(websocket.BinaryMessage, make([]byte, 5<<20))
	if _, err := c.read(); err == nil {
		t.Error("a frame of 5 MB is taken")
	}
}

// After a connection is lost in the middle and resumed, every text has been encoded
// once and every answer comes once.
func TestResume(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, func(o *Options) { o.Limits.BatchTokens = 16 })
	var list []string
	for i := range 40 {
		list = append(list, fmt.Sprintf("claim %d that trains help", i))
	}
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 5, Role: wire.Query, DType: wire.F32, Texts: texts(list...)})
	have := make([]byte, 5)
	got := map[int]*wire.Vector{}
	for round := range 6 {
		for range 3 {
			select {
			case gate <- struct{}{}:
			case <-time.After(50 * time.Millisecond): // nothing is left to encode
			}
		}
		for range 2 + round { // some frames are read, some are lost
			f := c.next()
			v, ok := f.(*wire.Vector)
			if !ok || got[int(v.Index)] != nil {
				t.Fatalf("round %d: %T %+v, once more", round, f, f)
			}
			got[int(v.Index)] = v
			have[v.Index/8] |= 1 << (v.Index % 8)
			if len(got) == 7 {
				break
			}
		}
		token := c.welcome.Token
		c.ws.NetConn().Close()
		c = r.dial(t, token)
		if !c.welcome.Resumed || c.welcome.Token != token {
			t.Fatalf("round %d: %+v", round, c.welcome)
		}
		c.send(&wire.Resume{ID: 5, Count: 40, Have: have})
	}
	close(gate)
	for len(got) < 40 {
		v, ok := c.next().(*wire.Vector)
		if !ok || got[int(v.Index)] != nil {
			t.Fatalf("%+v, once more", v)
		}
		got[int(v.Index)] = v
	}
	if done, ok := c.next().(*wire.Done); !ok || done.Vectors != 40 || done.Faults != 0 {
		t.Errorf("%+v", done)
	}
	want, err := r.model.Encoder.Encode(context.Background(), list, encoder.Options{Role: encoder.Query})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range list {
		if n := r.model.times(text); n != 1 {
			t.Errorf("text %d was encoded %d times", i, n)
		}
		if fmt.Sprint(got[i].Floats()) != fmt.Sprint(want[i].Vector) {
			t.Errorf("text %d has another vector", i)
		}
	}
	c.send(&wire.Resume{ID: 5, Count: 39, Have: make([]byte, 5)})
	if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeBadRequest || f.Index != wire.WholeRequest || !strings.Contains(f.Message, "39 texts, the request has 40") {
		t.Errorf("%+v", f)
	}
	c.send(&wire.Ack{ID: 5})
	wait.Until(t, "the acknowledged request is forgotten", func() bool { return r.held() == 0 })
	c.send(&wire.Resume{ID: 5, Count: 40, Have: have})
	if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeUnknownRequest || f.Index != wire.WholeRequest || f.Retry != 1 || !strings.Contains(f.Message, "with ENCODE") {
		t.Errorf("%+v", f)
	}
	c.send(&wire.Encode{ID: 5, DType: wire.F32, Texts: texts(list[0])}) // as the fault says
	if _, _, done := c.collect(5); done == nil || done.Vectors != 1 {
		t.Errorf("%+v", done)
	}
}

// Texts that batches park just when the client is back wait in several orders. They all leave the queue when the client
// goes again, and each text is answered once.
func TestParkedAtDifferentTimes(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, func(o *Options) { o.Limits.BatchTokens = 4 })
	c := r.dial(t, wire.Token{})
	list := []string{"first", "second", "third", "fourth", "fifth"}
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts(list...)})
	<-r.model.begun
	wait.Until(t, "the others wait", func() bool { return r.engine.queue.tokens() > 0 })
	r.sessions.mu.Lock()
	s := r.sessions.byToken[c.welcome.Token]
	r.sessions.mu.Unlock()
	s.mu.Lock()
	of := s.requests[1]
	s.mu.Unlock()
	var parking sync.WaitGroup
	for i := range list[:4] {
		parking.Go(func() { s.park(of, i) })
	}
	parking.Wait()
	c.ws.NetConn().Close()
	wait.Until(t, "none waits", func() bool { return r.engine.queue.tokens() == 0 })
	wait.Until(t, "only the order of the text that is encoded is kept", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(of.work.orders) == 1
	})
	c = r.dial(t, c.welcome.Token)
	c.send(&wire.Resume{ID: 1, Count: uint32(len(list)), Have: []byte{0}})
	close(gate)
	if vectors, _, done := c.collect(1); len(vectors) != len(list) || done == nil || done.Vectors != uint32(len(list)) {
		t.Errorf("%d vectors, %+v", len(vectors), done)
	}
}

// A request that arrives on a replaced connection is ignored, because the client
// resumes it or sends it again on the new connection.
func TestTakenOver(t *testing.T) {
	r := start(t, nil, nil)
	first := r.dial(t, wire.Token{})
	r.sessions.mu.Lock()
	s := r.sessions.byToken[first.welcome.Token]
	r.sessions.mu.Unlock()
	s.mu.Lock()
	old := s.conn
	s.mu.Unlock()
	second := r.dial(t, first.welcome.Token)
	s.encode(old, &wire.Encode{ID: 5, DType: wire.F32, Texts: texts("night")}) // the reader of the first connection has not noticed
	second.send(&wire.Resume{ID: 5, Count: 1, Have: []byte{0}})
	if f, ok := second.next().(*wire.Fault); !ok || f.Code != wire.CodeUnknownRequest {
		t.Errorf("%+v", f)
	}
	if n := r.model.times("night"); n != 0 {
		t.Errorf("encoded %d times", n)
	}
	wait.Until(t, "nothing is held", func() bool { return r.held() == 0 }) // the second connection's reader frees its buffer
}

// Waiting texts of a client that has gone are not encoded, and are forgotten after some
// time.
func TestVanishedClients(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, func(o *Options) { o.Limits.Resume = 50 * time.Millisecond })
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("first")})
	<-r.model.begun
	c.send(&wire.Encode{ID: 2, DType: wire.F32, Texts: texts("second")})
	wait.Until(t, "it waits", func() bool { return r.engine.queue.tokens() > 0 })
	ctx, cancel := context.WithCancel(context.Background())
	posted := make(chan error, 1)
	go func() {
		_, err := r.client().PostContext(ctx, `{"input":"third"}`)
		posted <- err
	}()
	wait.Until(t, "both wait", func() bool { return r.engine.queue.tokens() >= 6 })
	c.ws.NetConn().Close()
	cancel()
	<-posted
	wait.Until(t, "neither waits", func() bool { return r.engine.queue.tokens() == 0 })
	wait.Until(t, "the session is forgotten", func() bool { return r.held() == 0 })
	close(gate)
	c = r.dial(t, c.welcome.Token)
	if c.welcome.Resumed {
		t.Error("the session was kept")
	}
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("fourth")})
	c.collect(1)
	if r.model.times("second")+r.model.times("third") != 0 || r.model.times("fourth") != 1 {
		t.Errorf("encoded: %v", r.model.count)
	}
}

// A request that is cancelled while its texts are encoded gets no frame after the answer to a
// later PING, also when the model is done with them.
func TestCancelWhileEncoded(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, nil)
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("cancelled")})
	<-r.model.begun
	c.send(&wire.Cancel{ID: 1})
	c.send(&wire.Ping{})
	if f, ok := c.next().(*wire.Pong); !ok {
		t.Fatalf("%+v", f)
	}
	c.send(&wire.Encode{ID: 2, DType: wire.F32, Texts: texts("night")})
	close(gate)
	if v, ok := c.next().(*wire.Vector); !ok || v.ID != 2 {
		t.Errorf("%+v", v)
	}
	if done, ok := c.next().(*wire.Done); !ok || done.ID != 2 {
		t.Errorf("%+v", done)
	}
	if n := r.model.times("cancelled"); n != 1 {
		t.Errorf("the model computed the text %d times", n)
	}
}

// Requests are cancelled at random: the other requests are answered in full, nothing is left
// behind, and a cancelled request gets no frame after the answer to a later PING.
func TestCancelAtRandom(t *testing.T) {
	r := start(t, nil, nil)
	random := rand.New(rand.NewPCG(1, 2))
	c := r.dial(t, wire.Token{})
	cancelled, victims := map[uint32]bool{}, []uint32{}
	for id := range uint32(200) {
		c.send(&wire.Encode{ID: id, DType: wire.Int8, Texts: texts(fmt.Sprint("a ", id), fmt.Sprint("b ", id))})
		if random.IntN(2) == 0 {
			victim := random.Uint32N(id + 1)
			cancelled[victim] = true
			victims = append(victims, victim)
			c.send(&wire.Cancel{ID: victim})
			c.send(&wire.Ping{Nonce: [8]byte{byte(len(victims))}})
		}
	}
	// After a PONG, the requests that were cancelled before its PING are over.
	over := map[uint32]bool{}
	next := func() wire.Frame {
		f := c.next()
		switch f := f.(type) {
		case *wire.Pong:
			for _, victim := range victims[:f.Nonce[0]] {
				over[victim] = true
			}
		case *wire.Vector:
			if over[f.ID] {
				t.Errorf("a vector of the cancelled request %d", f.ID)
			}
		case *wire.Done:
			if over[f.ID] {
				t.Errorf("the end of the cancelled request %d", f.ID)
			}
		}
		return f
	}
	done := map[uint32]bool{}
	for missing := true; missing; {
		switch f := next().(type) {
		case *wire.Done:
			if done[f.ID] || f.Vectors != 2 {
				t.Errorf("%+v", f)
			}
			done[f.ID] = true
			c.send(&wire.Ack{ID: f.ID})
		case *wire.Vector, *wire.Pong:
		default:
			t.Fatalf("%+v", f)
		}
		missing = false
		for id := range uint32(200) {
			missing = missing || !done[id] && !cancelled[id]
		}
	}
	wait.Until(t, "nothing is left", func() bool { return r.held() == 0 && r.engine.queue.tokens() == 0 })
	c.send(&wire.Ping{Nonce: [8]byte{byte(len(victims)), 1}})
	for {
		if f, ok := next().(*wire.Pong); ok && f.Nonce[1] == 1 {
			break
		}
	}
}

// A text whose deadline has passed gets a fault.
func TestDeadline(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, nil)
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("first")})
	<-r.model.begun
	c.send(&wire.Encode{ID: 2, DType: wire.F32, Deadline: 1, Texts: texts("second")})
	wait.Until(t, "it waits", func() bool { return r.engine.queue.tokens() > 0 })
	time.Sleep(5 * time.Millisecond)
	close(gate)
	_, faults, done := c.collect(2)
	if faults[0] == nil || faults[0].Code != wire.CodeDeadline || done.Faults != 1 || r.model.times("second") != 0 {
		t.Errorf("%+v %+v", faults, done)
	}
}

// A stopping server says goodbye, answers accepted requests, and closes.
func TestDrain(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, nil)
	c, idle := r.dial(t, wire.Token{}), r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("one", "two")})
	<-r.model.begun
	closed := make(chan struct{})
	go func() {
		r.Server.Close(context.Background())
		close(closed)
	}()
	for _, c := range []*client{c, idle} {
		if _, ok := c.next().(*wire.Goodbye); !ok {
			t.Error("no goodbye")
		}
	}
	c.send(&wire.Encode{ID: 2, DType: wire.F32, Texts: texts("three")})
	if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeShuttingDown {
		t.Errorf("%+v", f)
	}
	if n := r.counted(t, "refused_total", "reason", "shutting_down"); n != 1 {
		t.Errorf("%v refusals are counted", n)
	}
	if answer, _ := r.post(t, `{"input":"four"}`); answer.StatusCode != 503 || answer.Header.Get("Retry-After") == "" {
		t.Errorf("%d %v", answer.StatusCode, answer.Header)
	}
	close(gate)
	if vectors, _, done := c.collect(1); len(vectors) != 2 || done == nil {
		t.Errorf("%v %v", vectors, done)
	}
	for _, c := range []*client{c, idle} {
		if _, err := c.read(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
			t.Errorf("%v", err)
		}
	}
	<-closed
}

// If a stopping server has no time for a text, it says so on the socket and over HTTP,
// both for running and for waiting texts.
func TestDrainEnds(t *testing.T) {
	r := start(t, make(chan struct{}), nil)
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("one", "two")})
	<-r.model.begun
	posted := make(chan *http.Response, 1)
	go func() {
		answer, _ := r.post(t, `{"input":["three","four"]}`)
		posted <- answer
	}()
	wait.Until(t, "it waits", func() bool { return r.engine.queue.tokens() > 0 })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	go r.Server.Close(ctx)
	if _, ok := c.next().(*wire.Goodbye); !ok {
		t.Error("no goodbye")
	}
	_, faults, done := c.collect(1)
	for i := range 2 {
		if f := faults[i]; f == nil || f.Code != wire.CodeShuttingDown || f.Retry == 0 {
			t.Errorf("text %d: %+v", i, f)
		}
	}
	if done.Faults != 2 {
		t.Errorf("%+v", done)
	}
	if answer := <-posted; answer.StatusCode != 503 || answer.Header.Get("Retry-After") == "" {
		t.Errorf("%d %v", answer.StatusCode, answer.Header)
	}
	if r.model.times("one") != 1 || r.model.times("three") != 0 {
		t.Errorf("encoded %d and %d times", r.model.times("one"), r.model.times("three"))
	}
}
