package server

import (
	"crypto/x509"
	"testing"
)

// A server answers to IP addresses, to localhost, to given names and to the names in
// its certificate, and to no other name.
func TestHosts(t *testing.T) {
	renewed := &x509.Certificate{DNSNames: []string{"certified.example", "*.wild.example"}}
	h := Hosts{Names: []string{"Search.example.org", "*.any.example", "container_1"}, Certificate: func() *x509.Certificate { return renewed }}
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:8080": true, "203.0.113.9": true, "[::1]": true, "[::1]:8080": true, "[2001:db8::1]": true, "[::ffff:127.0.0.1]:80": true,
		"localhost": true, "LocalHost:8080": true, "localhost.": true, "site.localhost": true, "a.b.localhost:1": true,
		"search.example.org": true, "SEARCH.EXAMPLE.ORG:443": true, "search.example.org.": true, "search.example.org.:443": true, "search.example.org:": true,
		"a.any.example": true, "container_1": true, "certified.example": true, "x.wild.example:8443": true,
		"": false, ":8080": false, ".": false, "example.org": false, "evil.example": false, "search.example.org.evil.example": false,
		"xsearch.example.org": false, "any.example": false, "a.b.any.example": false, ".any.example": false, "wild.example": false, "a.b.wild.example": false,
		"2130706433": false, "0x7f.1": false, "0x7f000001": false, "127.1": false, "127.0.0.1.": false, "127.0.0.01": false, "017700000001": false,
		"127.0.0.1.evil.example": false, "localhost.evil.example": false, "evillocalhost": false, "localhost..": false,
		"::1": false, "[127.0.0.1]": false, "[::1": false, "[::1]evil": false, "[::1]:evil": false, "[localhost]": false, "[]": false, "[": false,
		"localhost:evil": false, "evil@localhost": false, "localhost:80@evil.example": false, "localhost,evil.example": false,
	} {
		if got := h.has(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	renewed = &x509.Certificate{DNSNames: []string{"new.example"}}
	if h.has("certified.example") || !h.has("new.example") {
		t.Error("the names of the previous certificate are used, not those of the current one")
	}
	if none := (&Hosts{}); none.has("search.example.org") || !none.has("127.0.0.1") {
		t.Error("without names")
	}
}
