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
)

// A file that is being fetched.
type download struct {
	meta
	commit, file string
	// progress is told how many bytes of the file there are; it may become less where a download begins anew.
	progress func(have int64)
}

// errMismatch is a content that is not what HEAD promised.
type errMismatch struct{ what, expected, got string }

func (e *errMismatch) Error() string {
	return fmt.Sprintf("%s is %s, expected %s", e.what, e.got, e.expected)
}

// fetch puts a blob into the cache: what an earlier attempt left is completed, and the whole has to have the size and
// hash that the hub states before it gets its name.
func (c *client) fetch(ctx context.Context, store *cache, d *download) error {
	blob := store.blob(d.etag)
	there := func() (bool, error) {
		what, _, err := checkFile(ctx, blob, d.size, d.etag)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return err == nil && what == "", err
	}
	if ok, err := there(); ok || err != nil { // a cache that nobody may write to is good enough for reading
		d.progress(d.size)
		return err
	}
	if err := makeDir(filepath.Dir(blob)); err != nil {
		return err
	}
	unlock, err := lock(ctx, store.lockFile(d.etag), func() {
		c.notice(fmt.Sprintf("%s: %s: another process is downloading it; waiting", c.model, d.file))
	})
	if err != nil {
		return err
	}
	defer unlock()
	if ok, err := there(); ok || err != nil { // by another process, while we waited
		d.progress(d.size)
		return err
	}
	part := blob + ".incomplete"
	if err := c.fill(ctx, part, d); err != nil {
		return err
	}
	what, got, err := checkFile(ctx, part, d.size, d.etag)
	if err != nil {
		return err
	}
	if what != "" {
		if err := os.Remove(part); err != nil {
			return diskError(part, err)
		}
		return &errMismatch{what, d.expected(what), got}
	}
	if err := os.Rename(part, blob); err != nil {
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
//
// Every byte is written to the place that it has in the file, and a file that has to begin anew is another file: should a
// lock not hold, on some network disk, then two writers write the same bytes to the same places, and none shortens what
// the other has.
func (c *client) fill(ctx context.Context, part string, d *download) error {
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return diskError(part, err)
	}
	defer func() { f.Close() }()
	anew := func() error {
		f.Close()
		err := os.Remove(part)
		if err == nil {
			f, err = os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		}
		if err != nil {
			return diskError(part, err)
		}
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	have := info.Size()
	if have > d.size {
		have = 0
		if err := anew(); err != nil {
			return err
		}
	}
	// An attempt that got a good deal further does not count against those in a row, and bounds how many there can be.
	best := have
	step := min(1<<20, d.size/64+1)
	err = c.retry(ctx, func() (bool, error) {
		d.progress(have)
		if have == d.size {
			return false, nil
		}
		err := c.get(ctx, f, &have, d, anew)
		if have < best+step {
			return false, err
		}
		best = have
		return true, err
	})
	if err == nil {
		if err = f.Sync(); err != nil {
			return diskError(part, err)
		}
	}
	return err
}

// get makes one attempt to fetch what is missing.
func (c *client) get(ctx context.Context, f *os.File, have *int64, d *download, anew func() error) error {
	header := http.Header{}
	if *have > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", *have))
	}
	a, err := c.send(ctx, http.MethodGet, c.address(d.commit, d.file), d.file, header)
	var status *StatusError
	if errors.As(err, &status) && status.Code == http.StatusRequestedRangeNotSatisfiable && *have > 0 {
		*have = 0
		if err := anew(); err != nil {
			return err
		}
		return &passing{err: err}
	}
	if err != nil {
		return err
	}
	defer a.Close()
	from := int64(0)
	if a.StatusCode == http.StatusPartialContent {
		var size int64
		if from, size, err = parseContentRange(a.Header.Get("Content-Range")); err != nil || from != *have {
			return &passing{err: fmt.Errorf("%s: %s: asked from byte %d on, %s sends %.80q: check proxies on the way", c.model, d.file, *have, a.host, a.Header.Get("Content-Range"))}
		}
		if size >= 0 && size != d.size {
			return &errMismatch{"size", d.expected("size"), fmt.Sprintf("%d bytes", size)}
		}
	}
	if a.ContentLength >= 0 && from+a.ContentLength != d.size {
		return &errMismatch{"size", d.expected("size"), fmt.Sprintf("%d bytes", from+a.ContentLength)}
	}
	if from == 0 && *have > 0 { // a server that knows no ranges
		*have = 0
		if err := anew(); err != nil {
			return err
		}
	}
	return c.copy(ctx, f, have, a, d)
}

// copy writes an answer's body behind what the file has.
func (c *client) copy(ctx context.Context, f *os.File, have *int64, a *answer, d *download) error {
	b := make([]byte, 256<<10)
	for {
		n, err := a.Read(b)
		if *have+int64(n) > d.size {
			return &errMismatch{"size", d.expected("size"), "more than that"}
		}
		if n > 0 {
			written, err := f.WriteAt(b[:n], *have)
			*have += int64(written)
			if err != nil {
				return diskError(f.Name(), err)
			}
			d.progress(*have)
		}
		switch {
		case err == io.EOF && *have == d.size:
			return nil
		case err == io.EOF:
			return &passing{err: c.broken(d.file, fmt.Errorf("after %d of %d bytes", *have, d.size))}
		case err != nil:
			return &passing{err: c.broken(d.file, err)}
		}
	}
}

// parseContentRange reads "bytes FROM-TO/SIZE"; a SIZE of * is -1.
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
