package client

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// Answer is the result for one text.
type Answer struct {
	Index     int // of the text in its call
	Vector    []float32
	Tokens    int  // that the model saw
	Truncated bool // the text was longer than the model takes
	Err       error
}

// call is a call of Encode or Each.
type call struct {
	ctx      context.Context
	options  EncodeOptions
	answers  chan Answer // has room for all
	requests map[*request]struct{}
	failed   chan struct{}
	err      error
}

// fail ends a call; the client's lock is held.
func (k *call) fail(err error) {
	if k.err == nil {
		k.err = err
		close(k.failed)
	}
}

// request is one ENCODE.
type request struct {
	call  *call
	id    uint32
	texts []string
	index []int  // of the texts in the call
	have  []byte // bits, as in RESUME
	left  int    // answers that have not come
	bytes int64
	link  *link // that sent it, which may be lost; nil: not sent
	anew  bool  // its texts were sent before, in another request
	retry []int
	wait  time.Duration // before retry's texts are sent once more
	timer *time.Timer   // that sends it
}

// Encode returns the answer to each text, in order. Texts that cannot be encoded have an
// error in their answer. The end of the context cancels the call, on the server too. An error
// of the whole call is that of the context, ErrClosed, why the server refuses (*Fault,
// *StatusError), that the server has another model now, or of kind vantage.ErrInput if an option
// is none.
func (c *Client) Encode(ctx context.Context, texts []string, o EncodeOptions) ([]Answer, error) {
	answers := make([]Answer, len(texts))
	err := c.Each(ctx, texts, o, func(a Answer) { answers[a.Index] = a })
	return answers, err
}

// Each is like Encode, but passes each answer on when it arrives, in any order.
func (c *Client) Each(ctx context.Context, texts []string, o EncodeOptions, use func(Answer)) error {
	if o.DType == 0 {
		o.DType = F32
	}
	if err := o.check(c.Facts().Model.Dim); err != nil {
		return err
	}
	k := &call{ctx: ctx, options: o, answers: make(chan Answer, len(texts)), requests: map[*request]struct{}{}, failed: make(chan struct{})}
	waiting := c.split(k, texts)
	defer c.forget(k)
	for left := len(texts); left > 0; {
		var changed <-chan struct{}
		waiting, changed = c.admit(waiting)
		select {
		case a := <-k.answers:
			use(a)
			left--
		case <-changed:
		case <-k.failed:
			return k.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// split makes requests of texts, each within the server's limits. Texts beyond
// the limits get an error immediately.
func (c *Client) split(k *call, texts []string) []*request {
	facts := c.Facts()
	dim := facts.Model.Dim
	if k.options.Dimensions > 0 {
		dim = k.options.Dimensions
	}
	vector := int64(wire.VectorSize(dim, wire.DType(k.options.DType)))
	const head = 2*wire.HeaderSize + 4 // of a frame of texts, with the length of the first
	// A text has to fit into a frame, or the server closes the connection, and into the session beside its vector, or the
	// server refuses the whole request.
	longest := max(0, min(facts.Limits.TextBytes, facts.Limits.MessageBytes-head))
	if room := int64(facts.Limits.PendingBytes) - vector; room > 0 {
		longest = int(min(int64(longest), room))
	}
	most := int64(facts.Limits.PendingBytes / 2) // so that the next is on its way while one is answered
	var all []*request
	var r *request
	frame := 0
	for i, text := range texts {
		if len(text) > longest {
			k.answers <- Answer{Index: i, Err: &Fault{CodeTooLarge, fmt.Sprintf("the text has %d bytes, at most %d", len(text), longest)}}
			continue
		}
		frame += 4 + len(text)
		bytes := vector + int64(len(text))
		if r == nil || len(r.texts) == facts.Limits.Texts || frame > facts.Limits.MessageBytes || r.bytes+bytes > most {
			frame = head + len(text)
			r = &request{call: k}
			all = append(all, r)
		}
		r.texts, r.index = append(r.texts, text), append(r.index, i)
		r.bytes += bytes
	}
	return all
}

// admit sends requests for which there is room; the channel is closed when there
// may be room for more.
func (c *Client) admit(waiting []*request) ([]*request, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(waiting) > 0 {
		r := waiting[0]
		if c.err != nil {
			r.call.fail(c.err)
			return nil, nil
		}
		if c.bytes > 0 && c.bytes+r.bytes > int64(c.facts.Limits.PendingBytes) {
			return waiting, c.changed
		}
		c.enter(r, 0)
		waiting = waiting[1:]
	}
	return nil, nil
}

// enter sends a request after a while; c.mu is held.
func (c *Client) enter(r *request, after time.Duration) {
	r.have, r.left = make([]byte, (len(r.texts)+7)/8), len(r.texts)
	r.call.requests[r] = struct{}{}
	c.bytes += r.bytes
	for c.last++; c.last == 0 || c.requests[c.last] != nil; c.last++ {
	}
	r.id = c.last
	c.requests[r.id] = r
	if after == 0 {
		c.send(r)
		return
	}
	r.timer = time.AfterFunc(after, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		r.timer = nil
		if c.requests[r.id] == r && r.link == nil {
			c.send(r)
		}
	})
}

// send sends a request, or leaves it to the next connection; c.mu is held.
func (c *Client) send(r *request) {
	if c.link == nil {
		return
	}
	o := r.call.options
	f := &wire.Encode{ID: r.id, Role: roles[o.Role], DType: wire.DType(o.DType), Dimensions: uint32(o.Dimensions), Texts: make([][]byte, len(r.texts))}
	if deadline, ok := r.call.ctx.Deadline(); ok {
		f.Deadline = uint32(min(max(time.Until(deadline).Milliseconds(), 1), 1<<31))
	}
	for i, text := range r.texts {
		f.Texts[i] = []byte(text)
	}
	c.link.send(f)
	r.link = c.link
}

// again replaces a request by a new one with some of its texts; c.mu is held.
func (c *Client) again(r *request, texts []int, after time.Duration) {
	c.remove(r)
	if len(texts) == 0 { // only DONE was missing
		return
	}
	dim := c.facts.Model.Dim
	if r.call.options.Dimensions > 0 {
		dim = r.call.options.Dimensions
	}
	n := &request{call: r.call, anew: true}
	for _, i := range texts {
		n.texts, n.index = append(n.texts, r.texts[i]), append(n.index, r.index[i])
		n.bytes += int64(len(r.texts[i]) + wire.VectorSize(dim, wire.DType(r.call.options.DType)))
	}
	if after > 0 {
		after += rand.N(after) // not all together
	}
	c.enter(n, after)
}

// remove forgets a request; c.mu is held.
func (c *Client) remove(r *request) {
	if c.requests[r.id] != r {
		return
	}
	delete(c.requests, r.id)
	delete(r.call.requests, r)
	c.bytes -= r.bytes
	if r.timer != nil {
		r.timer.Stop()
	}
	c.signal()
}

// finish ends a request that was answered in full; c.mu is held.
func (c *Client) finish(r *request) {
	if len(r.retry) > 0 {
		c.again(r, r.retry, r.wait)
		return
	}
	c.remove(r)
}

// dropLimit bounds how many cancelled requests are remembered for the next connection.
// The server forgets older ones with their session.
const dropLimit = 1000

// forget cancels what is left of a call.
func (c *Client) forget(k *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for r := range k.requests {
		if r.link != nil {
			r.link.send(&wire.Cancel{ID: r.id})
		}
		if r.link != nil && !r.link.leaving {
			c.dropped = append(c.dropped[max(0, len(c.dropped)+1-dropLimit):], r.id)
		}
		c.remove(r)
	}
}

// missing returns the texts that have no answer.
func (r *request) missing() []int {
	list := slices.Clone(r.retry)
	for i := range r.texts {
		if !r.has(i) {
			list = append(list, i)
		}
	}
	return list
}

func (r *request) has(i int) bool { return r.have[i/8]>>(i%8)&1 == 1 }

// take notes that the answer to a text has come.
func (r *request) take(index uint32) error {
	if uint64(index) >= uint64(len(r.texts)) {
		return violation("an answer to text %d of %d", index, len(r.texts))
	}
	if r.has(int(index)) {
		return violation("text %d was answered twice", index)
	}
	r.have[index/8] |= 1 << (index % 8)
	r.left--
	return nil
}

func (r *request) vector(f *wire.Vector, dim int) error {
	if r.call.options.Dimensions > 0 {
		dim = r.call.options.Dimensions
	}
	if f.DType != wire.DType(r.call.options.DType) || f.Dim() != dim {
		return violation("a vector of %d components of dtype %d, not %d of %d", f.Dim(), f.DType, dim, r.call.options.DType)
	}
	if err := r.take(f.Index); err != nil {
		return err
	}
	r.call.answers <- Answer{Index: r.index[f.Index], Vector: f.Floats(), Tokens: int(f.Tokens), Truncated: f.Truncated}
	return nil
}

// fault handles a FAULT of a text.
func (r *request) fault(f *wire.Fault, fault *Fault) error {
	if err := r.take(f.Index); err != nil {
		return err
	}
	switch {
	case f.Code == wire.CodeDeadline:
		r.call.fail(context.DeadlineExceeded)
	case f.Retry > 0:
		r.retry, r.wait = append(r.retry, int(f.Index)), asked(f.Retry)
	default:
		r.call.answers <- Answer{Index: r.index[f.Index], Err: fault}
	}
	return nil
}
