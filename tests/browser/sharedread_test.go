package browser

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"
)

// A block of documents that is read twice at the same time is downloaded once.
func TestSharedReads(t *testing.T) {
	t.Parallel()
	var asked, cancelled atomic.Int64
	var hang, fail atomic.Bool
	page := open(t, serve(t, faulty(t, func(w http.ResponseWriter, r *http.Request, content []byte) bool {
		if !isDocs(r) {
			return false
		}
		asked.Add(1)
		for hang.Load() {
			select {
			case <-r.Context().Done():
				cancelled.Add(1)
				return true
			case <-time.After(10 * time.Millisecond):
			}
		}
		if fail.CompareAndSwap(true, false) {
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		w.Header().Set("Cache-Control", "no-store") // so that each read of the library is a request
		w.Write(content)
		return true
	})).URL("/"))
	const readTwice = `async () => {
		const { Vantage } = await import('/lib/index.js');
		window.vantage = await Vantage.open('/collection/', { worker: false });
		window.stops = [new AbortController(), new AbortController()];
		window.ends = stops.map(({ signal }) => vantage.documents([0], { signal }).then(() => 'read', ({ name }) => name));
	}`
	hang.Store(true)
	call[any](t, page, readTwice)
	wait.Until(t, "the block is asked for", func() bool { return asked.Load() > 0 })
	// One of two readers leaves, and the other one gets the block.
	if got := call[string](t, page, `() => { stops[0].abort(); return ends[0]; }`); got != "AbortError" {
		t.Errorf("the reader that left: %s", got)
	}
	hang.Store(false)
	if got := call[string](t, page, `() => ends[1]`); got != "read" || asked.Load() != 1 {
		t.Errorf("the other one: %s, after %d requests", got, asked.Load())
	}
	// If both leave, nobody waits for the block, and the next reader asks anew.
	hang.Store(true)
	call[any](t, page, readTwice)
	wait.Until(t, "the block is asked for again", func() bool { return asked.Load() > 1 })
	if got := call[string](t, page, `() => { for (const stop of stops) stop.abort(); return Promise.all(ends).then(String); }`); got != "AbortError,AbortError" {
		t.Errorf("the readers that left: %s", got)
	}
	wait.Until(t, "the download is cancelled", func() bool { return cancelled.Load() == 1 })
	hang.Store(false)
	if got := call[string](t, page, `() => vantage.documents([0]).then(([{ _id }]) => _id)`); got == "" || asked.Load() != 3 {
		t.Errorf("the next one: %q, after %d requests", got, asked.Load())
	}
	// If what one has begun fails, the other one asks again.
	hang.Store(true)
	call[any](t, page, readTwice)
	wait.Until(t, "the block is asked for once more", func() bool { return asked.Load() == 4 })
	fail.Store(true)
	hang.Store(false)
	page.Expect("Failed to load resource")
	if got := call[string](t, page, `() => Promise.all(ends).then(String)`); got != "NetworkError,read" || asked.Load() != 5 {
		t.Errorf("after a failure: %s, after %d requests", got, asked.Load())
	}
}
