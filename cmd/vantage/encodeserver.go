package main

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"net/url"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/memory"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/static"
)

// encoding is what `vantage serve --model` adds.
type encoding struct {
	model                   string
	keys                    string
	origins, proxies        []string
	certificate, privateKey string
	log, collector          string
	device                  named.Device
	int8                    bool
	limits                  server.Limits
}

func (e *encoding) flags(cmd *cobra.Command) {
	e.limits = server.DefaultLimits()
	modelFlag(cmd, &e.model, "", "encode with this `MODEL`: static (built in), a folder, or ORG/NAME of the hub")
	deviceFlagsOf(cmd, &e.device)
	int8Flag(cmd, &e.int8)
	f := cmd.Flags()
	f.StringVar(&e.keys, "keys", "", "`FILE` of keys, one a line, of which clients must present one")
	f.StringArrayVar(&e.origins, "origin", nil, "`ORIGIN`, such as https://example.org, whose pages may ask as well; may be repeated")
	f.StringArrayVar(&e.proxies, "trusted-proxy", nil, "`NETWORK`, such as 10.0.0.0/8, of proxies whose X-Forwarded-For names the client, and whose connections are not bounded by address; may be repeated")
	f.StringVar(&e.certificate, "tls-cert", "", "`FILE` of the certificate, for https")
	f.StringVar(&e.privateKey, "tls-key", "", "`FILE` of the certificate's private key")
	choiceFlag(cmd, &e.log, "log", "how requests are logged on stderr", "text", "json", "off")
	f.StringVar(&e.collector, "otlp", "", "`URL` of an OpenTelemetry collector (OTLP over HTTP) that requests are traced to; the OTEL_ variables count too")
	f.IntVar(&e.limits.BatchTokens, "batch-tokens", e.limits.BatchTokens, "tokens that the model gets at once")
	f.DurationVar(&e.limits.BatchWait, "batch-wait", e.limits.BatchWait, "how long a text waits for others while the model is idle, which larger batches are worth to some accelerators")
	f.IntVar(&e.limits.QueueTokens, "queue-tokens", e.limits.QueueTokens, "tokens that may wait, at most half of them of one client; beyond them: 429")
	f.IntVar(&e.limits.CacheBytes, "cache-bytes", e.limits.CacheBytes, "memory for the vectors of recent texts")
	f.IntVar(&e.limits.MessageBytes, "message-bytes", e.limits.MessageBytes, "longest frame or body")
	f.IntVar(&e.limits.TextBytes, "text-bytes", e.limits.TextBytes, "longest text")
	f.IntVar(&e.limits.Texts, "texts", e.limits.Texts, "most texts of a request")
	f.IntVar(&e.limits.PendingBytes, "pending-bytes", e.limits.PendingBytes, "most that a session may leave unacknowledged")
	f.IntVar(&e.limits.SessionBytes, "session-bytes", e.limits.SessionBytes, "memory that all clients together may have the server hold; one address has at most half for what is not answered")
	f.IntVar(&e.limits.Sockets, "sockets", e.limits.Sockets, "most sockets")
	f.IntVar(&e.limits.SocketsPerAddress, "sockets-per-address", e.limits.SocketsPerAddress, "most sockets of one address, which may have twice as many connections, or 256")
	f.Float64Var(&e.limits.Rate, "rate", e.limits.Rate, "requests a second of one address; 0: any number")
	f.DurationVar(&e.limits.Resume, "resume", e.limits.Resume, "how long a session outlives its connection")
	for _, name := range []string{"keys", "config", "tls-cert", "tls-key"} {
		must(cmd.MarkFlagFilename(name))
	}
}

func (e *encoding) check() error {
	l := &e.limits
	for name, n := range map[string]int{"batch-tokens": l.BatchTokens, "queue-tokens": l.QueueTokens, "message-bytes": l.MessageBytes, "text-bytes": l.TextBytes,
		"texts": l.Texts, "pending-bytes": l.PendingBytes, "session-bytes": l.SessionBytes, "sockets": l.Sockets, "sockets-per-address": l.SocketsPerAddress} {
		if n < 1 {
			return usagef("--%s %d: at least 1", name, n)
		}
	}
	if l.CacheBytes < 0 || l.BatchWait < 0 || l.Resume < 0 || !(l.Rate >= 0) {
		return usagef("--cache-bytes, --batch-wait, --resume and --rate are not negative")
	}
	if (e.certificate == "") != (e.privateKey == "") {
		return usagef("--tls-cert and --tls-key go together")
	}
	if err := e.checkCollector(); err != nil {
		return err
	}
	for _, origin := range e.origins {
		if u, err := url.Parse(origin); err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != origin {
			return usagef("--origin %q: give a scheme, a name and the port where it is no usual one, as browsers send it: https://example.org", origin)
		}
	}
	for _, network := range e.proxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			return usagef("--trusted-proxy %q: give a network such as 10.0.0.0/8, or 127.0.0.1/32 for one address", network)
		}
	}
	return nil
}

// socketThreads serve sockets while the model is busy.
const socketThreads = 2

// start opens the model and starts the server of its vectors. If a collection is
// served too and this is the model of its queries, texts are encoded with the
// settings of the collection. queries describes that model; nil: there is no
// collection.
func (e *encoding) start(ctx context.Context, queries *manifest.Model) (_ *server.Server, _ *encoder.Info, done func() error, err error) {
	keys, err := readKeys(ctx, e.keys)
	if err != nil {
		return nil, nil, nil, err
	}
	place, err := named.Find(ctx, e.model, told())
	if err != nil {
		return nil, nil, nil, err
	}
	o, device := model.Options{Int8: e.int8}, e.device
	device.Warm = true
	if queries != nil && place.Name() == queries.ID {
		if o = asIndexed(queries); e.int8 && !o.Int8 {
			return nil, nil, nil, usagef("--int8: the collection was made without it: leave it out, or index with --int8, too")
		}
		device = device.AsIndexed(queries)
	}
	encoder, err := place.Open(ctx, o, device)
	if err != nil {
		return nil, nil, nil, err
	}
	// The model keeps all its threads busy. Sockets get additional threads; otherwise
	// the runtime would poll the network only now and then while a batch is encoded.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + socketThreads)
	tracer, flush, err := e.startTracing(ctx)
	if err != nil {
		return nil, nil, nil, errors.Join(err, encoder.Close())
	}
	s, err := server.New(encoder, server.Options{Limits: e.limits, Keys: keys, Origins: e.origins, Proxies: e.trusted(), Log: slog.New(e.logs()), Tracer: tracer})
	if err != nil {
		return nil, nil, nil, errors.Join(err, encoder.Close())
	}
	memory.Limit(e.limits.Memory())
	info := encoder.Info()
	return s, &info, func() error {
		flush()
		return encoder.Close()
	}, nil
}

// logs is what the server logs to.
func (e *encoding) logs() slog.Handler {
	switch e.log {
	case "text":
		return slog.NewTextHandler(stderr, nil)
	case "json":
		return slog.NewJSONHandler(stderr, nil)
	}
	return slog.DiscardHandler
}

// page is the page of a collection. It uses this server if the server has the model
// of the collection's queries and requires no key, which a page could not keep
// secret.
func (e *encoding) page(served *encoder.Info, m *manifest.Manifest) static.Page {
	of, _ := m.Queries()
	if served == nil {
		return static.Page{}
	}
	same := served.ID == of.ID
	if served.Revision != "" && of.Revision != "" {
		same = served.Revision == of.Revision
	}
	switch {
	case !same:
		warn(stderr, "the collection's queries are encoded by %s %s, this server encodes with %s %s: the page does not ask it", of.ID, of.Revision, served.ID, served.Revision)
	case e.keys != "":
		warn(stderr, "the page has no key, and does not ask this server: leave --keys out where everybody may search")
	default:
		return static.Page{Server: "./"}
	}
	return static.Page{}
}

// readKeys reads a file of keys; empty lines and those that begin with # are none.
func readKeys(ctx context.Context, file string) (keys []string, err error) {
	if file == "" {
		return nil, nil
	}
	f, err := inputs.Open(ctx, file)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, inputf("%s: %w", file, unnamed(err))
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if key := strings.TrimSpace(lines.Text()); key != "" && key[0] != '#' {
			keys = append(keys, key)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, inputf("%s: %w", file, unnamed(err))
	}
	if len(keys) == 0 {
		return nil, inputf("%s holds no keys: leave --keys out to let everybody ask", file)
	}
	return keys, nil
}
