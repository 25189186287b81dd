package serve

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// certificate is a pair of files that may be renewed while the server runs.
type certificate struct {
	cert, key string
	console   *console.Console

	mu      sync.Mutex
	pair    *tls.Certificate
	stamps  [2]stamp // of the files that pair was read from
	checked time.Time
	failure string // that was reported last
}

// stamp identifies a version of a file.
type stamp struct {
	modified time.Time
	size     int64
}

// openCertificate reads the files.
func openCertificate(cert, key string, c *console.Console) (*certificate, error) {
	pair := &certificate{cert: cert, key: key, console: c}
	if err := pair.load(); err != nil {
		return nil, fault.As(fault.Input, pair.located(err))
	}
	return pair, nil
}

// located says which of the files an error is about: both if it does not name one.
func (c *certificate) located(err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", file.Path, file.Err)
	}
	return fmt.Errorf("%s and %s: %w", c.cert, c.key, err)
}

// load reads the files if they have changed.
func (c *certificate) load() error {
	var stamps [2]stamp
	for i, file := range []string{c.cert, c.key} {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		stamps[i] = stamp{info.ModTime(), info.Size()}
	}
	if c.pair != nil && stamps == c.stamps {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.pair, c.stamps = &pair, stamps
	return nil
}

// get is tls.Config's GetCertificate. It looks at the files again at most once a second,
// and keeps the old pair if they cannot be used: while two files are being renewed, only
// one may be new.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.checked) >= time.Second {
		c.checked = now
		text := ""
		if err := c.load(); err != nil {
			if text = err.Error(); text != c.failure {
				c.console.Warnf("%v: the certificate from before is kept", c.located(err))
			}
		}
		c.failure = text
	}
	return c.pair, nil
}
