package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// hoard is a way in which clients make a server hold as much memory as possible.
type hoard struct {
	name string
	use  func(h *hoarder) error
}

// hoards lists all such ways.
var hoards = []hoard{
	{"bad texts: each is answered by an error, none is acknowledged", func(h *hoarder) error { return h.ask(2048, "\xff", true) }},
	{"single texts that are not acknowledged", func(h *hoarder) error { return h.ask(1, "a", true) }},
	{"short texts that are not acknowledged", func(h *hoarder) error { return h.ask(2048, "a", true) }},
	{"answers that are not read", func(h *hoarder) error { return h.ask(2048, "a", false) }},
	{"connections that are lost, and never come back", (*hoarder).vanish},
	{"texts that wait to be encoded", (*hoarder).wait},
	{"messages that do not end", (*hoarder).dangle},
	{"HTTP requests whose answers are not read", (*hoarder).post},
}

// hoarder is a client with one connection at a time.
type hoarder struct {
	address string // of the server
	number  int
	end     time.Time
	asked   *atomic.Int64 // requests of all hoarders
	conn    net.Conn
	out     *bufio.Writer
}

// runHoard runs this many hoarders of one kind for a while, and returns the number of
// their requests. A hoarder that the server disconnects comes back.
func runHoard(address string, each hoard, sockets int, length time.Duration) int64 {
	var all sync.WaitGroup
	var asked atomic.Int64
	end := time.Now().Add(length)
	for number := range sockets {
		all.Go(func() {
			for time.Now().Before(end) {
				h := &hoarder{address: address, number: number, end: end, asked: &asked}
				if h.dial() == nil {
					each.use(h) // fails when the server disconnects the hoarder, which is expected
					h.conn.Close()
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	all.Wait()
	return asked.Load()
}

// dial opens the connection; its reads and writes end with the hoarder's time.
func (h *hoarder) dial() (err error) {
	if h.conn, err = net.DialTimeout("tcp", h.address, 5*time.Second); err != nil {
		return err
	}
	h.conn.SetDeadline(h.end)
	h.out = bufio.NewWriterSize(h.conn, 64<<10)
	return nil
}

// shake upgrades the connection to a WebSocket and sends HELLO; it reads answers only
// if read is set.
func (h *hoarder) shake(read bool) error {
	if _, err := fmt.Fprintf(h.conn, "GET /v1/stream HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", h.address, wire.Protocol); err != nil {
		return err
	}
	in := bufio.NewReader(h.conn)
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Errorf("the server answers %s", answer.Status)
	}
	if read {
		go io.Copy(io.Discard, in)
	}
	return h.send(&wire.Hello{})
}

// send sends a frame as a message.
func (h *hoarder) send(f wire.Frame) error {
	if err := h.message(f.Append(nil)); err != nil {
		return err
	}
	return h.out.Flush()
}

// message writes a binary message, masked with zeros.
func (h *hoarder) message(b []byte) error {
	h.out.Write([]byte{0x82, 0x80 | 127})
	h.out.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
	h.out.Write(make([]byte, 4))
	_, err := h.out.Write(b)
	return err
}

// ask sends n tiny texts at a time, and acknowledges no answer.
func (h *hoarder) ask(n int, text string, read bool) error {
	if err := h.shake(read); err != nil {
		return err
	}
	request := (&wire.Encode{DType: wire.Int8, Dimensions: 1, Texts: many(n, text)}).Append(nil)
	for id := uint32(1); time.Now().Before(h.end); id++ {
		binary.LittleEndian.PutUint32(request[4:], id)
		if err := h.message(request); err != nil {
			return err
		}
		h.asked.Add(1)
	}
	return h.out.Flush()
}

func many(n int, text string) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i] = []byte(text)
	}
	return list
}

// vanish leaves a session with an unread answer behind.
func (h *hoarder) vanish() error {
	if err := h.shake(false); err != nil {
		return err
	}
	if err := h.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: many(2048, "a")}); err != nil {
		return err
	}
	h.asked.Add(1)
	_, err := io.ReadFull(h.conn, make([]byte, 1000))
	return err
}

// wait sends texts that are not in the cache.
func (h *hoarder) wait() error {
	if err := h.shake(true); err != nil {
		return err
	}
	for id := uint32(1); time.Now().Before(h.end); id++ {
		list := make([][]byte, 256)
		for i := range list {
			list[i] = fmt.Appendf(nil, "%d %d %d %s", h.number, h.asked.Load(), i, strings.Repeat("night ", 1000))
		}
		if err := h.send(&wire.Encode{ID: id, DType: wire.F32, Texts: list}); err != nil {
			return err
		}
		h.asked.Add(1)
	}
	return nil
}

// dangle sends a message without its end.
func (h *hoarder) dangle() error {
	if err := h.shake(true); err != nil {
		return err
	}
	long := (&wire.Encode{ID: 1, DType: wire.F32, Texts: many(1, strings.Repeat("a", 4<<20-100))}).Append(nil)
	h.out.Write([]byte{0x82, 0x80 | 127})
	h.out.Write(binary.BigEndian.AppendUint64(nil, uint64(len(long))))
	h.out.Write(make([]byte, 4))
	h.out.Write(long[:len(long)-1])
	h.asked.Add(1)
	if err := h.out.Flush(); err != nil {
		return err
	}
	time.Sleep(time.Until(h.end))
	return nil
}

// post requests more over HTTP than the connection can hold, and reads nothing.
func (h *hoarder) post() error {
	body := `{"input": ["` + strings.Repeat(`a", "`, 2047) + `a"]}`
	for time.Now().Before(h.end) {
		fmt.Fprintf(h.out, "POST /v1/embeddings HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", h.address, len(body), body)
		if err := h.out.Flush(); err != nil {
			return err
		}
		h.asked.Add(1)
	}
	return nil
}
