package server

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Perspectives are the settings of POST /v1/perspectives.
type Perspectives struct {
	Chat    chat.Settings // replies are never kept on disk
	Domains []*mvrag.Domain
	Budget  Budget
}

// allViews is how many requests ask the chat model at a time.
const allViews = 32

// views asks the chat model for /v1/perspectives. While a request runs, it has a client of its
// own, so that its tokens can be told from those of other requests.
type views struct {
	settings chat.Settings
	domains  []*mvrag.Domain
	budgets  *budgets
	room     chan struct{} // holds an element for each request

	mu   sync.Mutex
	idle []*chat.Client
}

// newViews checks the settings. It does not connect.
func newViews(p *Perspectives) (*views, error) {
	v := &views{settings: p.Chat, domains: p.Domains, budgets: &budgets{limit: p.Budget, now: time.Now}, room: make(chan struct{}, allViews)}
	v.settings.Anew = true
	if len(v.domains) == 0 {
		return nil, fault.New(fault.Query, "the chat model has no domain")
	}
	c, err := v.take()
	if err != nil {
		return nil, err
	}
	defer v.give(c)
	_, err = mvrag.NewModel(c, v.domains[0])
	return v, err
}

func (v *views) take() (*chat.Client, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if n := len(v.idle); n > 0 {
		c := v.idle[n-1]
		v.idle = v.idle[:n-1]
		return c, nil
	}
	return chat.Open(v.settings)
}

func (v *views) give(c *chat.Client) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.idle = append(v.idle, c)
}

// uncounted is how many tokens of a client's budget pay for requests whose tokens the host does not report, such as those
// that end because the client leaves: as many as their replies may have.
func (v *views) uncounted(used chat.Usage) int64 {
	return int64(used.Uncounted+used.Unanswered) * int64(cmp.Or(v.settings.MaxTokens, chat.DefaultMaxTokens))
}

// names lists the domains; without a chat model there are none.
func (v *views) names() []string {
	names := []string{}
	if v != nil {
		for _, d := range v.domains {
			names = append(names, d.Name)
		}
	}
	return names
}

// domain finds a domain by its name, or nil. A hyphen stands for a space, as in the names that --domain takes. "" stands
// for the only domain, if there is just one.
func (v *views) domain(name string) *mvrag.Domain {
	if name == "" && len(v.domains) == 1 {
		return v.domains[0]
	}
	for _, d := range v.domains {
		if d.Name == name || strings.ReplaceAll(d.Name, " ", "-") == name {
			return d
		}
	}
	return nil
}
