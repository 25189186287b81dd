package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/retry"
)

// download is a file that is being fetched.
type download struct {
	meta
	commit, file string
	// progress is called with the number of bytes so far. The number decreases if a
	// download begins again.
	progress func(have int64)
}

// errMismatch says that the content does not match HEAD.
type errMismatch struct{ what, expected, got string }

func (e *errMismatch) Error() string {
	return fmt.Sprintf("%s is %s, expected %s", e.what, e.got, e.expected)
}

// fetch puts a blob into the cache. It completes the file of an earlier attempt, and
// checks size and hash before the file gets its name.
func (c *client) fetch(ctx context.Context, store *cache, d *download) error {
	blob := store.blob(d.etag)
	there := func() (bool, error) {
		what, _, err := checkFile(ctx, blob, d.size, d.etag)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return err == nil && what == "", err
	}
	if ok, err := there(); ok || err != nil { // a read-only cache is good enough for reading
		d.progress(d.size)
		return err
	}
	if err := makeDir(store.root, filepath.Dir(blob)); err != nil {
		return err
	}
	unlock, err := lock(ctx, store.root, store.lockFile(d.etag), func() {
		c.notice(fmt.Sprintf("%s: %s: another process is downloading it; waiting", c.model, d.file))
	})
	if err != nil {
		return err
	}
	defer unlock()
	if ok, err := there(); ok || err != nil { // another process fetched the file while we waited
		d.progress(d.size)
		return err
	}
	incomplete := blob + incompleteExtension
	if err := c.fill(ctx, incomplete, d); err != nil {
		return err
	}
	what, got, err := checkFile(ctx, incomplete, d.size, d.etag)
	if err != nil {
		return err
	}
	if what != "" {
		if err := os.Remove(incomplete); err != nil {
			return diskError(incomplete, err)
		}
		return &errMismatch{what, d.expected(what), got}
	}
	if err := os.Rename(incomplete, blob); err != nil {
		return diskError(blob, err)
	}
	return nil
}

func (d *download) expected(what string) string {
	if what == "size" {
		return fmt.Sprintf("%d bytes", d.size)
	}
	return d.etag
}

// fill completes a part file to the size of the whole.
func (c *client) fill(ctx context.Context, name string, d *download) error {
	p, err := openPart(name)
	if err != nil {
		return err
	}
	defer p.close()
	if p.have > d.size {
		if err := p.anew(); err != nil {
			return err
		}
	}
	// An attempt that made much progress does not count as failed. The number of such
	// attempts is bounded, because each has fetched another step.
	best := p.have
	step := min(1<<20, d.size/64+1)
	err = c.retry(ctx, func() (bool, error) {
		d.progress(p.have)
		if p.have == d.size {
			return false, nil
		}
		err := c.get(ctx, p, d)
		if p.have < best+step {
			return false, err
		}
		best = p.have
		return true, err
	})
	if err != nil {
		return err
	}
	return p.sync()
}

// get makes one attempt to fetch the missing bytes.
func (c *client) get(ctx context.Context, p *part, d *download) error {
	header := http.Header{}
	if p.have > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", p.have))
	}
	a, err := c.send(ctx, http.MethodGet, c.address(d.commit, d.file), d.file, header)
	var status *StatusError
	if errors.As(err, &status) && status.Code == http.StatusRequestedRangeNotSatisfiable && p.have > 0 {
		if failed := p.anew(); failed != nil {
			return failed
		}
		return &retry.Passing{Err: err}
	}
	if err != nil {
		return err
	}
	defer a.Close()
	from := int64(0)
	if a.StatusCode == http.StatusPartialContent {
		var size int64
		if from, size, err = parseContentRange(a.Header.Get("Content-Range")); err != nil || from != p.have {
			return &retry.Passing{Err: fmt.Errorf("%s: %s: asked from byte %d on, %s sends %.80q: check proxies on the way", c.model, d.file, p.have, a.host, a.Header.Get("Content-Range"))}
		}
		if size >= 0 && size != d.size {
			return &errMismatch{"size", d.expected("size"), fmt.Sprintf("%d bytes", size)}
		}
	}
	if a.ContentLength >= 0 && from+a.ContentLength != d.size {
		return &errMismatch{"size", d.expected("size"), fmt.Sprintf("%d bytes", from+a.ContentLength)}
	}
	if from == 0 && p.have > 0 { // the server does not support ranges
		if err := p.anew(); err != nil {
			return err
		}
	}
	return c.copy(p, a, d)
}

// copy appends an answer's body to the part.
func (c *client) copy(p *part, a *answer, d *download) error {
	b := make([]byte, 256<<10)
	for {
		n, err := a.Read(b)
		if p.have+int64(n) > d.size {
			return &errMismatch{"size", d.expected("size"), "more than that"}
		}
		if n > 0 {
			if err := p.write(b[:n]); err != nil {
				return err
			}
			d.progress(p.have)
		}
		switch {
		case err == io.EOF && p.have == d.size:
			return nil
		case err == io.EOF:
			return &retry.Passing{Err: c.broken(d.file, fmt.Errorf("after %d of %d bytes", p.have, d.size))}
		case err != nil:
			return &retry.Passing{Err: c.broken(d.file, err)}
		}
	}
}

// parseContentRange parses "bytes FROM-TO/SIZE". A SIZE of * gives -1.
func parseContentRange(header string) (from, size int64, err error) {
	numbers, ok := strings.CutPrefix(header, "bytes ")
	span, whole, ok2 := strings.Cut(numbers, "/")
	first, last, ok3 := strings.Cut(span, "-")
	if !ok || !ok2 || !ok3 {
		return 0, 0, errors.New("no range of bytes")
	}
	f, err1 := strconv.ParseUint(first, 10, 63)
	l, err2 := strconv.ParseUint(last, 10, 63)
	s, err3 := strconv.ParseUint(whole, 10, 63)
	size = int64(s)
	if whole == "*" {
		size, err3 = -1, nil
	}
	if err := errors.Join(err1, err2, err3); err != nil {
		return 0, 0, err
	}
	if f > l || size >= 0 && int64(l) >= size {
		return 0, 0, errors.New("an impossible range")
	}
	return int64(f), size, nil
}
