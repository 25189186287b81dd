package search_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// slowFS is a file system. While it is slow, opening a file in one of its folders waits
// until the test allows it.
type slowFS struct {
	fs.FS
	folder string

	mu    sync.Mutex
	slow  chan error // nil if fast
	opens map[string]int
}

func (s *slowFS) Open(name string) (fs.File, error) {
	s.mu.Lock()
	var slow chan error
	if path.Dir(name) == s.folder {
		s.opens[name]++
		slow = s.slow
	}
	s.mu.Unlock()
	if slow != nil {
		if err := <-slow; err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
	}
	return s.FS.Open(name)
}

func (s *slowFS) set(slow chan error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow, s.opens = slow, map[string]int{}
}

// most is the greatest number of times that any file was opened.
func (s *slowFS) most() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, opens := range s.opens {
		n = max(n, opens)
	}
	return n
}

// trains are documents in an index that has a file of its own for each word.
func trains(t *testing.T) fs.FS {
	t.Helper()
	dir := t.TempDir()
	documents := func(yield func(store.Document, error) bool) {
		for _, d := range []store.Document{{ID: "a", Text: "night trains"}, {ID: "b", Text: "morning trains"}, {ID: "c", Text: "night buses"}} {
			if !yield(d, nil) {
				return
			}
		}
	}
	if _, err := collection.Write(t.Context(), dir, documents, collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, Terms: true, TermBytes: 1}); err != nil {
		t.Fatal(err)
	}
	return os.DirFS(dir)
}

// answered is the result of a search.
type answered struct {
	hits int
	err  error
	done bool
}

func ask(ctx context.Context, c *search.Collection, q search.Query) *answered {
	a := &answered{}
	go func() {
		r, err := c.Search(ctx, q)
		if a.err = err; err == nil {
			a.hits = len(r.Hits)
		}
		a.done = true
	}()
	synctest.Wait()
	return a
}

// A slow file only delays the queries that need it, and is read once for all of them.
func TestSlowTerms(t *testing.T) {
	files := trains(t)
	synctest.Test(t, func(t *testing.T) {
		fsys := &slowFS{FS: files, folder: "terms"}
		fsys.set(nil)
		st, err := store.Open(t.Context(), fsys)
		if err != nil {
			t.Fatal(err)
		}
		c, err := search.Open(t.Context(), st, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		words := func(text string) search.Query {
			return search.Query{Query: search.Text{Text: text}, Method: search.MethodWords}
		}
		if r, err := c.Search(t.Context(), words("trains")); err != nil || len(r.Hits) != 2 {
			t.Fatalf("%+v, %v", r, err)
		}
		if fsys.most() == 0 {
			t.Fatal("no file of terms was read: the folder has another name")
		}

		slow := make(chan error)
		fsys.set(slow)
		ctx, giveUp := context.WithCancel(t.Context())
		a, b := ask(ctx, c, words("night")), ask(t.Context(), c, words("night trains"))
		if a.done || b.done {
			t.Fatal("the file system is not slow")
		}
		if other := ask(t.Context(), c, words("trains")); !other.done || other.hits != 2 {
			t.Errorf("a query that needs no file waits for those that do: %+v", other)
		}
		giveUp()
		synctest.Wait()
		if !a.done || !errors.Is(a.err, context.Canceled) || b.done {
			t.Errorf("given up: %+v, the other: %+v", a, b)
		}
		slow <- errors.New("the disk is gone")
		synctest.Wait()
		if !b.done || b.err == nil {
			t.Errorf("a failed reading: %+v", b)
		}
		a, b = ask(t.Context(), c, words("night")), ask(t.Context(), c, words("night trains"))
		slow <- nil
		synctest.Wait()
		if !a.done || a.hits != 2 || !b.done || b.hits != 3 || fsys.most() != 2 {
			t.Errorf("after the failure: %+v, %+v, read %d times, want 2", a, b, fsys.most())
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// breakable is a core that the test can lose.
type breakable struct {
	search.Core
	lost bool
}

func (b *breakable) Lost() bool { return b.lost }

// A query can give up while it waits for a core that opens on a slow file system. Two
// cores that open at a time read each file once.
func TestSlowOpening(t *testing.T) {
	files := trains(t)
	synctest.Test(t, func(t *testing.T) {
		fsys := &slowFS{FS: files, folder: "vectors"}
		fsys.set(nil)
		st, err := store.Open(t.Context(), fsys)
		if err != nil {
			t.Fatal(err)
		}
		var cores []*breakable
		c, err := search.Open(t.Context(), st, search.Options{Instances: 2, Cores: func(context.Context) (search.Core, error) {
			cores = append(cores, &breakable{Core: search.Native()})
			return cores[len(cores)-1], nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if fsys.most() == 0 {
			t.Fatal("no vectors were read: the folder has another name")
		}
		q := search.Query{Query: search.Text{Text: "trains"}}
		cores[0].lost = true
		if r, err := c.Search(t.Context(), q); err != nil || len(r.Hits) != 3 {
			t.Fatalf("%+v, %v", r, err)
		}
		slow := make(chan error)
		fsys.set(slow)
		ctx, giveUp := context.WithCancel(t.Context())
		first, second := ask(ctx, c, q), ask(t.Context(), c, q) // two cores open
		giveUp()
		synctest.Wait()
		if !first.done || !errors.Is(first.err, context.Canceled) || second.done || len(cores) != 3 {
			t.Fatalf("%+v, %+v, %d cores", first, second, len(cores))
		}
		close(slow)
		synctest.Wait()
		if !second.done || second.hits != 3 || fsys.most() != 1 {
			t.Errorf("%+v, files read %d times", second, fsys.most())
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// If the first two cores open at a time, the progress of one of them is told. If that one fails,
// the next tells its own.
func TestProgressOfTwoCores(t *testing.T) {
	files := trains(t)
	synctest.Test(t, func(t *testing.T) {
		fsys := &slowFS{FS: files, folder: "vectors"}
		fsys.set(nil)
		st, err := store.Open(t.Context(), fsys)
		if err != nil {
			t.Fatal(err)
		}
		var told []int64
		broken := errors.New("no core")
		cores := 0
		c, err := search.Open(t.Context(), st, search.Options{Lazy: true, Instances: 2, Cores: func(context.Context) (search.Core, error) {
			if cores++; cores == 1 {
				return failing{search.Native(), broken}, nil
			}
			return search.Native(), nil
		}, Progress: func(done, total int64) {
			if done > total {
				t.Errorf("%d of %d", done, total)
			}
			told = append(told, done)
		}})
		if err != nil {
			t.Fatal(err)
		}
		q := search.Query{Query: search.Text{Text: "trains"}}
		if _, err := c.Search(t.Context(), q); !errors.Is(err, broken) || len(told) > 0 {
			t.Fatalf("%v, %v", err, told)
		}
		slow := make(chan error)
		fsys.set(slow)
		first, second := ask(t.Context(), c, q), ask(t.Context(), c, q)
		synctest.Wait()
		close(slow)
		synctest.Wait()
		if !first.done || !second.done || first.hits != 3 || second.hits != 3 || cores != 3 {
			t.Fatalf("%+v, %+v, %d cores", first, second, cores)
		}
		if all := slices.Compact(slices.Clone(told)); len(told) == 0 || len(all) != len(told) || !slices.IsSorted(told) {
			t.Errorf("progress %v", told)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// failing is a core that opens no index.
type failing struct {
	search.Core
	err error
}

func (f failing) OpenIndex(int, shard.DType, int) (search.Index, error) { return nil, f.err }
