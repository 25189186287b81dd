package server

import (
	"crypto/x509"
	"net/netip"
	"strings"
)

// Hosts are the names under which a server is asked. A page of another site whose name
// is made to lead here (DNS rebinding) is asked for under that name, and would else
// pass for a page of this server. IP addresses and localhost cannot be made so, and
// are always among them.
type Hosts struct {
	Names       []string                 // "*.example.org" is each name of one label more
	Certificate func() *x509.Certificate // that the server has now, for its names; nil: none
}

// has reports whether a request's Host, with or without a port, is one of them.
func (h *Hosts) has(host string) bool {
	if inside, is := strings.CutPrefix(host, "["); is {
		address, port, closed := strings.Cut(inside, "]")
		addr, err := netip.ParseAddr(address)
		return closed && err == nil && addr.Is6() && (port == "" || port[0] == ':' && isPort(port[1:]))
	}
	name, port, _ := strings.Cut(host, ":")
	if !isPort(port) {
		return false
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	if lower := strings.ToLower(strings.TrimSuffix(name, ".")); lower == "localhost" || strings.HasSuffix(lower, ".localhost") {
		return true
	}
	// Names are compared as those of certificates are: without case, a full stop at the
	// end or not, a wildcard for one label.
	given := x509.Certificate{DNSNames: h.Names}
	if given.VerifyHostname(name) == nil {
		return true
	}
	if h.Certificate == nil {
		return false
	}
	certificate := h.Certificate()
	return certificate != nil && certificate.VerifyHostname(name) == nil
}

func isPort(s string) bool { return strings.Trim(s, "0123456789") == "" }
