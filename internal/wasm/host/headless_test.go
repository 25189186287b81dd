package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// debates indexes the bundled corpus.
func debates(t testing.TB, dtype shard.DType) string {
	t.Helper()
	c, err := corpus.Open("../../../examples/debates/corpus.jsonl", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// Tiny shards make every query span several of them.
	options := collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, DType: dtype, ShardBytes: 40_000, BlockDocuments: 50}
	if _, err := collection.Write(context.Background(), dir, c.Documents(), options); err != nil {
		t.Fatal(err)
	}
	return dir
}

func both(t testing.TB, dir string, opts ...Option) (native, wasm *search.Collection) {
	t.Helper()
	return bothBy(t, dir, nil, opts...)
}

// bothBy is both with an encoder of the queries; nil: the collection's.
func bothBy(t testing.TB, dir string, queries search.Encoding, opts ...Option) (native, wasm *search.Collection) {
	t.Helper()
	ctx := context.Background()
	st, err := store.Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	native, err = search.Open(ctx, st, search.Options{Encoder: queries})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := New(ctx, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if queries == nil {
		wasm, err = engine.Open(ctx, os.DirFS(dir))
	} else {
		wasm, err = search.Open(ctx, st, search.Options{Encoder: queries, Cores: engine.Core, Instances: engine.options.instances})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(native.Close(), wasm.Close(), engine.Close(ctx)); err != nil {
			t.Error(err)
		}
	})
	return native, wasm
}

func text(s string) search.Text { return search.Text{Text: s} }

func marshal(t testing.TB, r any, err error) []byte {
	t.Helper()
	if err != nil {
		return []byte("error: " + err.Error())
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func number(x float64) *float64 { return &x }

func TestRerank(t *testing.T) {
	native, wasm := both(t, debates(t, shard.I8))
	texts := []string{"Cats sleep all day.", "Night trains are slow and dear.", "", "Sleeping cars replace short flights."}
	query := search.Query{Query: text("Find a claim that supports the argument: We need more night trains"), MMR: number(0.7)}
	want, err := native.Rerank(context.Background(), query, texts)
	if err != nil {
		t.Fatal(err)
	}
	got, err := wasm.Rerank(context.Background(), query, texts)
	if a, b := marshal(t, want, nil), marshal(t, got, err); !bytes.Equal(a, b) {
		t.Errorf("native %s\nwasm %s", a, b)
	}
	if len(want.Hits) != len(texts) || want.Hits[0].Index == 0 || want.Hits[0].Text != texts[want.Hits[0].Index] {
		t.Errorf("%+v", want.Hits)
	}
}

// Create is for programs with texts and no collection.
func TestCreate(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	c, err := engine.Create(ctx, builtin.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Rerank(ctx, search.Query{Query: text("night trains")}, []string{"a soup", "a sleeping car"})
	if err != nil || len(r.Hits) != 2 || r.Hits[0].Index != 1 || r.Method != "none" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := c.Search(ctx, search.Query{Query: text("x")}); err == nil {
		t.Error("a search without documents has an answer")
	}
}

// Many goroutines share few instances. A cancelled query, and one after Close, are errors.
func TestPool(t *testing.T) {
	native, wasm := both(t, debates(t, shard.I8), WithInstances(2))
	ctx := context.Background()
	query := func(i int) search.Query {
		return search.Query{Query: text(fmt.Sprintf("Find a claim that opposes the argument: Idea %d about homework and trains", i)), K: 5}
	}
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 10 {
				want, err := native.Search(ctx, query(g*10+i))
				if err != nil {
					t.Error(err)
					return
				}
				got, err := wasm.Search(ctx, query(g*10+i))
				if a, b := marshal(t, want, nil), marshal(t, got, err); !bytes.Equal(a, b) {
					t.Errorf("native %s\nwasm %s", a, b)
				}
			}
		})
	}
	group.Wait()

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := wasm.Search(cancelled, query(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled query: %v", err)
	}
	if err := wasm.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := wasm.Search(ctx, query(1)); !errors.Is(err, search.ErrClosed) {
		t.Errorf("a query after Close: %v", err)
	}
}

// A core whose heap is overwritten is lost, and the next query gets a new one.
func TestLostInstanceIsReplaced(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(ctx, os.DirFS(debates(t, shard.I8)))
	if err != nil {
		t.Fatal(err)
	}
	var cores []core
	c, err := search.Open(ctx, st, search.Options{Cores: func(ctx context.Context) (search.Core, error) {
		made, err := engine.Core(ctx)
		if err == nil {
			cores = append(cores, made.(core))
		}
		return made, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	query := search.Query{Query: text("Find a claim that opposes the argument: Homework helps")}
	want, err := c.Search(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	// Overwrite the heap. After that, the core must not give wrong answers.
	memory := cores[0].in.module.Memory()
	garbage := bytes.Repeat([]byte{0xff}, 1<<20)
	for at := uint32(2 << 20); at+uint32(len(garbage)) < memory.Size(); at += uint32(len(garbage)) {
		memory.Write(at, garbage)
	}
	if r, err := c.Search(ctx, query); err == nil {
		t.Fatalf("a ruined core answered: %+v", r.Hits)
	}
	if !cores[0].Lost() {
		t.Fatal("the ruined core is not lost")
	}
	got, err := c.Search(ctx, query)
	if a, b := marshal(t, want, nil), marshal(t, got, err); !bytes.Equal(a, b) || len(cores) != 2 {
		t.Errorf("after replacement, %d cores: %s, want %s", len(cores), b, a)
	}
}

// A collection that does not fit is an error, not a crash.
func TestMemoryLimit(t *testing.T) {
	ctx := context.Background()
	dir := debates(t, shard.F32)
	for limit, call := range map[int64]string{
		1 << 20: "its start", // less than the core's own size
		3 << 20: "its start", // less than the initial memory of its runtime
		9 << 20: "encoder_open",
	} {
		engine, err := New(ctx, WithMemoryLimit(limit))
		if err != nil {
			t.Fatal(err)
		}
		var lost *LostError
		_, err = engine.Open(ctx, os.DirFS(dir))
		if !errors.As(err, &lost) || lost.Limit != limit || lost.Call != call {
			t.Errorf("a collection of 5 MB in %d MB with its runtime: %v", limit>>20, err)
			continue
		}
		for _, part := range []string{fmt.Sprintf("%d MB that WithMemoryLimit allows", limit>>20), "raise the limit"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v lacks %q", err, part)
			}
		}
	}
}

// A limit that is the greatest cannot be raised, and the error does not say so.
func TestGreatestMemoryLimit(t *testing.T) {
	message := (&LostError{Call: "its start", Reason: "no memory", Limit: maxMemory}).Error()
	if strings.Contains(message, "raise") || !strings.Contains(message, "(no memory): index with --quantize int8, or split the collection") {
		t.Error(message)
	}
}

// Whatever of the core fails first for want of memory, the error names the limit.
func TestMemoryLimits(t *testing.T) {
	ctx := context.Background()
	dir := debates(t, shard.F32)
	refused := 0
	for limit := int64(7 << 19); limit < 20<<20; limit += 1 << 19 {
		engine, err := New(ctx, WithMemoryLimit(limit))
		if err != nil {
			t.Fatal(err)
		}
		c, err := engine.Open(ctx, os.DirFS(dir))
		if err == nil {
			c.Close()
			break
		}
		refused++
		if lost, ok := errors.AsType[*LostError](err); !ok || lost.Limit != limit || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d bytes: %v", limit, err)
		}
	}
	if refused < 10 {
		t.Errorf("%d limits are refused", refused)
	}
}

func TestCacheDirMakesStartsWarm(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "made", "if need be")
	start := func() time.Duration {
		engine, err := New(ctx, WithCacheDir(dir))
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		c, err := engine.Core(ctx)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		if err := errors.Join(c.Close(), engine.Close(ctx)); err != nil {
			t.Fatal(err)
		}
		return took
	}
	cold := start()
	compiled := modified(t, dir)
	warm := start()
	for range 4 {
		warm = min(warm, start())
	}
	t.Logf("cold start %v, warm start %v (goal 100 ms)", cold, warm)
	if len(compiled) == 0 || !maps.Equal(modified(t, dir), compiled) {
		t.Errorf("the cache directory holds %v, after warm starts %v", compiled, modified(t, dir))
	}
}

// Instances that start at the same time from a cache directory do not disturb each other. wazero shows code that it
// reads from a directory to others before it is complete.
func TestCacheDirManyStarts(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	for range 5 {
		engine, err := New(ctx, WithCacheDir(dir))
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				c, err := engine.Core(ctx)
				if err == nil {
					err = c.Close()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if err := engine.Close(ctx); err != nil {
			t.Error(err)
		}
	}
}

// An engine that is closed starts no instance, whether or not it owns the compiled code, and lets those that are starting
// end. wazero panics if it starts one from a closed cache.
func TestClosedEngine(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	for name, options := range map[string][]Option{"no folder": nil, "a folder": {WithCacheDir(dir)}} {
		engine, err := New(ctx, options...)
		if err != nil {
			t.Fatal(err)
		}
		first, err := engine.Core(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				c, err := engine.Core(ctx)
				if err == nil {
					err = c.Close()
				} else if errors.Is(err, search.ErrClosed) {
					err = nil
				}
				if err != nil {
					t.Errorf("%s: while the engine closes: %v", name, err)
				}
			})
		}
		if err := errors.Join(engine.Close(ctx), engine.Close(ctx)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		group.Wait()
		if _, err := engine.Core(ctx); !errors.Is(err, search.ErrClosed) || fault.Of(err) != fault.Unavailable || err.Error() != "the engine is closed" {
			t.Errorf("%s: a closed engine: %v", name, err)
		}
		if _, err := first.Read("a claim"); err != nil { // one that has started goes on
			t.Errorf("%s: %v", name, err)
		}
		if err := first.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// modified returns the time at which each file below a folder was written.
func modified(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	found := map[string]time.Time{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			found[path] = info.ModTime()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func BenchmarkSearch(b *testing.B) {
	native, wasm := both(b, debates(b, shard.I8))
	query := search.Query{Query: text("Find a claim that opposes the argument: Homework helps")}
	for name, c := range map[string]*search.Collection{"native": native, "wasm": wasm} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Search(context.Background(), query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
