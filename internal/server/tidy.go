package server

import (
	"runtime/debug"
	runtime "runtime/metrics"
	"sync/atomic"
	"time"
)

// tidy returns memory to the system after clients have left. Go's runtime alone does that
// only after minutes, because a process that allocates nothing is rarely collected.
type tidy struct {
	held  func() int64 // bytes that the server holds for clients now
	armed atomic.Bool  // a call of check is scheduled
	busy  atomic.Bool  // clients asked for memory since the last check
	// Only check uses these; its calls do not overlap.
	most   int64 // most bytes held for clients since memory was last returned
	least  int64 // bytes of this process at that time
	waited int   // checks since that time
}

const (
	tidyEvery = 5 * time.Second
	tidyWaits = 6        // checks to wait while clients are busy
	untidy    = 32 << 20 // least bytes that are worth returning
)

func newTidy(held func() int64) *tidy { return &tidy{held: held, least: used()} }

// used records that a client has asked for memory.
func (t *tidy) used() {
	if !t.busy.Load() {
		t.busy.Store(true)
	}
	if !t.armed.Load() && !t.armed.Swap(true) {
		time.AfterFunc(tidyEvery, t.check)
	}
}

// check returns memory if clients have freed much, or if they are quiet and there is
// garbage. It runs again until they are quiet and hold little.
func (t *tidy) check() {
	busy, held := t.busy.Swap(false), t.held()
	t.most = max(t.most, held)
	t.waited++
	left := t.most-held >= untidy && (!busy || t.waited >= tidyWaits)
	if left || !busy && used()-t.least >= untidy {
		debug.FreeOSMemory()
		t.most, t.least, t.waited = held, used(), 0
	}
	if busy || t.most-held >= untidy || held >= untidy {
		time.AfterFunc(tidyEvery, t.check)
		return
	}
	t.armed.Store(false)
}

// used is the number of bytes that Go's runtime has from the system.
func used() int64 {
	list := []runtime.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	runtime.Read(list)
	return int64(list[0].Value.Uint64() - list[1].Value.Uint64())
}

// inUse is the number of bytes in use, including garbage.
func inUse() int64 {
	list := []runtime.Sample{{Name: "/memory/classes/heap/free:bytes"}}
	runtime.Read(list)
	return used() - int64(list[0].Value.Uint64())
}
