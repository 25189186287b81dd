package server

import (
	"container/list"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
)

// job is one text of an order.
type job struct {
	ask
	order *order
	index int // index of the text in its request
	cost  int // tokens; estimated if given as text
	key   cacheKey
}

// order has the texts of a request that go through the queue together.
type order struct {
	role     encoder.Role
	sides    bool // vectors are topics, each followed by the angle
	deadline time.Time
	// wanted returns the reason why the texts need no longer be encoded, or nil. It
	// takes no locks.
	wanted func() error
	// finish is called once for each text, with its result. It must not block.
	finish func(index int, got encoder.Embedding, err error)
	trail  *trail

	jobs    []job // waiting jobs
	entered time.Time
	flow    *flow
	lane    *lane
	place   *list.Element // element of its lane's orders; nil if no job waits
}

// newOrder returns an order with room for a number of texts.
func newOrder(n int, role encoder.Role, wanted func() error, finish func(int, encoder.Embedding, error)) *order {
	return &order{role: role, wanted: wanted, finish: finish, jobs: make([]job, 0, n)}
}

// add adds a text, by its index in the request.
func (o *order) add(index int, a ask) {
	o.jobs = append(o.jobs, job{ask: a, order: o, index: index})
}
