package main

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
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/static"
)

// serving is a call of `vantage serve`.
type serving struct {
	dir, listen string
	cors        bool
	hosts       []string
	config      string
	encoding    encoding
}

// Time limits of the server.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 15 * time.Minute // a vector file over a slow line
	idleTimeout   = 2 * time.Minute
	drainTime     = 20 * time.Second // for texts to be encoded when the server is told to stop
	shutdownTime  = 5 * time.Second  // for answers to be sent then
	serveClosing  = drainTime + shutdownTime + 5*time.Second
)

// serveName is the command that gets more time to stop.
const serveName = "serve"

func newServe() *cobra.Command {
	s := &serving{}
	cmd := &cobra.Command{
		Use:   serveName + " [DIR]",
		Short: "Serve a site or a collection to browsers, and encode queries for them",
		Long: `Serves the files of a site over HTTP, as a static host would. Where DIR is a bare
collection, the page is at / and the collection at /collection/.

The server answers to IP addresses, to localhost and names under it, to the name in
--listen, to the names in --tls-cert and to those of --host; a request under another name
gets 421, so that no page elsewhere can have its name lead here and pass for a page of
this server. A proxy passes on the Host that it was asked for. /healthz and /readyz
answer to any name.

Without --cors, pages of other origins cannot read the files.

With --model the server also encodes texts: over WebSockets at /v1/stream
(docs/protocol.md), and at /v1/embeddings for clients of OpenAI's. /v1/models,
/healthz, /readyz and /metrics tell about it. DIR may then be left out. Texts are
never logged. Pages of this server may ask, others with --origin; --keys names a file
of keys, one a line, of which a client must present one. The page at / asks where MODEL
is what made the collection's vectors and no key is wanted.

Each flag can also be set in the environment, --queue-tokens as VANTAGE_QUEUE_TOKENS
(with commas where a flag may be repeated), and in a YAML file that --config names, by
the flag's name ("queue-tokens: 100000"; a list where a flag may be repeated). What the
command line says goes before the environment, and that before the file.`,
		Example: `  vantage serve site
  vantage serve site --listen 0.0.0.0:8080 --cors --host search.example.org
  vantage serve site --model models/all-MiniLM-L6-v2
  vantage serve --model models/bge-base --keys keys.txt --tls-cert cert.pem --tls-key key.pem --listen :8443
  VANTAGE_MODEL=models/bge-base vantage serve --config serve.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := oneArgument("DIR")(cmd, args); err != nil {
					return err
				}
				s.dir = args[0]
			}
			return nil
		},
		ValidArgsFunction: folderArgument,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.config == "" {
				s.config = os.Getenv(variable("config"))
			}
			if err := settle(cmd.Flags(), s.config); err != nil {
				return err
			}
			if err := s.check(); err != nil {
				return err
			}
			return s.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&s.listen, "listen", "127.0.0.1:8080", "`ADDRESS` and port to listen at; port 0 takes a free one")
	cmd.Flags().StringArrayVar(&s.hosts, "host", nil, "`NAME` that the server answers to, such as search.example.org or *.example.org; may be repeated")
	cmd.Flags().BoolVar(&s.cors, "cors", false, "let pages of other origins read the files")
	cmd.Flags().StringVar(&s.config, "config", "", "YAML `FILE` with settings by the flags' names")
	s.encoding.flags(cmd)
	return cmd
}

// check refuses calls that make no sense.
func (s *serving) check() error {
	if s.dir == "" && s.encoding.model == "" {
		return usagef("DIR is missing: name a site or a collection, or a model with --model")
	}
	if _, port, err := net.SplitHostPort(s.listen); err != nil || port == "" {
		return usagef("--listen %q: give an address and a port, such as 127.0.0.1:8080 (port 0: any free one)", s.listen)
	}
	if err := checkHosts(s.hosts); err != nil {
		return err
	}
	return s.encoding.check()
}

func (s *serving) run(ctx context.Context) error {
	var encode *server.Server
	var served *encoder.Info
	faults := log.New(escaping{stderr}, "vantage: ", 0)
	if s.encoding.model != "" {
		var queries *manifest.Model
		if s.dir != "" {
			if c, err := openCollection(ctx, s.dir, vantage.WithoutLoading()); err == nil {
				queries = queriesOf(c.Describe())
				c.Close()
			}
		}
		var done func() error
		var err error
		if encode, served, done, err = s.encoding.start(ctx, queries); err != nil {
			return err
		}
		defer done()
		if s.encoding.log != "off" {
			faults = slog.NewLogLogger(s.encoding.logs(), slog.LevelWarn)
		}
	}
	var pair *certificate
	var secure *tls.Config
	if s.encoding.certificate != "" {
		var err error
		if pair, err = openCertificate(s.encoding.certificate, s.encoding.privateKey); err != nil {
			return err
		}
		secure = &tls.Config{GetCertificate: pair.get, MinVersion: tls.VersionTLS12}
	}
	front, err := s.front(encode, pair, faults)
	if err != nil {
		return err
	}
	var handle http.Handler = http.NotFoundHandler()
	if s.dir != "" {
		if err := file.CheckFolder(s.dir, "make a site with: vantage index CORPUS -o DIR --site"); err != nil {
			return err
		}
		root, err := os.OpenRoot(s.dir) // nothing outside it is reached, whatever links lie in it
		if err != nil {
			return err
		}
		defer root.Close()
		files, err := s.files(ctx, root.FS(), served)
		if err != nil {
			return err
		}
		handle = front.Files(&handler{files: files, cors: s.cors})
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
	listener, err := config.Listen(ctx, "tcp", s.listen)
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
	if err := printText(func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "serving %s at %s\n", s.what(), s.addressOf(listener.Addr()))
		return err
	}); err != nil {
		return errors.Join(err, host.Close())
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	ctx = context.WithoutCancel(ctx)
	if encode != nil {
		drain, cancel := context.WithTimeout(ctx, drainTime)
		defer cancel()
		encode.Close(drain)
	}
	last, cancel := context.WithTimeout(ctx, shutdownTime)
	defer cancel()
	if err := host.Shutdown(last); err != nil {
		return host.Close() // what is still under way is cut off
	}
	return nil
}

// what is served, for people.
func (s *serving) what() string {
	switch {
	case s.encoding.model == "":
		return s.dir
	case s.dir == "":
		return s.encoding.model
	}
	return s.dir + " and " + s.encoding.model
}

// files are those of a site, or of a page around a bare collection. The page uses
// this server if it can.
func (s *serving) files(ctx context.Context, top fs.FS, served *encoder.Info) (fs.FS, error) {
	if info, err := fs.Stat(top, homePage); err == nil && info.Mode().IsRegular() {
		return s.site(ctx, top, served), nil
	}
	for _, place := range []string{".", collectionDir} {
		at, err := fs.Sub(top, place)
		if err != nil {
			return nil, err
		}
		c, err := store.Open(ctx, at)
		if err == nil {
			return pageAround{s.encoding.page(served, c.Manifest()), at}, nil
		}
		if !otherManifest(err) {
			return nil, wrap(s.dir, err)
		}
	}
	warn(stderr, "%s holds neither a page (%s) nor a collection: its files are served by their names only", s.dir, homePage)
	return top, nil
}

// site are the files of a site. Its page learns of this server if it is unchanged
// since this program made it. A page that names a server itself uses that one.
func (s *serving) site(ctx context.Context, top fs.FS, served *encoder.Info) fs.FS {
	if served == nil {
		return top
	}
	plain, ours := static.Plain(top)
	at, err := fs.Sub(top, collectionDir)
	if !plain || err != nil {
		return top
	}
	c, err := store.Open(ctx, at)
	if err != nil {
		return top
	}
	page := s.encoding.page(served, c.Manifest())
	if page.Server == "" {
		return top
	}
	if !ours {
		warn(stderr, "the page in %s is of another version, or was changed by hand: it does not ask this server; write it anew with: vantage index CORPUS -o %s --site", s.dir, s.dir)
		return top
	}
	return page.Around(top)
}

// addressOf is the URL of the server as it was asked for, with the port that it
// has got.
func (s *serving) addressOf(got net.Addr) string {
	host, port, _ := net.SplitHostPort(s.listen)
	if tcp, ok := got.(*net.TCPAddr); ok {
		port = strconv.Itoa(tcp.Port)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	scheme := "http://"
	if s.encoding.certificate != "" {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, port) + "/"
}

// escaping is a writer for texts that may come from clients.
type escaping struct{ w io.Writer }

func (e escaping) Write(b []byte) (int, error) {
	_, err := fmt.Fprintln(e.w, escape(string(trimNewline(b))))
	return len(b), err
}

func trimNewline(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		return b[:n-1]
	}
	return b
}
