package server

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// heap is the number of bytes in use on the heap.
func heap() int64 {
	runtime.GC() // pools are emptied by the second run
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The counted memory of each thing that a server holds for clients is at least its
// actual memory, even if the thing is small. Otherwise many small things could take any
// amount of memory.
func TestCounts(t *testing.T) {
	warm := slices.Repeat([]string{"a"}, 2048) // the model's memory does not count for clients
	if _, err := realModel(t).Encode(t.Context(), warm, encoder.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name            string
		requests, texts int
		text            func(i int) string
		waits           bool // for the model, so that texts stay in the queue
		away            bool // the client is away
	}{
		{"single texts", 20_000, 1, func(int) string { return "a" }, false, false},
		{"single faults", 20_000, 1, func(int) string { return "\xff" }, false, false},
		{"many faults", 20, 2048, func(int) string { return "\xff" }, false, false},
		{"many texts", 20, 2048, func(int) string { return "a" }, false, false},
		{"single texts that wait", 20_000, 1, func(i int) string { return fmt.Sprint(i) }, true, false},
		{"many texts that wait", 20, 2048, func(i int) string { return fmt.Sprint(i) }, true, false},
		{"single texts of clients that are away", 20_000, 1, func(i int) string { return fmt.Sprint(i) }, true, true},
		{"many texts of clients that are away", 20, 2048, func(i int) string { return fmt.Sprint(i) }, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var gate chan struct{}
			if c.waits {
				gate = make(chan struct{})
				defer close(gate)
			}
			r := start(t, gate, func(o *Options) { o.Limits.PendingBytes = 512 << 20 })
			client := r.dial(t, wire.Token{})
			go func() {
				for { // nothing waits to be read
					if _, _, err := client.ws.NextReader(); err != nil {
						return
					}
				}
			}()
			list := make([][]byte, c.texts)
			before, counted := heap(), r.held()
			i := 0
			for id := range uint32(c.requests) {
				for k := range list {
					list[k] = []byte(c.text(i))
					i++
				}
				b := (&wire.Encode{ID: id, DType: wire.Int8, Dimensions: 1, Texts: list}).Append(nil)
				if err := client.ws.WriteMessage(websocket.BinaryMessage, b); err != nil {
					t.Fatal(err)
				}
			}
			r.sessions.mu.Lock()
			s := r.sessions.byToken[client.welcome.Token]
			r.sessions.mu.Unlock()
			wait.Until(t, "all requests have arrived", func() bool {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.conn.mu.Lock()
				defer s.conn.mu.Unlock()
				return len(s.requests) == c.requests && (c.waits || s.finished.Len() == c.requests) && s.conn.out.empty() && !s.conn.writing
			})
			if c.away {
				client.ws.Close()
				wait.Until(t, "the client is away", func() bool {
					r.sessions.mu.Lock()
					defer r.sessions.mu.Unlock()
					return r.sessions.away.Len() == 1
				})
			}
			const noise = 512 << 10 // room for what the test's model records
			var takes, counts int64
			for range 50 { // wait until nothing is running
				time.Sleep(50 * time.Millisecond)
				r.model.mu.Lock()
				r.model.calls = nil // the lists of texts, which are as long as the cache leaves them
				r.model.mu.Unlock()
				if takes, counts = heap()-before, r.held()-counted; takes <= counts+noise {
					break
				}
			}
			t.Logf("%d bytes per text, %d are counted", takes/int64(i), counts/int64(i))
			if takes > counts+noise {
				t.Errorf("%d bytes are used, %d are counted", takes, counts)
			}
			runtime.KeepAlive(list)
		})
	}
}

// The same holds for vectors in the cache.
func TestCacheCounts(t *testing.T) {
	for _, dim := range []int{1, 32, 384} {
		before := heap()
		c := newCache(1 << 30)
		for i := range 30_000 {
			e := encoder.Embedding{Vector: make([]float32, dim)}
			c.Put(keyOf(encoder.Query, fmt.Sprint(i)), e, costOf(e))
		}
		takes := heap() - before
		t.Logf("%d dimensions: %d bytes each, %d are counted", dim, takes/30_000, c.Bytes()/30_000)
		if takes > c.Bytes() {
			t.Errorf("%d dimensions: %d bytes are used, %d are counted", dim, takes, c.Bytes())
		}
		runtime.KeepAlive(c)
	}
}

// Headers count with at least the memory that they take, if there are many short ones, too.
func TestHeadersCost(t *testing.T) {
	for _, form := range []string{"%x:\r\n", "%x: v\r\n", "name-%x: value\r\n"} {
		text := []byte("POST / HTTP/1.1\r\nHost: localhost\r\n")
		for n := 0; len(text) < 64_000; n++ {
			text = fmt.Appendf(text, form, n)
		}
		text = append(text, "\r\n"...)
		var all [20]*http.Request
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range all {
			var err error
			if all[i], err = http.ReadRequest(bufio.NewReader(bytes.NewReader(text))); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		took, counted := int64(after.HeapAlloc-before.HeapAlloc)/int64(len(all)), requestCost(all[0])
		if took > counted || counted > 4*took {
			t.Errorf("%q: %d bytes, counted as %d", form, took, counted)
		}
		runtime.KeepAlive(all)
	}
}
