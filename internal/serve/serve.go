// Package serve serves sites and collections to browsers, and encodes queries for
// them.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/site"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/static"
)

// Options of Run.
type Options struct {
	Dir      string // site or collection; "": none
	Listen   string // address and port
	CORS     bool   // pages of other origins may read the files
	Hosts    []string
	Encoding Encoding
	Version  string // of the program, for traces
	Console  *console.Console
}

// Time limits of the server.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 15 * time.Minute // a vector file over a slow line
	idleTimeout   = 2 * time.Minute
	drainTime     = 20 * time.Second // for accepted requests to be finished when the server is told to stop
	shutdownTime  = 5 * time.Second  // for answers to be sent after that, at least
	// Closing is how long a server may take to end when it is told to.
	Closing = drainTime + shutdownTime + 5*time.Second
)

// Check refuses wrong options.
func (o *Options) Check() error {
	if o.Dir == "" && o.Encoding.Model == "" {
		return fault.Errorf(fault.Query, "DIR is missing: name a site or a collection, or a model with --model")
	}
	if _, port, err := net.SplitHostPort(o.Listen); err != nil || port == "" {
		return fault.Errorf(fault.Query, "--listen %q: give an address and a port, such as 127.0.0.1:8080 (port 0: any free one)", o.Listen)
	}
	if err := checkHosts(o.Hosts); err != nil {
		return err
	}
	return o.Encoding.check()
}

// Run serves until the context ends. It calls started with what is served and its
// address.
func (o *Options) Run(ctx context.Context, started func(what, address string) error) error {
	if o.Encoding.Log == "json" {
		o.Console = o.Console.JSON()
	}
	var encode *server.Server
	var served *encoder.Info
	faults := log.New(escaping{o.Console}, "vantage: ", 0)
	var at *folder
	if o.Dir != "" {
		if err := file.CheckFolder(o.Dir, "make a site with: vantage index CORPUS -o DIR --site"); err != nil {
			return err
		}
		var err error
		if at, err = openFolder(o.Dir); err != nil {
			return err
		}
		defer at.Close()
	}
	if o.Encoding.Model != "" {
		var collection *vantage.Description
		if at != nil {
			collection, _, _ = describe(ctx, at.root.FS(), ".") // its errors are reported when its files are opened
		}
		var done func() error
		var err error
		if encode, served, done, err = o.Encoding.start(ctx, collection, o.Version, o.Console); err != nil {
			return err
		}
		defer done()
		defer drain(ctx, encode) // it uses the model, even if it was never asked
	}
	if o.Encoding.Log == "json" || o.Encoding.Log == "text" && o.Encoding.Model != "" { // without a model there is no log of requests
		faults = slog.NewLogLogger(o.Encoding.logs(o.Console), slog.LevelWarn)
	}
	var pair *certificate
	var secure *tls.Config
	if o.Encoding.Certificate != "" {
		var err error
		if pair, err = openCertificate(o.Encoding.Certificate, o.Encoding.PrivateKey, o.Console); err != nil {
			return err
		}
		secure = &tls.Config{GetCertificate: pair.get, MinVersion: tls.VersionTLS12}
	}
	front, err := o.front(encode, pair, faults)
	if err != nil {
		return err
	}
	var handle http.Handler = http.NotFoundHandler()
	if at != nil {
		at.view = func(top fs.FS) (fs.FS, error) { return o.files(ctx, top, served) }
		if _, err := at.now(); err != nil {
			return err
		}
		at.warn = func(err error) {
			o.Console.Warnf("%s cannot be served, and requests get 503 until it can: %v", o.Dir, err)
		}
		handle = front.Files(&handler{files: at, cors: o.CORS})
	}
	if encode != nil {
		mux := http.NewServeMux()
		mux.Handle("/", handle)
		for _, route := range encode.Routes() {
			mux.Handle(route, encode)
		}
		handle = mux
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", o.Listen)
	if err != nil {
		return fmt.Errorf("%w: choose another address with --listen, or port 0 for a free one", err)
	}
	host := &http.Server{
		Handler:           handle,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: 64 << 10,
		TLSConfig:      secure,
		ErrorLog:       faults,
	}
	ended := make(chan error, 1)
	go func() { ended <- front.Serve(host, listener.(*net.TCPListener)) }()
	if err := started(o.what(), o.addressOf(listener.Addr())); err != nil {
		return errors.Join(err, host.Close())
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	until := time.Now().Add(drainTime)
	if encode != nil {
		drain(ctx, encode)
	}
	if least := time.Now().Add(shutdownTime); until.Before(least) {
		until = least
	}
	last, cancel := context.WithDeadline(context.WithoutCancel(ctx), until)
	defer cancel()
	if err := host.Shutdown(last); err != nil {
		return host.Close() // cuts off the remaining requests
	}
	return nil
}

// drain closes an encode server after the texts that it has accepted.
func drain(ctx context.Context, encode *server.Server) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	encode.Close(ctx)
}

// what describes what is served, for people.
func (o *Options) what() string {
	switch {
	case o.Encoding.Model == "":
		return o.Dir
	case o.Dir == "":
		return o.Encoding.Model
	}
	return o.Dir + " and " + o.Encoding.Model
}

// files returns the files of a site, or of a page around a bare collection. The page sends
// its queries to this server if Encoding.page and the site allow it.
func (o *Options) files(ctx context.Context, top fs.FS, served *encoder.Info) (fs.FS, error) {
	if info, err := fs.Stat(top, site.HomePage); err == nil && info.Mode().IsRegular() {
		return o.site(ctx, top, served), nil
	}
	switch about, place, err := describe(ctx, top, "."); {
	case err == nil:
		at, err := fs.Sub(top, place)
		if err != nil {
			return nil, err
		}
		page := o.Encoding.page(served, about, o.Console)
		page.Name = about.Name
		return pageAround{page, at}, nil
	case !errors.Is(err, manifest.ErrNotCollection):
		return nil, fault.At(o.Dir, err)
	}
	o.Console.Warnf("%s holds neither a page (%s) nor a collection: its files are served by their names only", o.Dir, site.HomePage)
	return top, nil
}

// site returns the files of a site. If its page is the one that this program writes, the
// page is told to ask this server, unless it already names a server.
func (o *Options) site(ctx context.Context, top fs.FS, served *encoder.Info) fs.FS {
	if served == nil {
		return top
	}
	plain, ours := static.Plain(top)
	if !plain {
		return top
	}
	about, place, err := describe(ctx, top, site.CollectionDir)
	if err != nil || place != site.CollectionDir {
		return top
	}
	page := o.Encoding.page(served, about, o.Console)
	if page.Server == "" {
		return top
	}
	if !ours {
		o.Console.Warnf("the page in %s is of another version, or was changed by hand: it does not ask this server; write it anew with: vantage index CORPUS -o %s --site", o.Dir, human.Argument(o.Dir))
		return top
	}
	return page.Around(top)
}

// addressOf returns the server's URL: the host of --listen with the actual port.
func (o *Options) addressOf(got net.Addr) string {
	host, port, _ := net.SplitHostPort(o.Listen)
	if tcp, ok := got.(*net.TCPAddr); ok {
		port = strconv.Itoa(tcp.Port)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	scheme := "http://"
	if o.Encoding.Certificate != "" {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, port) + "/"
}

// escaping is a writer for texts that may come from clients.
type escaping struct{ w io.Writer }

func (e escaping) Write(b []byte) (int, error) {
	_, err := fmt.Fprintln(e.w, human.Escape(string(trimNewline(b))))
	return len(b), err
}

func trimNewline(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		return b[:n-1]
	}
	return b
}

// describe returns the description of the collection at a place of a file system, or in
// the site there, and its folder. It reads only the manifest.
func describe(ctx context.Context, files fs.FS, at string) (about *vantage.Description, place string, err error) {
	c, err := vantage.Open(ctx, at, &vantage.OpenOptions{FS: files, Lazy: true})
	if err != nil {
		return nil, "", err
	}
	return c.Describe(), c.Place(), c.Close()
}
