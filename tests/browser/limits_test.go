package browser

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// manyRows returns a folder with a collection, and no pages, whose rows fill several files of 2 MB.
func manyRows(t *testing.T, rows, dim int) (dir string) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]float32, rows*dim)
	for i := range data {
		data[i] = float32(r.NormFloat64())
	}
	docs := func(yield func(store.Document, error) bool) {
		for i := range rows {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: fmt.Sprintf("row %d", i)}, nil) {
				return
			}
		}
	}
	dir = t.TempDir()
	_, err := collection.Write(context.Background(), filepath.Join(dir, "collection"), docs, collection.Options{
		Rows: collection.Given{Model: manifest.Model{ID: "random"}, Dim: dim, Data: data}, DType: shard.F32, ShardBytes: 2_000_000,
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The memory limit is reached while vectors load: the loaded rows answer, the
// error says that memory is out, and adding to a full engine changes nothing.
func TestMemoryLimitReached(t *testing.T) {
	const rows, dim = 8000, 256
	mux := http.NewServeMux()
	mux.Handle("/collection/", folder(manyRows(t, rows, dim)))
	mux.Handle("/", bare(debates(t)))
	page := open(t, serve(t, mux).URL("/"))
	for _, worker := range []bool{true, false} {
		got := call[struct {
			Ready, Added      seenFault
			Rows, Total, Hits int
			Same              bool
		}](t, page, `async (dim, worker) => {
			const lib = await import('/lib/index.js');`+describeFault+`
			const whole = await lib.Vantage.open('/collection/', { worker });
			await whole.ready;
			const { used } = await whole.memory();
			whole.close();
			const vantage = await lib.Vantage.open('/collection/', { worker, maxBytes: used - 3e6 });
			const ready = await vantage.ready.then(() => null, describe);
			const ask = async () => (await vantage.search({ query: new Float32Array(dim).fill(1), k: 10000 })).hits.map((hit) => hit.id).join();
			const before = await ask();
			const { rows, total } = vantage.coverage;
			const vector = new Float32Array(dim).fill(1);
			const added = await vantage.add(Array.from({ length: 8000 }, (_, i) => ({ id: 'new ' + i, text: '', vector }))).then(() => null, describe);
			const after = await ask();
			vantage.close();
			return { ready, added, rows, total, hits: before.split(',').length, same: before === after };
		}`, dim, worker)
		for _, f := range []seenFault{got.Ready, got.Added} {
			if f.Name != "LimitError" || !f.Typed || !strings.Contains(f.Message, "out of memory") {
				t.Errorf("worker %v: %+v", worker, f)
			}
		}
		if got.Rows == 0 || got.Rows >= rows || got.Total != rows || got.Hits != got.Rows || !got.Same {
			t.Errorf("worker %v: %+v", worker, got)
		}
	}
}

// The host goes down when some of the vectors have arrived, and comes back.
func TestHostGoesDown(t *testing.T) {
	t.Parallel()
	const rows, dim = 8000, 256
	files := folder(manyRows(t, rows, dim))
	var vectors, down atomic.Int64
	mux := http.NewServeMux()
	mux.Handle("/", bare(debates(t)))
	mux.HandleFunc("/collection/", func(w http.ResponseWriter, r *http.Request) {
		if isVectors(r) && vectors.Add(1) == 3 {
			down.Store(1)
		}
		if down.Load() == 1 {
			panic(http.ErrAbortHandler)
		}
		files.ServeHTTP(w, r)
	})
	server := serve(t, mux)
	page := open(t, server.URL("/"))
	page.Expect(`Failed to load resource`)
	const openAndAsk = `async (dim) => {
		const lib = await import('/lib/index.js');` + describeFault + `
		window.vantage ??= await lib.Vantage.open('/collection/');
		const ready = await vantage.ready.then(() => null, describe);
		const query = new Float32Array(dim).fill(1);
		const unread = await vantage.search({ query }).then(() => null, describe);
		return { ready, unread, ...vantage.coverage };
	}`
	type state struct {
		Ready, Unread *seenFault
		Rows, Total   int
	}
	got := call[state](t, page, openAndAsk, dim)
	if got.Ready == nil || got.Ready.Name != "NetworkError" || got.Unread == nil || got.Unread.Name != "NetworkError" || got.Rows == 0 || got.Rows >= rows {
		t.Fatalf("while it is down: %+v", got)
	}
	down.Store(0)
	// Rows that have arrived are searched, with their texts. Each search begins to fetch the others again.
	again := call[state](t, page, openAndAsk, dim)
	if again.Unread != nil || again.Rows < got.Rows {
		t.Errorf("when it is back: %d rows of %d; %+v, %+v", again.Rows, got.Rows, again.Ready, again.Unread)
	}
	waitFor(t, page, fmt.Sprintf("vantage.coverage.rows === %d", rows))
	whole := call[int](t, page, `async () => {
		const { Vantage } = await import('/lib/index.js');
		vantage.close();
		const fresh = await Vantage.open('/collection/');
		await fresh.ready;
		const { rows } = fresh.coverage;
		fresh.close();
		return rows;
	}`)
	if whole != rows {
		t.Errorf("%d rows when it is opened again", whole)
	}
}

// Wrong bytes that a cache would keep for a year are fetched again, once, from
// the host itself.
func TestWrongBytesInACache(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	page := open(t, serve(t, faulty(t, func(w http.ResponseWriter, r *http.Request, content []byte) bool {
		if isManifest(r) {
			return false
		}
		mu.Lock()
		asked[r.URL.Path]++
		first := asked[r.URL.Path] == 1
		mu.Unlock()
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		if first {
			content = flip(content)
		}
		w.Write(content)
		return true
	})).URL("/"))
	for range 2 {
		got := call[found](t, page, strings.ReplaceAll(search1, "LIB", "/lib"), "/collection/", map[string]any{}, oppose)
		if len(got.IDs) != 10 {
			t.Errorf("%+v", got)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for path, n := range asked {
		if n != 2 {
			t.Errorf("%s was fetched %d times, want 2: the right bytes must be cached", path, n)
		}
	}
}
