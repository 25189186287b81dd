package browser

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// heap returns the memory in use in the page after garbage collection: objects,
// and their buffers and WebAssembly memories.
func heap(t *testing.T, page *harness.Page) (used float64) {
	t.Helper()
	err := page.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		if _, err := cdp.Call(ctx, tab, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
			return err
		}
		usage, err := cdp.Call(ctx, tab, runtime.GetHeapUsage, cdp.Empty{})
		used = usage.UsedSize + usage.BackingStorageSize
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// After a collection was opened, searched and closed fifty times, in
// workers and in the page, neither workers nor memory remain.
func TestOpensWithoutGrowth(t *testing.T) {
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	rounds := func(n int) int {
		return call[int](t, page, `async (n, query) => {
			const { Vantage } = await import('/lib/index.js');
			globalThis.started ??= 0;
			globalThis.ended ??= 0;
			if (!globalThis.Plain) {
				globalThis.Plain = Worker;
				globalThis.Worker = class extends Plain {
					constructor(...args) { super(...args); started++; }
					terminate() { super.terminate(); ended++; }
				};
			}
			for (let i = 0; i < n; i++) {
				const vantage = await Vantage.open('/collection/', { worker: i % 2 === 0 });
				if (i % 3 > 0) await vantage.ready; // otherwise it is closed while it loads
				await vantage.search({ query });
				vantage.close();
			}
			return started - ended;
		}`, n, oppose)
	}
	rounds(10) // until the browser has everything that it keeps
	before := heap(t, page)
	if left := rounds(40); left != 0 {
		t.Errorf("%d workers are left", left)
	}
	if after := heap(t, page); after > before+2<<20 {
		t.Errorf("%.1f MB more after 40 opens and closes, %.1f MB before", (after-before)/(1<<20), before/(1<<20))
	}
}

// Two tabs of a site share only saved documents.
func TestTwoTabsAtOnce(t *testing.T) {
	server := serve(t, bare(debates(t)))
	tabs := []*harness.Page{open(t, server.URL("/")), open(t, server.URL("/"))}
	for i, tab := range tabs {
		call[any](t, tab, `async (i) => {
			const { Vantage } = await import('/lib/index.js');
			window.vantage = await Vantage.open('/collection/');
			await vantage.add([{ id: 'of tab ' + i, text: 'Night trains deserve public subsidy' }]);
			window.saving = Promise.all(Array.from({ length: 10 }, () => vantage.save('shared')));
		}`, i)
	}
	for i, tab := range tabs {
		got := call[[]string](t, tab, `async (query) => {
			await Promise.all([saving, vantage.ready]);
			const { hits } = await vantage.search({ query, k: 2000 });
			return hits.map((hit) => hit.id).filter((id) => id.startsWith('of tab'));
		}`, oppose)
		if want := []string{"of tab 0", "of tab 1"}[i]; len(got) != 1 || got[0] != want {
			t.Errorf("tab %d finds %q, want %q", i, got, want)
		}
	}
	// The saved documents are complete, whichever tab was last.
	got := call[int](t, tabs[0], `async () => {
		const { Vantage } = await import('/lib/index.js');
		const fresh = await Vantage.open('/collection/');
		const { length } = await fresh.restore('shared');
		await Vantage.forget('shared');
		fresh.close();
		return length;
	}`)
	if got != 1 {
		t.Errorf("%d documents restored", got)
	}
}
