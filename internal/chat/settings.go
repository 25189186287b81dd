package chat

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/retry"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// The defaults of settings, and limits.
const (
	DefaultURL       = "https://api.openai.com/v1"
	DefaultMaxTokens = 1024
	KeyVariable      = "OPENAI_API_KEY" // environment variable of the key

	maxReply  = 1 << 20  // bytes of an answer
	maxPrompt = 64 << 10 // bytes of a prompt file
	maxKey    = 4 << 10  // bytes of a key file
)

// Settings say which model is asked, and within which bounds.
type Settings struct {
	URL       string // base address of the API, such as http://localhost:8080/v1
	Model     string // its name at that address
	KeyFile   string // file with the key; without one, the environment's KeyVariable, which may be empty
	Prompts   string // folder with the instructions of each task, in place of ours, or ""
	MaxTokens int    // tokens of a reply; 0 for DefaultMaxTokens
	Price     Price
	MaxCost   float64 // US dollars that a request may cost at most; 0 for no bound
	Cache     string  // folder that keeps replies; "" for one in the user's cache
	Kept      Bounds  // of that folder
	Anew      bool    // do not keep replies, and take none that are kept
	Record    string  // file that the replies of a run are written to, or ""
	Replay    string  // such a file, which answers in place of a model, or ""
}

// Client asks a chat model. Several goroutines may use it.
type Client struct {
	s        Settings
	key      string
	service  openai.ChatCompletionService
	policy   retry.Policy
	patience time.Duration // with a host that sends nothing
	whole    time.Duration // that a request may take with its repetitions
	cache    *cache        // nil without one

	mu       sync.Mutex
	usage    Usage
	dialect  dialect         // that the model last accepted
	recorded map[string]line // nil unless there is a file to record to
	replayed *recording      // nil unless a file answers
}

// Open checks settings and makes a client of them. It does not connect yet. Errors are
// fault.Query for settings and fault.Input for files, but fault.Limit for a recording with
// a line that is too long, and fault.Unavailable for one that cannot be written.
func Open(s Settings) (*Client, error) {
	if s.MaxTokens == 0 {
		s.MaxTokens = DefaultMaxTokens
	}
	if dir, err := os.UserCacheDir(); s.Cache == "" && err == nil {
		s.Cache = filepath.Join(dir, "vantage", "chat")
	}
	if s.Anew {
		s.Cache = ""
	}
	c := &Client{
		s:        s,
		policy:   retry.Policy{Attempts: 5, Delay: 500 * time.Millisecond, Most: 20 * time.Second, Wait: 2 * time.Minute},
		patience: longEnough(2*time.Minute, s.MaxTokens),
		whole:    longEnough(5*time.Minute, s.MaxTokens),
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.Cache != "" {
		c.cache = newCache(s.Cache, s.Kept)
	}
	if s.Record != "" {
		if err := file.CheckOther(s.Record, s.KeyFile); err != nil {
			return nil, err
		}
		if err := file.CheckReplace(s.Record); err != nil {
			return nil, err
		}
		c.recorded = map[string]line{}
	}
	var err error
	if s.Replay != "" {
		c.replayed, err = openRecording(s.Replay)
		return c, err
	}
	if c.key, err = s.readKey(); err != nil {
		return nil, err
	}
	options := []option.RequestOption{
		option.WithBaseURL(strings.TrimRight(s.URL, "/") + "/"), option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: bounded{http.DefaultTransport, maxReply}, CheckRedirect: refuseRedirect}),
	}
	if c.key != "" {
		options = append(options, option.WithAPIKey(c.key))
	}
	c.service = openai.NewChatCompletionService(options...)
	return c, nil
}

// longEnough is a time for DefaultMaxTokens, or so much longer as a reply may have more tokens than that. It is at most a
// day. A model without streaming is silent until its reply is complete, so a slow one needs time for each token.
func longEnough(usual time.Duration, tokens int) time.Duration {
	const day = 24 * time.Hour
	perToken := usual / DefaultMaxTokens
	if tokens > int(day/perToken) {
		return day
	}
	return max(usual, time.Duration(tokens)*perToken)
}

// OpenNamed opens the model, nil if it has no name. Without a name, a key, prompts, a price,
// a bound on the cost or a recording is a fault.Query, and so is a recording that would replace
// one of the inputs.
func OpenNamed(s Settings, inputs ...string) (*Client, error) {
	if s.Model != "" {
		if err := file.CheckOther(s.Record, inputs...); err != nil {
			return nil, err
		}
		return Open(s)
	}
	if s.KeyFile != "" || s.Prompts != "" || s.Price != (Price{}) || s.MaxCost != 0 || s.Record != "" || s.Replay != "" {
		return nil, fault.New(fault.Query, "the chat model has no name: add --chat-model NAME")
	}
	return nil, nil
}

func (s *Settings) check() error {
	// A user name or a query may be a secret, so the address is not repeated.
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fault.Errorf(fault.Query, "the chat model's address must be like %s, without a user name or a query", DefaultURL)
	case s.Model == "":
		return fault.New(fault.Query, "the chat model has no name")
	case s.MaxTokens < 0:
		return fault.Errorf(fault.Query, "a reply of at most %d tokens says nothing: allow 1 or more", s.MaxTokens)
	case s.Kept.Entries < 0 || s.Kept.Bytes < 0:
		return fault.New(fault.Query, "a bound on the replies that are kept is below 0: 0 means the default, and Settings.Anew keeps none")
	case s.Record != "" && s.Replay != "":
		return fault.New(fault.Query, "replies are either recorded or replayed: leave one of the two files out")
	case s.MaxCost < 0 || s.MaxCost != s.MaxCost:
		return fault.New(fault.Query, "the bound on the cost of a request must be 0 or more")
	case s.MaxCost > 0 && s.Price == Price{}:
		return fault.New(fault.Query, "the cost of a request cannot be bounded without the price of tokens")
	}
	return nil
}

// readKey never puts what it reads into an error.
func (s *Settings) readKey() (string, error) {
	key := os.Getenv(KeyVariable)
	if s.KeyFile != "" {
		data, err := file.Read(s.KeyFile, maxKey, "key")
		if err != nil {
			return "", fault.As(fault.Input, err)
		}
		key = strings.TrimPrefix(string(data), "\ufeff")
		if strings.TrimSpace(key) == "" {
			return "", fault.Errorf(fault.Input, "%s has no key in it", s.KeyFile)
		}
	}
	key = strings.TrimSpace(key)
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fault.New(fault.Input, "the chat model's key must be one word in ASCII")
	}
	return key, nil
}

// Model is the name of the model.
func (c *Client) Model() string { return c.s.Model }

// Instructions returns the instructions of a task: ours, or if there is a folder of prompts,
// its file NAME.txt, without which there is an error.
func (c *Client) Instructions(name string) (string, error) {
	name += ".txt"
	if c.s.Prompts == "" {
		text, err := prompts.ReadFile("prompts/" + name)
		return string(text), err
	}
	text, err := file.Read(filepath.Join(c.s.Prompts, name), maxPrompt, "prompt")
	if err != nil {
		return "", fault.As(fault.Input, err)
	}
	prompt := strings.TrimPrefix(string(text), "\ufeff")
	if strings.TrimSpace(prompt) == "" {
		return "", fault.Errorf(fault.Input, "%s is empty", filepath.Join(c.s.Prompts, name))
	}
	return prompt, nil
}
