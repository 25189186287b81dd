package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/testing/peer"
)

// roleVariable is set in the environment of copies of this program that it
// starts.
const (
	roleVariable = "VANTAGE_LOAD_ROLE"
	clientsRole  = "clients" // the process with the sockets
	plainRole    = "plain"   // the process with an encoder and a pipe
)

// order is a line that the clients' process reads. The process opens missing sockets.
// Then the active ones encode for a while, either each one text after the other or
// all at random times, or one socket encodes a single text.
type order struct {
	URL     string
	Idle    int     // sockets to keep open and idle
	Active  int     // sockets that encode
	Seconds float64 // how long they encode
	Rate    float64 // texts a second in all; 0: the next text after each answer
	Pause   float64 // if not 0: encode a single text after this many seconds
	Seed    uint64  // of the random times
	First   int     // number of the first text
	Close   bool    // instead, close all sockets
}

// result is the line that the process writes.
type result struct {
	Asked, Answers int
	Took           float64 // seconds, until the last answer
	CPU            float64 // seconds of this process
	Latencies      []float64
	Faults         []string
	Error          string
}

// startClients starts the process with the sockets.
func startClients() (*peer.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), roleVariable+"="+clientsRole)
	return peer.Start(command)
}

func askClients(p *peer.Process, o order) (r result, err error) {
	if err := p.Ask(o, &r); err != nil {
		return r, err
	}
	if r.Error != "" {
		err = fmt.Errorf("the clients: %s", r.Error)
	}
	return r, err
}

// crowd is the set of sockets.
type crowd struct {
	idle, active []*client.Client
	mu           sync.Mutex
	faults       []string
}

// runClient follows orders until there are no more.
func runClient(in io.Reader, out io.Writer) int {
	c := &crowd{}
	return peer.Follow(in, out, func(o order) result {
		r, err := c.follow(o)
		if err != nil {
			r.Error = err.Error()
		}
		return r
	})
}

func (c *crowd) follow(o order) (result, error) {
	if o.Close {
		var all errgroup.Group
		all.SetLimit(parallel)
		for _, socket := range append(c.idle, c.active...) {
			all.Go(func() error { socket.Close(); return nil })
		}
		all.Wait()
		c.idle, c.active = nil, nil
		return result{}, nil
	}
	if err := c.open(&c.idle, o.Idle, o.URL); err != nil {
		return result{}, err
	}
	if err := c.open(&c.active, o.Active, o.URL); err != nil {
		return result{}, err
	}
	r, used := result{}, cpu()
	switch {
	case o.Active == 0:
	case o.Rate > 0:
		c.paced(o, &r)
	case o.Pause > 0:
		c.alone(o, &r)
	default:
		c.saturate(o, &r)
	}
	r.CPU = cpu() - used
	c.mu.Lock()
	defer c.mu.Unlock()
	r.Faults, c.faults = c.faults, nil
	return r, nil
}

// fault records an error; no connection may be lost.
func (c *crowd) fault(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults = append(c.faults, err.Error())
}

// parallel is how many sockets are opened or closed at a time.
const parallel = 50

// open opens sockets until there are n.
func (c *crowd) open(sockets *[]*client.Client, n int, url string) error {
	var all errgroup.Group
	all.SetLimit(parallel)
	var mu sync.Mutex
	for range n - len(*sockets) {
		all.Go(func() error {
			socket, err := client.Dial(context.Background(), url, client.Options{Lost: c.fault})
			if err == nil {
				mu.Lock()
				*sockets = append(*sockets, socket)
				mu.Unlock()
			}
			return err
		})
	}
	return all.Wait()
}

// encode has a text encoded and reports whether that succeeded.
func (c *crowd) encode(socket *client.Client, number int) bool {
	answers, err := socket.Encode(context.Background(), []string{text(number)}, client.EncodeOptions{Role: vantage.RoleQuery})
	if err == nil {
		err = answers[0].Err
	}
	if err != nil {
		c.fault(err)
	}
	return err == nil
}

// saturate lets every active socket send the next text as soon as the last one
// is answered.
func (c *crowd) saturate(o order, r *result) {
	var all sync.WaitGroup
	started := time.Now()
	for _, socket := range c.active {
		all.Go(func() {
			for time.Since(started).Seconds() < o.Seconds {
				c.mu.Lock()
				number := o.First + r.Asked
				r.Asked++
				c.mu.Unlock()
				ok := c.encode(socket, number)
				c.mu.Lock()
				if ok {
					r.Answers++
				}
				c.mu.Unlock()
			}
		})
	}
	all.Wait()
	r.Took = time.Since(started).Seconds()
}

// alone encodes one text; its latency counts from when it is sent.
func (c *crowd) alone(o order, r *result) {
	time.Sleep(time.Duration(o.Pause * float64(time.Second)))
	sent := time.Now()
	r.Asked++
	if c.encode(c.active[o.First%len(c.active)], o.First) {
		r.Answers++
		r.Latencies = append(r.Latencies, time.Since(sent).Seconds()*1000)
	}
}

// paced sends texts at the times of a Poisson process; a text's latency counts
// from the time when it was due.
func (c *crowd) paced(o order, r *result) {
	var all sync.WaitGroup
	started := time.Now()
	for i, at := range arrivals(o.Rate, time.Duration(o.Seconds*float64(time.Second)), o.Seed) {
		time.Sleep(time.Until(started.Add(at)))
		r.Asked++
		all.Go(func() {
			ok := c.encode(c.active[i%len(c.active)], o.First+i)
			took := (time.Since(started) - at).Seconds() * 1000
			c.mu.Lock()
			defer c.mu.Unlock()
			if ok {
				r.Answers++
				r.Latencies = append(r.Latencies, took)
			}
		})
	}
	all.Wait()
	r.Took = time.Since(started).Seconds()
}
