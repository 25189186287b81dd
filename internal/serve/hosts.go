package serve

import (
	"crypto/x509"
	"fmt"
	"log"
	"net"
	"net/netip"
	"regexp"

	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// hostName matches what --host takes. Browsers send names of other alphabets as
// "xn--…".
var hostName = regexp.MustCompile(`^(\*\.)?[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_][A-Za-z0-9_-]*)*$`)

// checkHosts checks the names of --host.
func checkHosts(names []string) error {
	for _, name := range names {
		if !hostName.MatchString(name) {
			return fault.Errorf(fault.Query, "--host %q: give a name without scheme and port, such as search.example.org, or *.example.org for all names with one more label (xn--… in other alphabets)", name)
		}
	}
	return nil
}

// front returns the checks that run before the handlers. encode is nil without a model.
func (o *Options) front(encode *server.Server, pair *certificate, faults *log.Logger) (*server.Front, error) {
	files := descriptors()
	if files < server.MinDescriptors {
		return nil, fmt.Errorf("%d open files are allowed, a server takes at least %d: allow more with ulimit -n (LimitNOFILE= of systemd)", files, server.MinDescriptors)
	}
	hosts := server.Hosts{Names: o.Hosts}
	if host, _, err := net.SplitHostPort(o.Listen); err == nil && hostName.MatchString(host) {
		hosts.Names = append(hosts.Names, host) // the address that is printed must work
	}
	if pair != nil {
		hosts.Certificate = pair.leaf
	}
	return server.NewFront(server.FrontOptions{Hosts: hosts, Proxies: o.Encoding.trusted(), SocketsPerAddress: o.Encoding.Limits.SocketsPerAddress,
		Descriptors: files, Server: encode, Faults: faults}), nil
}

// trusted returns the networks of --trusted-proxy.
func (e *Encoding) trusted() (networks []netip.Prefix) {
	for _, network := range e.Proxies {
		networks = append(networks, netip.MustParsePrefix(network))
	}
	return networks
}

// leaf returns the certificate itself, which has the server's names.
func (c *certificate) leaf() *x509.Certificate {
	pair, _ := c.get(nil) // never fails
	return pair.Leaf
}
