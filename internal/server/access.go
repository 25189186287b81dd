package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// access decides which clients may send requests, and how many.
type access struct {
	keys    [][sha256.Size]byte
	origins map[string]bool
	proxies []netip.Prefix
	limits  Limits

	mu       sync.Mutex
	clients  map[netip.Addr]*visitor
	sockets  int
	lastTidy time.Time
	most     int // number of known addresses at which forget runs
}

// visitor is what the server knows about an address.
type visitor struct {
	bucket  *rate.Limiter
	sockets int
	held    int64 // bytes of memory for what its sockets and requests have sent
}

func newAccess(o *Options) *access {
	a := &access{origins: map[string]bool{}, proxies: o.Proxies, limits: o.Limits, clients: map[netip.Addr]*visitor{}}
	for _, key := range o.Keys {
		a.keys = append(a.keys, sha256.Sum256([]byte(key)))
	}
	for _, origin := range o.Origins {
		a.origins[strings.ToLower(origin)] = true
	}
	return a
}

// key finds the number of the request's key, in constant time. Without keys every
// request is ok.
func (a *access) key(r *http.Request) (number int, ok bool) {
	if len(a.keys) == 0 {
		return 0, true
	}
	scheme, given, found := strings.Cut(r.Header.Get("Authorization"), " ")
	given, found = strings.TrimLeft(given, " "), found && strings.EqualFold(scheme, "Bearer")
	if !found {
		for _, list := range r.Header.Values("Sec-WebSocket-Protocol") {
			for name := range strings.SplitSeq(list, ",") {
				if encoded, is := strings.CutPrefix(strings.TrimSpace(name), wire.KeyProtocol); is {
					b, err := base64.RawURLEncoding.DecodeString(encoded)
					given, found = string(b), err == nil
				}
			}
		}
	}
	sum := sha256.Sum256([]byte(given))
	for i, key := range a.keys {
		same := subtle.ConstantTimeCompare(sum[:], key[:])
		number = subtle.ConstantTimeSelect(same, i+1, number)
	}
	return number, found && number > 0
}

// origin reports whether the request's origin is allowed: this server, or a listed
// origin. Requests of programs have no origin and are allowed.
func (a *access) origin(r *http.Request) (origin string, ok bool) {
	origin = r.Header.Get("Origin")
	if origin == "" {
		return "", true
	}
	u, err := url.Parse(origin)
	secure := r.TLS != nil // behind a proxy that ends TLS, either scheme may be this server's
	if err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host) && (u.Scheme == "https" || u.Scheme == "http" && !secure) {
		return origin, true
	}
	return origin, a.origins[strings.ToLower(origin)]
}

// address is the client's address, for IPv6 its network of 64 bits, which belongs to one
// customer. It is the peer's address or, if the peer is a trusted proxy, the last
// address in X-Forwarded-For that is not one. Anybody may have written the addresses
// before it.
func (a *access) address(r *http.Request) netip.Addr {
	addr := parseAddress(r.RemoteAddr)
	for _, hops := range slices.Backward(r.Header.Values("X-Forwarded-For")) {
		for at := len(hops); at >= 0 && a.trusts(addr); { // from the last; there may be thousands
			hops = hops[:at]
			at = strings.LastIndexByte(hops, ',')
			before := parseAddress(strings.TrimSpace(hops[at+1:]))
			if !before.IsValid() {
				return network(addr)
			}
			addr = before
		}
	}
	return network(addr)
}

// network is the part of an address that counts as one client: for IPv6 the 64 bits
// that belong to one customer.
func network(addr netip.Addr) netip.Addr {
	if addr.Is6() {
		if prefix, err := addr.Prefix(64); err == nil {
			return prefix.Addr()
		}
	}
	return addr
}

func (a *access) trusts(addr netip.Addr) bool { return within(a.proxies, addr) }

func within(networks []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// parseAddress reads an address with or without a port.
func parseAddress(text string) netip.Addr {
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		withPort, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}
		}
		addr = withPort.Addr()
	}
	return addr.Unmap().WithZone("")
}

// visitor returns the entry of an address; a.mu is held.
func (a *access) visitor(addr netip.Addr) *visitor {
	now := time.Now()
	if now.Sub(a.lastTidy) > time.Minute || len(a.clients) >= max(leastTidy, a.most) {
		a.forget(now)
	}
	v := a.clients[addr]
	if v == nil {
		v = &visitor{bucket: rate.NewLimiter(rate.Limit(a.limits.Rate), max(1, int(2*a.limits.Rate)))}
		a.clients[addr] = v
	}
	return v
}

// leastTidy is how many addresses may always be remembered.
const leastTidy = 10_000

// forget removes addresses that need not be remembered, because they hold nothing and have as
// many requests left as a new one; a.mu is held. A map never shrinks, so the remaining
// addresses move to a new one.
func (a *access) forget(now time.Time) {
	left := map[netip.Addr]*visitor{}
	for addr, v := range a.clients {
		if v.sockets > 0 || v.held > 0 || v.bucket.TokensAt(now) < float64(v.bucket.Burst()) {
			left[addr] = v
		}
	}
	a.clients, a.lastTidy, a.most = left, now, 2*len(left)
}

// admit counts a request of an address. If there are too many, it returns the time
// until the next may come.
func (a *access) admit(addr netip.Addr) (retry time.Duration, ok bool) {
	if a.limits.Rate <= 0 {
		return 0, true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	reservation := a.visitor(addr).bucket.Reserve()
	if wait := reservation.Delay(); wait > 0 {
		reservation.Cancel()
		return max(wait, time.Millisecond), false
	}
	return 0, true
}

// hold counts bytes of a connected address, which may hold half of the limit for all. A
// negative number gives bytes back.
func (a *access) hold(addr netip.Addr, n int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.visitor(addr)
	if n > 0 && v.held+n > a.mostHeld() {
		return false
	}
	v.held += n
	return true
}

// mostHeld is the greatest number of bytes that an address may hold.
func (a *access) mostHeld() int64 { return int64(a.limits.SessionBytes / 2) }

// connect counts a socket of an address, until disconnect is called.
func (a *access) connect(addr netip.Addr) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.visitor(addr)
	if a.sockets >= a.limits.Sockets || v.sockets >= a.limits.SocketsPerAddress {
		return false
	}
	a.sockets++
	v.sockets++
	return true
}

func (a *access) disconnect(addr netip.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sockets--
	a.visitor(addr).sockets--
}
