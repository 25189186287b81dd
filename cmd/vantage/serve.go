package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/serve"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/settings"
)

// serving is a call of `vantage serve`.
type serving struct {
	serve.Options
	config string
}

// serveName is the command that gets more time to stop.
const serveName = "serve"

func newServe() *cobra.Command {
	s := &serving{}
	cmd := &cobra.Command{
		Use:   serveName + " [DIR]",
		Short: "Serve a site or a collection to browsers, and encode queries for them",
		Long: `Serves the files of a site over HTTP, as a static host would. If DIR is a bare
collection, the page is at / and the collection at /collection/.

The server answers to IP addresses, to localhost and names under it, to the name in
--listen, to the names in --tls-cert and to those of --host; a request under another name
gets 421, which prevents DNS rebinding: no page elsewhere can point its own name here
and act as a page of this server. A proxy must pass on the Host header that it
receives. /healthz and /readyz answer to any name.

Without --cors, pages of other origins cannot read the files.

With --model, DIR may be left out, and the server also encodes texts: over WebSockets
at /v1/stream (docs/protocol.md), and at /v1/embeddings for OpenAI clients. /v1/models,
/healthz, /readyz and /metrics describe it. With --chat-model it also reads queries
from the perspectives of a domain, at /v1/perspectives (docs/serve.md). Texts are
never logged. Pages of this server may ask; --origin allows others. --keys names a
file of keys, one a line, of which a client must present one. If MODEL made the
collection's vectors and no key is required, the page at / sends its queries to this
server.

Each flag can also be set in the environment, --queue-tokens as VANTAGE_QUEUE_TOKENS
(with commas if a flag may be repeated), and in a YAML file that --config names, by
the flag's name ("queue-tokens: 100000"; a list if a flag may be repeated). The
command line takes precedence over the environment, and the environment over the file.
An empty variable counts as not set.`,
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
				s.Dir = args[0]
			}
			return nil
		},
		ValidArgsFunction: folderArgument,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.config == "" {
				s.config = os.Getenv(settings.Variable("config"))
			}
			if err := settings.Settle(cmd.Flags(), s.config); err != nil {
				return err
			}
			s.Version, s.Console = version, told()
			if err := s.Check(); err != nil {
				return err
			}
			return s.Run(cmd.Context(), func(what, address string) error {
				return printText(func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "serving %s at %s\n", what, address)
					return err
				})
			})
		},
	}
	cmd.Flags().StringVar(&s.Listen, "listen", "127.0.0.1:8080", "`ADDRESS` and port to listen at; port 0 takes a free one")
	cmd.Flags().StringArrayVar(&s.Hosts, "host", nil, "`NAME` that the server answers to, such as search.example.org or *.example.org; may be repeated")
	cmd.Flags().BoolVar(&s.CORS, "cors", false, "let pages of other origins read the files")
	cmd.Flags().StringVar(&s.config, "config", "", "YAML `FILE` with settings by the flags' names")
	encodeServerFlags(cmd, &s.Encoding)
	return cmd
}

// encodeServerFlags say what --model adds to the serving of files.
func encodeServerFlags(cmd *cobra.Command, e *serve.Encoding) {
	e.Limits = server.DefaultLimits()
	modelFlag(cmd, &e.Model, "", "encode with this `MODEL`: sides (the bundled pack), static (built in), a folder, or ORG/NAME of the hub")
	deviceFlagsOf(cmd, &e.Device)
	int8Flag(cmd, &e.Int8)
	promptFlag(cmd, &e.Prompts, "`ROLE=TEXT` that a transformer reads before texts of a role, query or document, in place of its folder's (default those of the collection in DIR); may be repeated")
	f := cmd.Flags()
	f.StringVar(&e.Keys, "keys", "", "`FILE` of keys, one a line, of which clients must present one")
	f.StringArrayVar(&e.Origins, "origin", nil, "`ORIGIN`, such as https://example.org, whose pages may ask as well; may be repeated")
	f.StringArrayVar(&e.Proxies, "trusted-proxy", nil, "`NETWORK`, such as 10.0.0.0/8, of proxies whose X-Forwarded-For names the client, and whose connections are not bounded by address; may be repeated")
	f.StringVar(&e.Certificate, "tls-cert", "", "`FILE` of the certificate, for https")
	f.StringVar(&e.PrivateKey, "tls-key", "", "`FILE` of the certificate's private key")
	choiceFlag(cmd, &e.Log, "log", "how requests are logged on stderr", "text", "json", "off")
	f.StringVar(&e.Collector, "otlp", "", "`URL` of an OpenTelemetry collector (OTLP over HTTP) that requests are traced to; the OTEL_ variables count too")
	f.IntVar(&e.Limits.BatchTokens, "batch-tokens", e.Limits.BatchTokens, "tokens that the model gets at once")
	f.DurationVar(&e.Limits.BatchWait, "batch-wait", e.Limits.BatchWait, "how long a text waits for others while the model is idle; larger batches are faster on some accelerators")
	f.IntVar(&e.Limits.QueueTokens, "queue-tokens", e.Limits.QueueTokens, "tokens that may wait, at most half of them of one client; beyond that, the answer is 429")
	f.IntVar(&e.Limits.CacheBytes, "cache-bytes", e.Limits.CacheBytes, "memory for the vectors of recent texts")
	f.IntVar(&e.Limits.MessageBytes, "message-bytes", e.Limits.MessageBytes, "longest frame or body")
	f.IntVar(&e.Limits.TextBytes, "text-bytes", e.Limits.TextBytes, "longest text")
	f.IntVar(&e.Limits.Texts, "texts", e.Limits.Texts, "most texts of a request")
	f.IntVar(&e.Limits.PendingBytes, "pending-bytes", e.Limits.PendingBytes, "most that a session may leave unacknowledged")
	f.IntVar(&e.Limits.SessionBytes, "session-bytes", e.Limits.SessionBytes, "memory for the sessions of all clients together; the unanswered texts of one address may take at most half of it")
	f.IntVar(&e.Limits.Sockets, "sockets", e.Limits.Sockets, "most sockets")
	f.IntVar(&e.Limits.SocketsPerAddress, "sockets-per-address", e.Limits.SocketsPerAddress, "most sockets of one address, which may have twice as many connections, and at least 256")
	f.Float64Var(&e.Limits.Rate, "rate", e.Limits.Rate, "requests a second of one address; 0: any number")
	f.DurationVar(&e.Limits.Resume, "resume", e.Limits.Resume, "how long a session outlives its connection")
	chatModelFlags(cmd, &e.Chat)
	f.StringArrayVar(&e.Domains, "domain", nil, "`NAME` of a domain for /v1/perspectives, or a YAML file of yours (default the shipped ones); may be repeated")
	f.IntVar(&e.Budget.Requests, "chat-requests", 0, "most requests for perspectives of a client in a day: of a key, or without --keys of an address")
	f.Int64Var(&e.Budget.Tokens, "chat-tokens", 0, "most tokens of the chat model that a client may use in a day")
	for _, name := range []string{"keys", "config", "tls-cert", "tls-key"} {
		must(cmd.MarkFlagFilename(name))
	}
}
