package main

import (
	"bytes"
	"net"
	"sync"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// line is a slow line between a server and a browser: what the server sends shares one
// rate among all connections, and everything takes half a round trip in each direction.
// It lies below HTTP, so that workers and service workers are slowed down, too, and
// every byte to the browser is counted. It has no losses and no slow start.
type line struct {
	rate      float64 // bytes a second towards the browser
	roundTrip time.Duration

	mu       sync.Mutex
	open     bool      // nothing is slowed down
	free     time.Time // when the last packet that was accepted has left
	packets  []packet
	requests []request
}

// request is what the browser asked for, and when the server heard it.
type request struct {
	at   time.Time
	path string
}

// packet is a number of bytes, and when they reach the browser.
type packet struct {
	at    time.Time
	bytes int
}

// packetBytes is what a packet on Ethernet carries.
const packetBytes = 1460

// setOpen stops or begins to slow down what is sent from now on.
func (l *line) setOpen(open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = open
}

// send accepts a packet and returns when it has left the server and when it arrives.
func (l *line) send(bytes int) (left, arrives time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	left, arrives = now, now
	if !l.open {
		if l.free.After(left) {
			left = l.free
		}
		left = left.Add(time.Duration(float64(bytes) / l.rate * float64(time.Second)))
		l.free = left
		arrives = left.Add(l.roundTrip / 2)
	}
	l.packets = append(l.packets, packet{arrives, bytes})
	return left, arrives
}

// asked notes a request.
func (l *line) asked(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, request{time.Now(), path})
}

// until counts the bytes that had arrived at a time, and lists the requests that had been made.
func (l *line) until(at time.Time) (bytes int, requests []request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.packets {
		if !p.at.After(at) {
			bytes += p.bytes
		}
	}
	for _, asked := range l.requests {
		if !asked.at.After(at) {
			requests = append(requests, asked)
		}
	}
	return bytes, requests
}

// delay is how long what the browser sends is on its way.
func (l *line) delay() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open {
		return 0
	}
	return l.roundTrip / 2
}

// listen puts the line before a server, and returns the listener for browsers.
func (l *line) listen(server string) (net.Listener, error) {
	listener, err := harness.Listen()
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			browser, err := listener.Accept()
			if err != nil {
				return
			}
			go l.carry(browser, server)
		}
	}()
	return listener, nil
}

// arrival is data that the other end gets at a time.
type arrival struct {
	at   time.Time
	data []byte
}

// carry connects a browser with the server until one of them hangs up.
func (l *line) carry(browser net.Conn, server string) {
	conn, err := net.Dial("tcp", server)
	if err != nil {
		browser.Close()
		return
	}
	up, down := make(chan arrival, 64), make(chan arrival, 64)
	go deliver(conn, up)
	go deliver(browser, down)
	go func() {
		defer close(up)
		connecting := 2 * l.delay() // the browser may send only after a round trip
		data := make([]byte, packetBytes)
		for {
			n, err := browser.Read(data)
			if n > 0 {
				up <- arrival{time.Now().Add(connecting + l.delay()), bytes.Clone(data[:n])}
				connecting = 0
			}
			if err != nil {
				return
			}
		}
	}()
	defer close(down)
	data := make([]byte, packetBytes)
	for {
		n, err := conn.Read(data)
		if n > 0 {
			left, arrives := l.send(n)
			down <- arrival{arrives, bytes.Clone(data[:n])}
			time.Sleep(time.Until(left)) // so that connections take turns
		}
		if err != nil {
			return
		}
	}
}

// deliver writes what arrives, and then hangs up.
func deliver(to net.Conn, arrivals <-chan arrival) {
	for a := range arrivals {
		time.Sleep(time.Until(a.at))
		if _, err := to.Write(a.data); err != nil {
			break
		}
	}
	to.Close()
	for range arrivals { // lets the sender go on to its end
	}
}
