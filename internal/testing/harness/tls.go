package harness

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"io"
	"log"
	"math/big"
	"net/http"
	"time"
)

// SecureServer is an HTTPS server on loopback for hosts of any name, with a certificate that
// nobody else trusts.
type SecureServer struct {
	Server
	// Trust is the flag with which Launch lets a browser trust the certificate.
	Trust string
}

// ServeTLS starts a server with the handler, and a certificate for the hosts.
func ServeTLS(handler http.Handler, hosts ...string) (*SecureServer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: LocalName}, DNSNames: hosts,
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	listener, err := Listen()
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(public)
	s := &SecureServer{
		Server: Server{listener, &http.Server{
			Handler:   handler,
			TLSConfig: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}},
			ErrorLog:  log.New(io.Discard, "", 0), // browsers give up handshakes
		}},
		Trust: "ignore-certificate-errors-spki-list=" + base64.StdEncoding.EncodeToString(hash[:]),
	}
	go s.http.ServeTLS(listener, "", "")
	return s, nil
}

// Address is the server's host:port on loopback.
func (s *Server) Address() string { return s.listener.Addr().String() }
