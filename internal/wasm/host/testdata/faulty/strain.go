//go:build wasm

package main

import (
	"errors"
	"runtime"
	"strconv"
	"sync"
)

// strain uses the features that the core's runtime must still have after pruning, much
// more than the core does: garbage collection with pointers in every kind of frame,
// growing stacks, deferred calls and recovered panics of every kind, goroutines and
// maps. It panics if a result is wrong.
func strain() {
	held := map[string]*node{}
	for round := range 12 {
		for i := range 2000 {
			held[strconv.Itoa(i*round%3001)] = &node{value: i, next: held[strconv.Itoa(i)]}
		}
		if got := deep(200+100*round, &node{value: round}); got != round+200+100*round {
			panic("deep: " + strconv.Itoa(got))
		}
		runtime.GC()
		for i := range 3001 {
			if n := held[strconv.Itoa(i)]; n != nil && (n.value < 0 || n.value >= 2000) {
				panic("a node was lost: " + strconv.Itoa(n.value))
			}
		}
		recoverAll()
		describe()
		goroutines(round)
	}
}

type node struct {
	value int
	next  *node
	extra [4]any
}

// deep grows the stack, with pointers into it, and collects garbage at the deepest
// point.
func deep(n int, p *node) int {
	local := node{value: p.value, next: p}
	if n == 0 {
		runtime.GC()
		return local.next.value
	}
	defer func() { local.next = nil }()
	return deep(n-1, &local) + 1
}

type receiver struct{ text string }

func (r receiver) Recover(to *any)     { *to = recover() }
func (r *receiver) Nothing()           {}
func (r receiver) Error() string       { return r.text }
func inlined(to *any)                  { *to = recover() }
func nested(to *any)                   { inlined(to) }
func through(r interface{ Nothing() }) { defer r.Nothing(); panic("through") }

// recovered runs body and returns the value of its panic.
func recovered(body func()) (got any) {
	defer func() { got = recover() }()
	body()
	return nil
}

func recoverAll() {
	var none []int
	var null *node
	var empty map[string]int
	zero := len(none)
	for what, body := range map[string]func(){
		"runtime error: index out of range [3] with length 0":              func() { none[zero+3]++ },
		"runtime error: integer divide by zero":                            func() { zero = 1 / zero },
		"runtime error: invalid memory address or nil pointer dereference": func() { null.value++ },
		"assignment to entry in nil map":                                   func() { empty["a"] = 1 },
		"runtime error: slice bounds out of range [:5] with capacity 0":    func() { none = none[:zero+5] },
		"thrown": func() { panic(errors.New("thrown")) },
		// The names of types are stripped.
		"interface conversion:  is , not  (types from different scopes)": func() { var v any = "x"; zero = v.(int) },
		"interface conversion:  is not : missing method Nothing":         func() { var v any = receiver{}; v.(interface{ Nothing() }).Nothing() },
	} {
		got, _ := recovered(body).(error)
		if got == nil || got.Error() != what {
			panic("recovered " + text(got) + ", want " + what)
		}
	}
	if got := recovered(func() { through(&receiver{}) }); got != "through" {
		panic("a deferred interface call")
	}
	for name, check := range map[string]func() any{
		"a wrapper of a method": func() (got any) {
			func() { var r interface{ Recover(*any) } = &receiver{}; defer r.Recover(&got); panic("1") }()
			return got
		},
		"a function that is inlined": func() (got any) { func() { defer inlined(&got); panic("1") }(); return got },
		"a call in a loop": func() (got any) {
			func() {
				for range 3 {
					defer inlined(&got)
				}
				panic("1")
			}()
			return "1"
		},
		"a panic in a panic": func() any { return recovered(func() { defer func() { panic("1") }(); panic("0") }) },
	} {
		if got := check(); got != "1" {
			panic("not recovered by " + name)
		}
	}
	var got any
	if again := recovered(func() { defer nested(&got); panic("1") }); again != "1" || got != nil {
		panic("recovered by a function that was not deferred itself")
	}
}

func text(err error) string {
	if err == nil {
		return "nothing"
	}
	return err.Error()
}

// goroutines passes numbers through a chain and waits for all of them.
func goroutines(n int) {
	var group sync.WaitGroup
	var mutex sync.Mutex
	sum := 0
	chain := make(chan int, 2)
	first := chain
	for range 20 {
		next := make(chan int)
		in := chain
		group.Go(func() {
			for v := range in {
				mutex.Lock()
				sum += v
				mutex.Unlock()
				next <- v + 1
			}
			close(next)
		})
		chain = next
	}
	group.Go(func() {
		for i := range n {
			first <- i
		}
		close(first)
	})
	last := chain
	for v := range last {
		select {
		case <-last:
		default:
			sum -= v
		}
	}
	group.Wait()
	runtime.Gosched()
}
