package server

import (
	"crypto/x509"
	"net/netip"
	"strings"
)

// Hosts are the names under which a server answers. With DNS rebinding, a page of
// another site makes its own name point to this server and would otherwise pass for a
// page of the server. IP addresses and localhost cannot be rebound and are always
// allowed.
type Hosts struct {
	Names       []string                 // "*.example.org" means any name with one more label
	Certificate func() *x509.Certificate // the current certificate, for its names; nil if there is none
}

// has reports whether a request's Host, with or without a port, is one of the names.
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
	// Names are compared as in certificates: case and a final full stop do not matter,
	// and a wildcard matches one label.
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
