package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/wasm/store"
)

// serving is a call of `vantage serve`.
type serving struct {
	dir, listen string
	cors        bool
}

// Time limits of the server.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 15 * time.Minute // a vector file over a slow line
	idleTimeout   = 2 * time.Minute
	shutdownTime  = 5 * time.Second // for what is under way when the server is told to stop
)

func newServe() *cobra.Command {
	s := &serving{}
	cmd := &cobra.Command{
		Use:   "serve DIR",
		Short: "Serve a site or a collection to browsers",
		Long: `Serves the files of a site over HTTP, as a static host would. Where DIR is a bare
collection, the page is at / and the collection at /collection/.

Without --cors, pages of other origins cannot read the files.`,
		Example: `  vantage serve site
  vantage serve debates --listen 127.0.0.1:0
  vantage serve site --listen 0.0.0.0:8080 --cors`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("DIR")(cmd, args); err != nil {
				return err
			}
			s.dir = args[0]
			if _, port, err := net.SplitHostPort(s.listen); err != nil || port == "" {
				return usagef("--listen %q: give an address and a port, such as 127.0.0.1:8080 (port 0: any free one)", s.listen)
			}
			return nil
		},
		ValidArgsFunction: folderArgument,
		RunE:              func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&s.listen, "listen", "127.0.0.1:8080", "`ADDRESS` and port to listen at; port 0 takes a free one")
	cmd.Flags().BoolVar(&s.cors, "cors", false, "let pages of other origins read the files")
	return cmd
}

func (s *serving) run(ctx context.Context) error {
	if err := checkFolder(s.dir, "make a site with: vantage index CORPUS -o DIR --site"); err != nil {
		return err
	}
	root, err := os.OpenRoot(s.dir) // nothing outside it is reached, whatever links lie in it
	if err != nil {
		return err
	}
	defer root.Close()
	files, err := s.files(ctx, root.FS())
	if err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", s.listen)
	if err != nil {
		return fmt.Errorf("%w: choose another address with --listen, or port 0 for a free one", err)
	}
	server := &http.Server{
		Handler:           &handler{files: files, cors: s.cors},
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       log.New(escaping{stderr}, "vantage: ", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if err := printText(func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "serving %s at %s\n", s.dir, addressOf(s.listen, listener.Addr()))
		return err
	}); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return server.Close() // what is still under way is cut off
	}
	return nil
}

// files are those of a site, or of a page around a bare collection.
func (s *serving) files(ctx context.Context, top fs.FS) (fs.FS, error) {
	if info, err := fs.Stat(top, homePage); err == nil && info.Mode().IsRegular() {
		return top, nil
	}
	for _, place := range []string{".", collectionDir} {
		at, err := fs.Sub(top, place)
		if err != nil {
			return nil, err
		}
		_, err = store.Open(ctx, at)
		if err == nil {
			return pageAround{at}, nil
		}
		if !otherManifest(err) {
			return nil, wrap(s.dir, err)
		}
	}
	warn(stderr, "%s holds neither a page (%s) nor a collection: its files are served by their names only", s.dir, homePage)
	return top, nil
}

// addressOf is the URL of the server as it was asked for, with the port that it
// has got.
func addressOf(asked string, got net.Addr) string {
	host, port, _ := net.SplitHostPort(asked)
	if tcp, ok := got.(*net.TCPAddr); ok {
		port = strconv.Itoa(tcp.Port)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
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
