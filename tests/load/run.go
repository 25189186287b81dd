package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/testing/peer"
)

// settle is how long the server is left alone before its memory is read.
const settle = time.Second

// run measures everything and returns the report.
func (p plan) run(dir string) (*report, error) {
	ctx := context.Background()
	if s, ok := shapes[p.Model]; ok {
		p.Model = filepath.Join(dir, p.Model)
		if err := s.Write(p.Model, 1); err != nil {
			return nil, err
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p.Threads))
	files := raiseFiles(uint64(2*(p.Idle+p.Active) + 200))
	encoder, err := model.Open(ctx, p.Model, model.Options{})
	if err != nil {
		return nil, err
	}
	defer encoder.Close()
	sockets := strconv.Itoa(p.Idle + p.Active + 10)
	server, err := startServer(p.vantage, p.Threads, "--model", p.Model, "--log", "off", "--rate", "0", "--sockets", sockets, "--sockets-per-address", sockets)
	if err != nil {
		return nil, err
	}
	defer server.kill()
	clients, err := startClients()
	if err != nil {
		return nil, err
	}
	defer clients.Stop()
	plain, err := startPlain(p)
	if err != nil {
		return nil, err
	}
	defer plain.Stop()
	awake, asleep := keepAwake()
	defer awake.Close()
	r := &report{Plan: p, Goals: goals, Notices: slices.DeleteFunc([]string{files, asleep}, func(s string) bool { return s == "" })}
	r.Plan.Model = filepath.Base(p.Model)
	c := &course{plan: p, server: server, clients: clients, plain: plain, encoder: encoder, report: r}
	for _, step := range []func() error{c.warm, c.idle, c.saturate, c.alone, c.paced, c.end} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// course is a running plan.
type course struct {
	plan
	server  *serverProcess
	clients *peer.Process
	plain   *peer.Process
	encoder model.Encoder
	report  *report
	before  state
	next    int // number of the next text
	asked   int
}

// ask gives the clients an order and adds up their faults.
func (c *course) ask(o order) (result, error) {
	o.URL, o.First = c.server.stream(), c.next
	got, err := askClients(c.clients, o)
	c.next += got.Asked
	c.asked += got.Asked
	c.report.Asked += got.Asked
	c.report.Lost += got.Asked - got.Answers
	c.report.Faults = append(c.report.Faults, got.Faults...)
	return got, err
}

// warm has the bare encoder and the server encode for a moment, and records the server's state
// without sockets.
func (c *course) warm() error {
	c.bare(50 * time.Millisecond)
	if _, err := c.ask(order{Active: 1, Seconds: .2}); err != nil {
		return err
	}
	if _, err := c.ask(order{Close: true}); err != nil {
		return err
	}
	time.Sleep(settle)
	var err error
	c.before, err = c.server.state()
	return err
}

// idle opens the idle sockets and reads the server's memory.
func (c *course) idle() error {
	if _, err := c.ask(order{Idle: c.Idle}); err != nil {
		return err
	}
	time.Sleep(settle)
	now, err := c.server.state()
	if err != nil {
		return err
	}
	if now.Sockets != float64(c.Idle) {
		return fmt.Errorf("%v of %d idle sockets are open", now.Sockets, c.Idle)
	}
	c.report.IdleBytes = (now.Memory - c.before.Memory) / float64(c.Idle)
	c.report.Memory = now.Memory
	c.report.IdleGoroutines = (now.Goroutines - c.before.Goroutines) / float64(c.Idle)
	return nil
}

// bareTexts is the batch size of the bare encoder: enough for its best
// throughput.
const bareTexts = 32

// bare encodes for a while, and returns the texts per second and their number.
func (c *course) bare(turn time.Duration) (rate float64, n int) {
	started := time.Now()
	for time.Since(started) < turn {
		list := make([]string, bareTexts)
		for i := range list {
			list[i] = text(c.next)
			c.next++
		}
		if err := encode(c.encoder, list...); err != nil {
			panic(err) // cannot happen: the texts are the program's own
		}
		n += len(list)
	}
	return float64(n) / time.Since(started).Seconds(), n
}

// saturate compares throughput while each active socket always has a text
// waiting.
func (c *course) saturate() error {
	var ratios, bareCPU, serverCPU, clientCPU []float64
	for range c.Turns {
		used := cpu()
		bare, texts := c.bare(c.Turn)
		bareCPU = append(bareCPU, (cpu()-used)/float64(texts))
		before, err := c.server.state()
		if err != nil {
			return err
		}
		got, err := c.ask(order{Active: c.Active, Seconds: c.Turn.Seconds()})
		if err != nil {
			return err
		}
		after, err := c.server.state()
		if err != nil {
			return err
		}
		serverCPU = append(serverCPU, (after.CPU-before.CPU)/float64(got.Answers))
		clientCPU = append(clientCPU, got.CPU/float64(got.Answers))
		served := float64(got.Answers) / got.Took
		c.report.Bare = append(c.report.Bare, bare)
		c.report.Served = append(c.report.Served, served)
		ratios = append(ratios, served/bare)
	}
	c.report.Throughput = median(ratios)
	c.report.CPU = processor{1000 * median(bareCPU), 1000 * median(serverCPU), 1000 * median(clientCPU)}
	return nil
}

// betweenTexts is the mean pause between lone texts.
const betweenTexts = 10 * time.Millisecond

// alone compares latencies of texts that arrive alone. It alternates between a text
// encoded here, one in the plain process, and one that is served, so that other load
// on the machine affects all of them.
func (c *course) alone() error {
	var turns, processes []turn
	var beside []float64
	random := rand.New(rand.NewPCG(1, 6))
	pause := func() time.Duration { return time.Duration(random.ExpFloat64() * float64(betweenTexts)) }
	for range c.Turns {
		before, err := c.server.state()
		if err != nil {
			return err
		}
		var now, apart turn
		for started := time.Now(); time.Since(started) < 3*c.Turn; {
			bare, err := c.timed(pause(), func(text string) error { return encode(c.encoder, text) })
			if err != nil {
				return err
			}
			plain, err := c.timed(pause(), func(text string) error { return askPlain(c.plain, plainOrder{Text: text}) })
			if err != nil {
				return err
			}
			now.bare, apart.bare, apart.served = append(now.bare, bare), append(apart.bare, bare), append(apart.served, plain)
			got, err := c.ask(order{Active: c.Active, Pause: pause().Seconds()})
			if err != nil {
				return err
			}
			now.served = append(now.served, got.Latencies...)
		}
		after, err := c.server.state()
		if err != nil {
			return err
		}
		turns, processes = append(turns, now), append(processes, apart)
		beside = append(beside, 1000*(after.Requests-before.Requests-after.Encoding+before.Encoding)/float64(max(1, len(now.served))))
	}
	c.report.Alone, c.report.Process, c.report.Beside = added(turns), added(processes), median(beside)
	return nil
}

// paced compares latencies of texts that come at random times (a Poisson process),
// below saturation. Each call of the bare encoder gets the texts that have come
// since the last one, at most bareTexts.
func (c *course) paced() error {
	bare, served := median(c.report.Bare), median(c.report.Served)
	rate := c.Share * bare
	c.report.Rate = rate
	var turns, ideal []turn
	for number := range c.Turns {
		due := arrivals(rate, c.Turn, uint64(number))
		var now turn
		started := time.Now()
		for left := due; len(left) > 0; {
			time.Sleep(time.Until(started.Add(left[0])))
			n := came(left, time.Since(started))
			var list []string
			for range n {
				list = append(list, text(c.next))
				c.next++
			}
			if err := encode(c.encoder, list...); err != nil {
				return err
			}
			for _, at := range left[:n] {
				now.bare = append(now.bare, (time.Since(started)-at).Seconds()*1000)
			}
			left = left[n:]
		}
		got, err := c.ask(order{Active: c.Active, Seconds: c.Turn.Seconds(), Rate: rate, Seed: uint64(number)})
		if err != nil {
			return err
		}
		now.served = got.Latencies
		turns = append(turns, now)
		ideal = append(ideal, turn{queued(due, bare), queued(due, served)})
	}
	c.report.Paced, c.report.Queue = added(turns), added(ideal)
	return nil
}

// timed has the next text encoded after a pause, and returns the milliseconds of
// that call.
func (c *course) timed(pause time.Duration, encode func(text string) error) (float64, error) {
	time.Sleep(pause)
	next := text(c.next)
	c.next++
	sent := time.Now()
	err := encode(next)
	return time.Since(sent).Seconds() * 1000, err
}

func encode(e model.Encoder, texts ...string) error {
	_, err := e.Encode(context.Background(), texts, encoder.Options{Role: encoder.Query})
	return err
}

// end closes all sockets and checks what is left in the server.
func (c *course) end() error {
	if _, err := c.ask(order{Close: true}); err != nil {
		return err
	}
	var now state
	for range 100 { // the server may not have noticed them all yet
		var err error
		if now, err = c.server.state(); err != nil {
			return err
		}
		if now.Sockets == 0 && now.Goroutines <= c.before.Goroutines+slack && now.Files <= c.before.Files+slack {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.report.LeftSockets = now.Sockets
	c.report.LeftGoroutines = now.Goroutines - c.before.Goroutines
	c.report.LeftFiles = now.Files - c.before.Files
	c.report.EncodedTwice = now.Encoded + now.Cached - float64(c.asked)
	return c.server.stop()
}
