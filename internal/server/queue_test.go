package server

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
)

// orderOf is an order of n wanted texts.
func orderOf(name string, n, cost int) *order {
	o := newOrder(n, encoder.Query, func() error { return nil }, func(int, encoder.Embedding, error) {})
	for i := range n {
		o.add(i, ask{text: fmt.Sprint(name, i)})
		o.jobs[i].cost = cost
	}
	return o
}

// who is the n-th asker.
func who(n byte) asker { return asker{addr: netip.AddrFrom4([4]byte{10, 0, 0, n})} }

// A client with many texts does not delay a client with few. Batches keep their budget,
// and a client's texts keep their order.
func TestQueueIsFair(t *testing.T) {
	q := newQueue(1000, 100_000, time.Hour, batchesAtOnce)
	if err := q.push(who(1), &lane{}, orderOf("m", 500, 100)); err != nil {
		t.Fatal(err)
	}
	if err := q.push(who(2), &lane{}, orderOf("l", 5, 10)); err != nil {
		t.Fatal(err)
	}
	taken, first := map[byte]int{}, true
	for q.tokens() > 0 {
		batch := q.next(context.Background(), 0)
		q.done()
		cost := 0
		for _, j := range batch {
			cost += j.cost
			if want := fmt.Sprint(string(j.text[0]), taken[j.text[0]]); j.text != want {
				t.Fatalf("%s comes before %s", j.text, want)
			}
			taken[j.text[0]]++
		}
		if cost > 1000 || len(batch) == 0 {
			t.Fatalf("a batch of %d tokens", cost)
		}
		if first && taken['l'] != 5 {
			t.Errorf("the first batch has %v", taken)
		}
		first = false
		if q.tokens() < 1000 {
			q.close() // otherwise the last batch would wait for more
		}
	}
	if taken['m'] != 500 || taken['l'] != 5 || len(q.active) != 0 {
		t.Errorf("%v", taken)
	}
	if q.next(context.Background(), 0) != nil || q.push(who(1), &lane{}, orderOf("m", 1, 1)) == nil {
		t.Error("a closed queue accepts a job")
	}
}

// A text larger than the budget is a batch of its own. A request larger than an asker's
// share is admitted if there is room for half of the share, and leaves room for others.
func TestQueueTakesLargeOnes(t *testing.T) {
	q := newQueue(100, 1000, 0, batchesAtOnce)
	if err := q.push(who(1), &lane{}, orderOf("a", 1, 5000)); err != nil {
		t.Fatal(err)
	}
	if err := q.push(who(1), &lane{}, orderOf("b", 1, 1)); err == nil {
		t.Error("an asker has room beyond its share")
	}
	if err := q.push(who(2), &lane{}, orderOf("c", 1, 1)); err != nil {
		t.Errorf("there is no room for others: %v", err)
	}
	for _, left := range []int{5000, 0} {
		if batch := q.next(context.Background(), 0); len(batch) != 1 || q.tokens() != left {
			t.Errorf("%d texts, %d tokens wait", len(batch), q.tokens())
		}
		q.done()
	}
	if q.counted != 0 || len(q.flows) != 0 {
		t.Errorf("%d tokens count, of %d askers", q.counted, len(q.flows))
	}
}

// An asker may have half of the room that the others leave, over all its connections,
// so that there is always room for one more. Jobs that are taken or swept make room
// again.
func TestQueueShares(t *testing.T) {
	q := newQueue(100, 1000, 0, batchesAtOnce)
	fill := func(n byte) (tokens int) {
		for q.push(who(n), &lane{}, orderOf("a", 1, 10)) == nil {
			tokens += 10
		}
		return tokens
	}
	for n, want := range []int{500, 250, 120, 60} { // requests are multiples of ten tokens, and at least one is admitted
		if got := fill(byte(n)); got != want {
			t.Errorf("asker %d has %d tokens, want %d", n, got, want)
		}
	}
	if q.push(who(9), &lane{}, orderOf("large", 1, 400)) == nil {
		t.Error("a request beyond its share is admitted although others have more than half")
	}
	gone := false
	o := orderOf("a", 2, 10)
	o.wanted = func() error {
		if gone {
			return errCancelled
		}
		return nil
	}
	before := q.tokens()
	if err := q.push(who(10), &lane{}, o); err != nil {
		t.Fatal(err)
	}
	if jobs, _ := q.sweep(o); len(jobs) != 0 {
		t.Error("wanted jobs were swept")
	}
	gone = true
	if jobs, why := q.sweep(o); len(jobs) != 2 || why != errCancelled || q.tokens() != before {
		t.Errorf("%d were swept (%v), %d tokens wait", len(jobs), why, q.tokens())
	}
	for q.tokens() > 0 {
		q.next(context.Background(), 0)
		q.done()
	}
	if got := fill(1); got != 500 || len(q.active) != 1 {
		t.Errorf("in the end one asker has %d, of %d askers", got, len(q.active))
	}
}

// The connections of an asker take turns within the asker's turn. A connection with a
// single text does not wait for all texts of another connection.
func TestQueueLanes(t *testing.T) {
	q := newQueue(1000, 100_000, 0, 1)
	much, little := &lane{}, &lane{}
	for _, push := range []struct {
		l           *lane
		name        string
		texts, cost int
	}{{much, "m", 100, 100}, {little, "l", 1, 10}, {much, "n", 1, 10}} {
		if err := q.push(who(1), push.l, orderOf(push.name, push.texts, push.cost)); err != nil {
			t.Fatal(err)
		}
	}
	var taken []string
	for q.tokens() > 0 {
		for _, j := range q.next(context.Background(), 0) {
			taken = append(taken, j.text)
		}
		q.done()
	}
	if at := slices.Index(taken, "l0"); at < 0 || at > 3 || taken[len(taken)-1] != "n0" || len(taken) != 102 {
		t.Errorf("the other's text is number %d of %d, %q is last", at, len(taken), taken[len(taken)-1])
	}
}

// A connection that comes back has neither to wait because it took much before, nor may it take more because it took
// little.
func TestQueueForgetsEmptyLanes(t *testing.T) {
	q := newQueue(64, 1_000_000, 0, 1)
	push := func(l *lane, name string, texts, cost int) {
		t.Helper()
		if err := q.push(who(1), l, orderOf(name, texts, cost)); err != nil {
			t.Fatal(err)
		}
	}
	empty := func() (taken []string) {
		for q.tokens() > 0 {
			for _, j := range q.next(context.Background(), 0) {
				taken = append(taken, j.text)
			}
			q.done()
		}
		return taken
	}
	much, little := &lane{}, &lane{}
	push(much, "a", 1, 10_000)
	empty()
	for range 100 {
		push(little, "b", 1, 1)
		empty()
	}
	push(little, "l", 50, 32)
	push(much, "m", 50, 32)
	for i, text := range empty()[:80] {
		if want := "lm"[i/2%2]; text[0] != want {
			t.Fatalf("text %d is %s, want one of %c", i, text, want)
		}
	}
}

// The size of a batch grows with the model's speed, and no client is always first.
func TestQueueFollowsTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, m := range []struct {
			rate float64
			want int
		}{{100, batchLeast}, {20_000, 500}, {1e9, 1000}} {
			q := newQueue(1000, 100_000, 0, batchesAtOnce)
			for range 100 {
				began := time.Now()
				time.Sleep(time.Second)
				q.encoded(int(m.rate), began)
			}
			for name := range 4 {
				if err := q.push(who(byte(name)), &lane{}, orderOf(fmt.Sprint(name), 1000, 10)); err != nil {
					t.Fatal(err)
				}
			}
			taken := map[byte]int{}
			for range 20 {
				batch := q.next(context.Background(), 0)
				q.done()
				if cost := 10 * len(batch); cost > m.want || cost < m.want-10 {
					t.Fatalf("at %v tokens a second: a batch of %d tokens, want %d", m.rate, cost, m.want)
				}
				for _, j := range batch {
					taken[j.text[0]]++
				}
			}
			for name := range 4 {
				if got, want := taken['0'+byte(name)], 20*m.want/10/4; got < want-10 || got > want+10 {
					t.Errorf("at %v tokens a second: client %d has %d texts encoded, about %d are its share", m.rate, name, got, want)
				}
			}
		}
	})
}

// Batches that fail say nothing about the model's speed, and the wait that is told does not overflow.
func TestQueueOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1000, 100_000, 0, 1)
		if err := q.push(who(1), &lane{}, orderOf("a", 4000, 10)); err != nil {
			t.Fatal(err)
		}
		rate, wait := q.rate, q.retry()
		for range 500 {
			began := time.Now()
			time.Sleep(time.Second)
			q.encoded(0, began)
		}
		if q.rate != rate || q.retry() != wait {
			t.Errorf("%v tokens a second and a wait of %v, at first %v and %v", q.rate, q.retry(), rate, wait)
		}
		if q.rate = 1e-30; q.retry() != 30*time.Second {
			t.Errorf("a wait of %v for a model that stands still", q.retry())
		}
	})
}

// A batch starts if it is full, or if its oldest job has waited for the window.
func TestQueueWaitsForTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const window = 2 * time.Millisecond
		q := newQueue(1000, 100_000, window, 1)
		take := func(want int, after time.Duration) {
			t.Helper()
			began := time.Now()
			batch := q.next(t.Context(), 0)
			q.done()
			if waited := time.Since(began); len(batch) != want || waited != after {
				t.Errorf("a batch of %d after %v, want %d after %v", len(batch), waited, want, after)
			}
		}
		push := func(name string, n, cost int) {
			if err := q.push(who(1), &lane{}, orderOf(name, n, cost)); err != nil {
				t.Error(err)
			}
		}
		push("alone", 1, 10)
		take(1, window)
		push("oldest", 1, 10)
		time.Sleep(window / 2)
		push("younger", 1, 10)
		take(2, window/2)
		go func() {
			time.Sleep(window / 4)
			push("others", 200, 10)
		}()
		push("first", 1, 10)
		take(q.size()/10, window/4)
		for q.tokens() >= q.size() {
			take(q.size()/10, 0)
		}
		take(q.tokens()/10, window) // the first job has gone, and the others have just come
	})
}

// If full batches wait, the next begins while one is encoded. A smaller batch waits
// until the model is idle. Two concurrent batches do not make the model seem half as
// fast.
func TestQueueOverlapsFullBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1000, 100_000, 0, batchesAtOnce)
		q.rate = 1e9
		if err := q.push(who(1), &lane{}, orderOf("a", 250, 10)); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		next := make(chan int)
		go func() {
			for range 3 {
				next <- len(q.next(t.Context(), 0))
			}
		}()
		if a, b := <-next, <-next; a != 100 || b != 100 {
			t.Fatalf("batches of %d and %d", a, b)
		}
		for i := range 2 {
			synctest.Wait()
			select {
			case <-next:
				t.Fatalf("half a batch beside %d others", 2-i)
			default:
			}
			time.Sleep(time.Second)
			q.encoded(1000, began)
			q.done()
		}
		if n := <-next; n != 50 {
			t.Errorf("then %d", n)
		}
		q.rate = 1000
		time.Sleep(time.Second)
		if q.encoded(1000, began); q.rate < 999 || q.rate > 1001 {
			t.Errorf("%v tokens a second, want 1000", q.rate)
		}
	})
}

// The second taker only gets batches that begin beside another one. Both takers see the
// end of the queue.
func TestQueueKeepsToTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1000, 100_000, 0, batchesAtOnce)
		q.rate = 1e9
		got, ended := make(chan int, 10), make(chan int, batchesAtOnce)
		for who := range batchesAtOnce {
			go func() {
				for batch := q.next(t.Context(), who); batch != nil; batch = q.next(t.Context(), who) {
					got <- who
					time.Sleep(time.Second)
					q.done()
				}
				ended <- who
			}()
		}
		for i, step := range []struct{ texts, want int }{{1, 0}, {100, 1}, {1, -1}} {
			if err := q.push(who(1), &lane{}, orderOf("a", step.texts, 10)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			who := -1
			select {
			case who = <-got:
			default:
			}
			if who != step.want {
				t.Errorf("step %d: %d has the batch, want %d", i, who, step.want)
			}
		}
		for range 5 {
			time.Sleep(2 * time.Second)
			if err := q.push(who(1), &lane{}, orderOf("a", 1, 10)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		q.close()
		for range batchesAtOnce {
			<-ended
		}
		for range 6 { // the last step and the five later ones
			if who := <-got; who != 0 {
				t.Errorf("taker %d has a batch that runs alone", who)
			}
		}
	})
}

func TestCacheKeepsItsLimit(t *testing.T) {
	const limit = 10 * (overhead + 4*8)
	c := newCache(limit)
	for i := range 100 {
		e := encoder.Embedding{Vector: make([]float32, 8), Tokens: i}
		c.Put(keyOf(encoder.Query, fmt.Sprint(i)), e, costOf(e))
		c.Get(keyOf(encoder.Query, "0")) // keeps 0 the most recent
		if c.Bytes() > limit {
			t.Fatalf("%d bytes, at most %d", c.Bytes(), limit)
		}
	}
	for text, want := range map[string]bool{"0": true, "99": true, "91": true, "90": false, "50": false} {
		if _, ok := c.Get(keyOf(encoder.Query, text)); ok != want {
			t.Errorf("%s is there: %v", text, ok)
		}
	}
	if _, ok := c.Get(keyOf(encoder.Document, "0")); ok {
		t.Error("another role has the same vector")
	}
}
