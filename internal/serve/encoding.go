package serve

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/memory"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/sides"
	"github.com/vantage-search/vantage/static"
)

// Encoding is what an encode server adds to the serving of files.
type Encoding struct {
	Model                   string // "": no encode server
	Keys                    string // file of keys, one a line; "": none is required
	Origins, Proxies        []string
	Certificate, PrivateKey string // files, for https
	Log                     string // text, json or off
	Collector               string // URL of an OpenTelemetry collector; "": that of the environment, if any
	Device                  named.Device
	Int8                    bool
	Prompts                 []string // ROLE=TEXT, in place of the model's
	Limits                  server.Limits

	Chat    chat.Settings // of the chat model for /v1/perspectives; without a name of the model, none is asked
	Domains []string      // names of shipped domains, or files
	Budget  server.Budget // for each client and day
}

func (e *Encoding) check() error {
	l := &e.Limits
	for name, n := range map[string]int{"batch-tokens": l.BatchTokens, "queue-tokens": l.QueueTokens, "message-bytes": l.MessageBytes, "text-bytes": l.TextBytes,
		"texts": l.Texts, "pending-bytes": l.PendingBytes, "session-bytes": l.SessionBytes, "sockets": l.Sockets, "sockets-per-address": l.SocketsPerAddress} {
		if n < 1 {
			return fault.Errorf(fault.Query, "--%s %d: at least 1", name, n)
		}
	}
	if l.CacheBytes < 0 || l.BatchWait < 0 || l.Resume < 0 || !(l.Rate >= 0) {
		return fault.Errorf(fault.Query, "--cache-bytes, --batch-wait, --resume and --rate must not be negative")
	}
	switch {
	case e.Budget.Requests < 0 || e.Budget.Tokens < 0:
		return fault.Errorf(fault.Query, "--chat-requests and --chat-tokens must not be negative")
	case e.Chat.Model == "" && (e.Budget != server.Budget{} || len(e.Domains) > 0 || e.Chat.KeyFile != "" || e.Chat.Prompts != "" || e.Chat.Replay != ""):
		return fault.Errorf(fault.Query, "the chat model has no name: add --chat-model NAME")
	case e.Chat.Model != "" && e.Model == "":
		return fault.Errorf(fault.Query, "--chat-model is for an encode server: add --model MODEL, which encodes the queries that it writes")
	case e.Chat.Model != "" && e.Chat.Replay == "" && e.Keys == "" && (e.Budget.Requests == 0 || e.Budget.Tokens == 0):
		return fault.Errorf(fault.Query, "everybody could spend the chat model's tokens: add --keys, or limit each client's use in a day with --chat-requests and --chat-tokens")
	}
	if e.Keys != "" && e.Model == "" {
		return fault.Errorf(fault.Query, "--keys is for an encode server, and everybody may read the files: leave it out, or add --model MODEL")
	}
	if e.Model == "" && (e.Int8 || e.Device.Given() || len(e.Prompts) > 0) {
		return fault.Errorf(fault.Query, "--int8, --prompt, --device and --bf16 are for an encode server: add --model MODEL, which encodes queries")
	}
	if (e.Certificate == "") != (e.PrivateKey == "") {
		return fault.Errorf(fault.Query, "--tls-cert and --tls-key go together")
	}
	if err := e.checkCollector(); err != nil {
		return err
	}
	for _, origin := range e.Origins {
		if u, err := url.Parse(origin); err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != origin || !sendable(u) {
			return fault.Errorf(fault.Query, "--origin %q: give a scheme, a name and the port if it is not the default, as browsers send it: https://example.org (xn--… in other alphabets)", origin)
		}
	}
	for _, network := range e.Proxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			return fault.Errorf(fault.Query, "--trusted-proxy %q: give a network such as 10.0.0.0/8, or 127.0.0.1/32 for one address", network)
		}
	}
	return nil
}

// sendable reports whether browsers send such an origin: without a default port, and with a name in ASCII.
func sendable(u *url.URL) bool {
	port := u.Port()
	return !(u.Scheme == "https" && port == "443") && !(u.Scheme == "http" && port == "80") && !strings.ContainsFunc(u.Host, func(r rune) bool { return r > '~' })
}

// socketThreads serve sockets while the model is busy.
const socketThreads = 2

// start opens the model and starts the encode server. If the collection that is served
// names this model for its queries, the model is opened with the settings of the index.
func (e *Encoding) start(ctx context.Context, collection *vantage.Description, version string, c *console.Console) (_ *server.Server, _ *encoder.Info, done func() error, err error) {
	keys, err := readKeys(ctx, e.Keys)
	if err != nil {
		return nil, nil, nil, err
	}
	perspectives, err := e.perspectives()
	if err != nil {
		return nil, nil, nil, err
	}
	encoder, err := e.open(ctx, collection, c)
	if err != nil {
		return nil, nil, nil, err
	}
	// The model keeps all threads busy. Sockets get additional ones, or the runtime would
	// rarely poll the network while a batch is encoded.
	threads := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(threads + socketThreads)
	end := func() error {
		runtime.GOMAXPROCS(threads)
		return encoder.Close()
	}
	tracer, flush, err := e.startTracing(ctx, version, c)
	if err != nil {
		return nil, nil, nil, errors.Join(err, end())
	}
	s, err := server.New(encoder, server.Options{Limits: e.Limits, Keys: keys, Origins: e.Origins, Proxies: e.trusted(), Log: slog.New(e.logs(c)), Tracer: tracer, Perspectives: perspectives})
	if err != nil {
		flush()
		return nil, nil, nil, errors.Join(err, end())
	}
	memory.Limit(e.Limits.Memory())
	info := encoder.Info()
	return s, &info, func() error {
		flush()
		return end()
	}, nil
}

// perspectives are the settings of /v1/perspectives, nil without a chat model. Without
// domains, those that are shipped are offered.
func (e *Encoding) perspectives() (*server.Perspectives, error) {
	if e.Chat.Model == "" {
		return nil, nil
	}
	names := e.Domains
	if len(names) == 0 {
		names = mvrag.Domains()
	}
	p := &server.Perspectives{Chat: e.Chat, Budget: e.Budget}
	for _, name := range names {
		d, err := mvrag.Open(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(p.Domains, func(other *mvrag.Domain) bool { return other.Name == d.Name }) {
			return nil, fault.Errorf(fault.Query, "--domain %s: another domain is called %s, too", name, d.Name)
		}
		p.Domains = append(p.Domains, d)
	}
	return p, nil
}

// Sides is the name of the bundled pack.
const Sides = "sides"

// open opens the model.
func (e *Encoding) open(ctx context.Context, collection *vantage.Description, c *console.Console) (model.Encoder, error) {
	if e.Model == Sides || packmodel.IsFolder(e.Model) {
		if e.Int8 || e.Device.Given() || len(e.Prompts) > 0 {
			return nil, fault.Errorf(fault.Query, "--int8, --prompt, --device and --bf16 are for transformers: this process computes the pack %s, whose weights are rounded already and which has its own prompts", e.Model)
		}
		if e.Model == Sides {
			return packmodel.Open(ctx, sides.Files(), 0)
		}
		return packmodel.OpenFolder(ctx, e.Model, 0)
	}
	prompts, err := named.ParseIndexPrompts(e.Prompts)
	if err != nil {
		return nil, err
	}
	place, err := named.Find(ctx, e.Model, c)
	if err != nil {
		return nil, err
	}
	if place.Static && (e.Device.Given() || prompts != nil) {
		return nil, fault.Errorf(fault.Query, "--prompt, --device and --bf16 are for transformers: %s is a static model", e.Model)
	}
	o, device := model.Options{Int8: e.Int8, Prompts: prompts}, e.Device
	device.Warm = true
	if collection != nil {
		if m := manifest.Model(collection.Queries()); place.Name() == m.ID {
			if o = named.AsIndexed(&m); e.Int8 && !o.Int8 {
				return nil, fault.Errorf(fault.Query, "--int8: the collection was made without it: leave it out, or index with --int8, too")
			}
			for role, text := range prompts {
				if had, stated := o.Prompts[role]; stated && had != text {
					return nil, fault.Errorf(fault.Query, "--prompt %s: the collection was made with %q: leave it out, or index with the same --prompt", role, had)
				}
			}
			if o.Prompts == nil {
				o.Prompts = prompts
			}
			device = device.AsIndexed(&m)
		}
	}
	opened, err := place.Open(ctx, o, device)
	if err == nil {
		named.WarnOfAverages(opened, o, c)
		if o.Prompts == nil {
			place.WarnOfPrompts(opened.Info(), c, nil)
		}
	}
	return opened, err
}

// logs returns the handler of the server's log.
func (e *Encoding) logs(c *console.Console) slog.Handler {
	switch e.Log {
	case "text":
		return slog.NewTextHandler(c, nil)
	case "json":
		return slog.NewJSONHandler(c, nil)
	}
	return slog.DiscardHandler
}

// page describes the page of a collection. The page sends its queries to this server only if the
// server has the model of the collection's queries, the collection does not compare vectors of tokens
// (the server gives a text one vector), and no key is required: a page could not keep a key secret.
func (e *Encoding) page(served *encoder.Info, collection *vantage.Description, c *console.Console) static.Page {
	of := collection.Queries()
	if served == nil {
		return static.Page{}
	}
	same := served.ID == of.ID
	if served.Revision != "" && of.Revision != "" {
		same = served.Revision == of.Revision
	}
	prompt, wanted := encoder.PromptOf(served.Prompts, encoder.Query), encoder.PromptOf(of.Prompts, encoder.Query)
	switch {
	case collection.Score == manifest.ScoreMaxSim:
		c.Warnf("the collection is ranked by the vectors of tokens (maxsim), and this server gives a text one vector: the page does not ask it")
	case !same:
		c.Warnf("the collection's queries are encoded by %s %s, this server encodes with %s %s: the page does not ask it", of.ID, of.Revision, served.ID, served.Revision)
	case (*manifest.Model)(&of).StatesPrompts() && prompt != wanted:
		c.Warnf("the collection's queries have the prompt %q, and this server's %q: the page does not ask it; give the collection's with --prompt", wanted, prompt)
	case e.Keys != "":
		c.Warnf("the page has no key, and does not ask this server: leave --keys out if everybody may search")
	default:
		return static.Page{Server: "./"}
	}
	return static.Page{}
}

// readKeys reads a file of keys. It ignores empty lines and those that begin with #.
func readKeys(ctx context.Context, file string) (keys []string, err error) {
	if file == "" {
		return nil, nil
	}
	f, err := inputs.Open(ctx, file)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w", file, fault.Unnamed(err))
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for first := true; lines.Scan(); first = false {
		line := lines.Bytes()
		if first {
			line = unpack.Unmarked(line)
		}
		if key := strings.TrimSpace(string(line)); key != "" && key[0] != '#' {
			keys = append(keys, key)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w", file, fault.Unnamed(err))
	}
	if len(keys) == 0 {
		return nil, fault.Errorf(fault.Input, "%s holds no keys: leave --keys out to let everybody ask", file)
	}
	return keys, nil
}
