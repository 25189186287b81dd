// Package hub fetches models from a HuggingFace hub into the cache of huggingface_hub, so that Python and Vantage share
// one copy.
//
// It fetches only the files that are needed to load a model. They become visible in a snapshot when the sizes and
// hashes of all match the hub's. Interrupted downloads are resumed, and what they left is removed if nothing resumes it.
// The same environment variables apply as for huggingface_hub: HF_ENDPOINT, HF_TOKEN, HF_TOKEN_PATH, HF_HOME,
// HF_HUB_CACHE, HF_HUB_OFFLINE.
package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Options of Get.
type Options struct {
	// Refresh asks the hub for the current commit of a branch or tag, and checks the
	// hash of every cached file; damaged files are fetched again. Without Refresh, a
	// cached model is used as it is.
	Refresh bool
	// Progress is called with the number of bytes so far and in total, in the goroutine
	// that called Get.
	Progress func(done, total int64)
	// Notice is called with a sentence that explains a pause.
	Notice func(string)
}

// Snapshot is a model in the cache.
type Snapshot struct {
	Dir    string   // folder of its files
	Commit string   // hash of the commit
	Files  []string // files that it is loaded from, with slashes, relative to Dir; Dir may hold other files
}

// Get returns the folder of a model's revision (a branch, a tag or a commit), after
// fetching what is missing. It asks the hub only if the cache lacks a part of the
// revision, or if o.Refresh is set. If the revision is a commit that is complete and not
// damaged, it never asks, because a commit cannot change.
//
// Most errors are of type *NameError, *NotCachedError, *ModelError, *StatusError, *IntegrityError, *UnreachableError,
// *DiskError, or the context's. After any of them, another call continues where this one ended.
func Get(ctx context.Context, name, revision string, o Options) (Snapshot, error) {
	s, err := settingsFromEnvironment()
	if err != nil {
		return Snapshot{}, err
	}
	if err := errors.Join(checkName(name), checkRevision(revision)); err != nil {
		return Snapshot{}, err
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	g := newGetting(s, name, revision, o)
	defer g.http.CloseIdleConnections()
	return g.run(ctx)
}

// Cached returns the folder of a model's revision if the cache has it, without asking the hub. Otherwise the error is a
// *NotCachedError that names what is missing.
func Cached(name, revision string) (Snapshot, error) {
	s, err := settingsFromEnvironment()
	if err != nil {
		return Snapshot{}, err
	}
	if err := errors.Join(checkName(name), checkRevision(revision)); err != nil {
		return Snapshot{}, err
	}
	store := newCache(s.cache, name, revision)
	commit := store.commit(revision)
	have := store.look(commit)
	if have.problem != nil {
		return Snapshot{}, notCached(s, name, revision, have.problem)
	}
	return store.of(commit, have.files), nil
}

func notCached(s settings, name, revision string, problem error) error {
	text := problem.Error()
	var fault *ModelError
	if errors.As(problem, &fault) {
		text = "a part of it is there, but " + fault.Problem
	}
	return &NotCachedError{Name: name, Revision: revision, Cache: s.cache, Problem: text, Offline: s.offline}
}

func (c *cache) of(commit string, files []string) Snapshot {
	return Snapshot{Dir: c.snapshot(commit), Commit: commit, Files: slices.Sorted(slices.Values(files))}
}

// getting is a call of Get.
type getting struct {
	*client
	store    *cache
	revision string
	Options
	fetched     map[string]meta // file → information about its content
	done, total int64           // bytes
}

func newGetting(s settings, name, revision string, o Options) *getting {
	return &getting{client: newClient(s, name, revision, o.Notice), store: newCache(s.cache, name, revision),
		revision: revision, Options: o, fetched: map[string]meta{}}
}

func (g *getting) run(ctx context.Context) (Snapshot, error) {
	commit := g.store.commit(g.revision)
	have := g.store.look(commit)
	usable := have.problem == nil
	if usable && g.Refresh && (g.offline || isCommit(g.revision) && have.complete) {
		damaged, err := g.damaged(ctx, commit, have.files)
		if err != nil {
			return Snapshot{}, err
		}
		if damaged != nil && g.offline {
			return Snapshot{}, damaged
		}
		have.complete = damaged == nil
	}
	switch {
	case g.offline && !usable:
		return Snapshot{}, notCached(g.settings, g.name, g.revision, have.problem)
	case g.offline, have.complete && (!g.Refresh || isCommit(g.revision)):
		if g.Refresh {
			g.store.sweep(time.Now())
		}
		return g.store.of(commit, have.files), nil
	}
	known := "" // a commit that the cache has at least partly; only Refresh moves to a newer one
	if usable && !g.Refresh {
		known = commit
	}
	s, err := g.online(ctx, known)
	if err == nil {
		g.store.sweep(time.Now())
	}
	if err == nil || ctx.Err() != nil || !unanswered(err) {
		return s, err
	}
	if known != "" {
		return g.store.of(commit, have.files), nil
	}
	if usable {
		err = fmt.Errorf("%w (the cache has commit %s: HF_HUB_OFFLINE=1 uses it)", err, commit)
	}
	return Snapshot{}, err
}

// unanswered reports whether the hub is unreachable, or has refused or failed the request.
func unanswered(err error) bool {
	var away *UnreachableError
	var status *StatusError
	return errors.As(err, &away) || errors.As(err, &status)
}

// damaged compares the files of a snapshot with the hashes in the names of their blobs.
// Copies, which exist on file systems without links, have no such names.
func (g *getting) damaged(ctx context.Context, commit string, files []string) (*IntegrityError, error) {
	for _, file := range files {
		etag := g.store.etagOf(commit, file)
		if etag == "" {
			continue
		}
		what, got, err := checkFile(ctx, g.store.entry(commit, file), -1, etag)
		if err != nil {
			return nil, err
		}
		if what != "" {
			return &IntegrityError{Name: g.model, File: file, What: what, Expected: etag, Got: got, Remedy: "the file in the cache is damaged: unset HF_HUB_OFFLINE and pull the model again"}, nil
		}
	}
	return nil, nil
}

// online fetches the files that the cache lacks, and makes them visible when all are
// complete. known is the commit to complete; if it is empty, online asks the hub for
// the revision's commit.
func (g *getting) online(ctx context.Context, known string) (Snapshot, error) {
	patience := g.timing
	if known != "" {
		g.Attempts = 1 // the cached commit can be used instead
	}
	commit, listed, err := g.list(ctx, firstOf(known, g.revision))
	if err != nil {
		return Snapshot{}, err
	}
	g.timing = patience
	files, err := choose(g.model, listed, func(file string) ([]byte, error) {
		m, err := g.head(ctx, commit, file)
		if err == nil {
			m, err = g.ensure(ctx, commit, file, m)
		}
		if err != nil {
			return nil, err
		}
		return readSmall(g.model, g.store.content(commit, file, m.etag), file)
	})
	if err != nil {
		return Snapshot{}, err
	}
	for _, file := range files {
		m, known := g.fetched[file]
		if !known {
			if m, err = g.head(ctx, commit, file); err != nil {
				return Snapshot{}, err
			}
			g.fetched[file] = m
		}
		g.total += m.size
	}
	for _, file := range files {
		planned := g.fetched[file]
		m, err := g.ensure(ctx, commit, file, planned)
		if err != nil {
			return Snapshot{}, err
		}
		g.done += m.size
		g.total += m.size - planned.size
	}
	for _, file := range files {
		if err := g.store.show(ctx, commit, file, g.fetched[file].etag); err != nil {
			return Snapshot{}, err
		}
	}
	if err := g.store.recordAbsent(commit, listed); err != nil {
		return Snapshot{}, err
	}
	return g.store.of(commit, files), g.store.remember(g.revision, commit)
}

// ensure puts a file's blob into the cache if it is missing.
func (g *getting) ensure(ctx context.Context, commit, file string, m meta) (meta, error) {
	for second := false; ; second = true {
		if g.store.isCopy(ctx, commit, file, m.size, m.etag) {
			g.fetched[file] = m
			g.progress(m.size)
			return m, nil
		}
		err := g.fetch(ctx, g.store, &download{meta: m, commit: commit, file: file, progress: g.progress})
		var mismatch *errMismatch
		if err == nil {
			g.fetched[file] = m
			return m, nil
		}
		if !errors.As(err, &mismatch) {
			return m, err
		}
		if second {
			return m, &IntegrityError{Name: g.model, File: file, What: mismatch.what, Expected: mismatch.expected, Got: mismatch.got,
				Remedy: "it was downloaded twice and discarded: try again later, and check HF_ENDPOINT and proxies on the way"}
		}
		// The leftover of an earlier process may be wrong, or the file may have changed
		// since HEAD, so try once more.
		if m, err = g.head(ctx, commit, file); err != nil {
			return m, err
		}
	}
}

func (g *getting) progress(have int64) {
	if g.Progress != nil && g.total > 0 {
		g.Progress(g.done+have, g.total)
	}
}
