package server

import (
	"container/list"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
)

// connections counts the connections that a listener has accepted. An open connection
// takes a descriptor and counts against the limit of its address. If there is no room
// for a new connection, the one that has been idle longest is closed. A connection is
// idle if it has sent no request since it was opened, or since its last request was
// answered.
type connections struct {
	perAddress int
	exempt     func(netip.Addr) bool // addresses that perAddress does not limit
	gone       func()                // called for each connection that was refused or replaced

	// hold and free count the memory of headers that are being read; nil: nothing counts it. free may be called
	// with mu held, hold may not.
	hold func(addr netip.Addr, bytes int64) bool
	free func(addr netip.Addr, bytes int64)

	mu        sync.Mutex
	common    descriptors // for requests and files
	spare     descriptors // for connections without room, which may only ask whether the server is ready
	addresses map[netip.Addr]*addressed
}

// descriptors is a share of the process's descriptors.
type descriptors struct {
	limit, taken int
	waiting      list.List // elements are *connection, the longest idle first
}

// addressed has the connections of one address.
type addressed struct {
	open    int
	waiting list.List // elements are *connection, the longest idle first
}

// connection is a counted connection.
type connection struct {
	*net.TCPConn
	all  *connections
	addr netip.Addr // zero if not counted by address
	from *descriptors
	open bool

	waits, waitsThere *list.Element // elements of the idle lists, of all and of its address; nil if busy
	idle              atomic.Bool   // whether waits is not nil
	read, held        int64         // while it is idle: bytes that were read, and memory that is counted for them
}

// Memory of headers while they are read. A request is counted as a whole once it has been read.
const (
	readFactor = 16      // per byte: short headers take most, each with an entry in a map and strings of its own
	readFree   = 4 << 10 // bytes that are not counted: few requests have longer headers
)

// Read implements net.Conn. It closes the connection if there is no memory for the headers.
func (c *connection) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	if n > 0 && c.idle.Load() && !c.all.reads(c, int64(n)) {
		c.all.gone()
		return 0, errors.Join(errFull, c.Close())
	}
	return n, err
}

func newConnections(perAddress, common, spare int, exempt func(netip.Addr) bool, gone func()) *connections {
	return &connections{perAddress: perAddress, exempt: exempt, gone: gone,
		common: descriptors{limit: common}, spare: descriptors{limit: spare}, addresses: map[netip.Addr]*addressed{}}
}

// listener is a net.Listener that counts its connections.
type listener struct {
	*net.TCPListener
	all *connections
}

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	for {
		tcp, err := l.AcceptTCP()
		if err != nil {
			return nil, err
		}
		c := &connection{TCPConn: tcp, all: l.all}
		if peer := parseAddress(tcp.RemoteAddr().String()); !l.all.exempt(peer) {
			c.addr = network(peer)
		}
		if l.all.admit(c) {
			return c, nil
		}
		l.all.gone()
		tcp.Close()
	}
}

// Close implements net.Conn.
func (c *connection) Close() error {
	err := c.TCPConn.Close()
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.all.forget(c)
	return err
}

// admit makes room for a connection if possible.
func (a *connections) admit(c *connection) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	var there *addressed
	if c.addr.IsValid() {
		there = a.addresses[c.addr]
		if there == nil {
			there = &addressed{}
		}
		if there.open >= a.perAddress && !a.drop(&there.waiting) {
			return false
		}
	}
	if c.from = &a.common; !a.take(c.from, 1) {
		if c.from = &a.spare; !a.take(c.from, 1) {
			return false
		}
	}
	if there != nil {
		a.addresses[c.addr] = there
		there.open++
	}
	c.open = true
	a.wait(c)
	return true
}

// take takes descriptors, if there are enough or idle connections can be closed for
// them.
func (a *connections) take(from *descriptors, n int) bool {
	for from.taken+n > from.limit {
		if !a.drop(&from.waiting) {
			return false
		}
	}
	from.taken += n
	return true
}

// drop closes the connection that has been idle longest.
func (a *connections) drop(waiting *list.List) bool {
	longest := waiting.Front()
	if longest == nil {
		return false
	}
	c := longest.Value.(*connection)
	a.forget(c)
	c.TCPConn.Close()
	a.gone()
	return true
}

// wait marks a connection as idle; a.mu is held.
func (a *connections) wait(c *connection) {
	if !c.open || c.waits != nil {
		return
	}
	c.read = 0
	c.idle.Store(true)
	c.waits = c.from.waiting.PushBack(c)
	if there := a.addresses[c.addr]; there != nil {
		c.waitsThere = there.waiting.PushBack(c)
	}
}

// unwait marks a connection as busy; a.mu is held.
func (a *connections) unwait(c *connection) {
	if c.waits == nil {
		return
	}
	c.from.waiting.Remove(c.waits)
	if there := a.addresses[c.addr]; there != nil {
		there.waiting.Remove(c.waitsThere)
	}
	c.waits, c.waitsThere = nil, nil
	c.idle.Store(false)
	if c.held > 0 {
		a.free(c.addr, c.held)
		c.held = 0
	}
}

// reads counts n bytes that were read from an idle connection. It reports whether there is memory for them.
func (a *connections) reads(c *connection, n int64) bool {
	a.mu.Lock()
	c.read += n
	more := readFactor * min(n, c.read-readFree)
	a.mu.Unlock()
	if more <= 0 || a.hold == nil {
		return true
	}
	if !a.hold(c.addr, more) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.waits == nil { // it was closed meanwhile
		a.free(c.addr, more)
	} else {
		c.held += more
	}
	return true
}

// forget stops counting a connection; a.mu is held.
func (a *connections) forget(c *connection) {
	if !c.open {
		return
	}
	a.unwait(c)
	c.open = false
	c.from.taken--
	if there := a.addresses[c.addr]; there != nil {
		if there.open--; there.open == 0 {
			delete(a.addresses, c.addr)
		}
	}
}

// begin records that a request has begun. If room is false, the request may only ask
// whether the server is ready.
func (a *connections) begin(c *connection) (room bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unwait(c)
	if c.open && c.from == &a.spare && a.take(&a.common, 1) {
		a.spare.taken--
		c.from = &a.common
	}
	return c.from == &a.common
}

// borrow takes descriptors for other purposes than connections, until they are given
// back.
func (a *connections) borrow(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.take(&a.common, n)
}

func (a *connections) giveBack(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.common.taken -= n
}

// changed is http.Server's ConnState.
func (a *connections) changed(c net.Conn, state http.ConnState) {
	if mine := connectionOf(c); mine != nil && state == http.StateIdle {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.wait(mine)
	}
}

// connectionOf returns the connection below TLS.
func connectionOf(c net.Conn) *connection {
	if secure, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = secure.NetConn()
	}
	mine, _ := c.(*connection)
	return mine
}
