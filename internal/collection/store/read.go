package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Fetcher is implemented by file systems that can read a whole file with a context and a size limit. A file longer than
// limit is an error that wraps ErrTooLong.
type Fetcher interface {
	Fetch(ctx context.Context, name string, limit int64) ([]byte, error)
}

// ErrTooLong is wrapped by the error for a file that exceeds the limit of Fetch.
var ErrTooLong = fault.New(fault.Integrity, "longer than expected")

// slack is the number of bytes by which a stored file may exceed the greater of its two stated
// lengths, because a host may have compressed it again with other settings.
const slack = 64 << 10

// fetch reads a whole file of at most limit bytes.
func fetch(ctx context.Context, fsys fs.FS, name string, limit int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f, ok := fsys.(Fetcher); ok {
		return f.Fetch(ctx, name, limit)
	}
	f, err := file.OpenFS(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Size() <= limit {
		b.Grow(int(info.Size()) + bytes.MinRead) // the actual size, not the one in the manifest
	}
	n, err := b.ReadFrom(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, fmt.Errorf("%s: %w: more than %d bytes", name, ErrTooLong, limit)
	}
	return b.Bytes(), nil
}

// Read returns the uncompressed content of a file after verifying its length and
// SHA-256. Errors: *MissingError, *CorruptError, or an error of the file system (a
// network failure, an ended context), wrapped with the file's name.
func (s *Store) Read(ctx context.Context, f manifest.File) ([]byte, error) {
	return Read(ctx, s.fsys, f)
}

// Read is Store.Read for a file system without an opened collection.
func Read(ctx context.Context, fsys fs.FS, f manifest.File) ([]byte, error) {
	if f.Bytes < 0 || f.Bytes > manifest.MaxFileBytes || f.Stored < 0 || f.Stored > manifest.MaxFileBytes {
		return nil, &CorruptError{File: f.Path, What: "length in the manifest", Expected: fmt.Sprintf("at most %d bytes", int64(manifest.MaxFileBytes)),
			Got: fmt.Sprintf("%d and %d stored", f.Bytes, f.Stored), Remedy: remedyUpload}
	}
	raw, err := fetch(ctx, fsys, f.Path, max(f.Bytes, f.Stored)+slack)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &MissingError{File: f.Path, Remedy: remedyMissing, Err: err}
	case errors.Is(err, file.ErrNotRegular):
		return nil, notRegular(f.Path, err)
	case errors.Is(err, ErrTooLong):
		return nil, &CorruptError{File: f.Path, What: "length", Expected: fmt.Sprintf("%d bytes (%d stored)", f.Bytes, f.Stored), Got: "more", Remedy: remedyUpload, Err: err}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	// Some hosts decode gzip in transit and some do not, regardless of the file's name.
	// The hash decides: bytes are only decompressed if they are not the content
	// already.
	if int64(len(raw)) == f.Bytes && digest(raw) == f.SHA256 {
		return raw, nil
	}
	content := raw
	if len(raw) >= 2 && raw[0] == 0x1f && raw[1] == 0x8b {
		// The memory limit in package manifest uses stored lengths, so these must be
		// about right.
		if int64(len(raw)) < f.Stored/2 {
			return nil, &CorruptError{File: f.Path, What: "stored length", Expected: fmt.Sprintf("%d bytes", f.Stored), Got: fmt.Sprintf("%d bytes", len(raw)), Remedy: remedyUpload}
		}
		if content, err = unpack.Gunzip(raw, f.Bytes); err != nil {
			if limit, ok := errors.AsType[*unpack.ExpansionError](err); ok {
				return nil, &CorruptError{File: f.Path, What: "expansion", Expected: fmt.Sprintf("at most %d bytes", unpack.Most(limit.Packed)), Got: fmt.Sprintf("%d", f.Bytes), Remedy: limit.Error(), Err: err}
			}
			got := fmt.Sprintf("damaged gzip in %d stored bytes (%v)", len(raw), err)
			return nil, &CorruptError{File: f.Path, What: "compression", Expected: fmt.Sprintf("%d bytes in %d stored", f.Bytes, f.Stored), Got: got, Remedy: remedyUpload, Err: err}
		}
	}
	if int64(len(content)) != f.Bytes {
		got := fmt.Sprintf("%d bytes", len(content))
		if int64(len(content)) > f.Bytes {
			got = "more"
		}
		return nil, &CorruptError{File: f.Path, What: "length", Expected: fmt.Sprintf("%d bytes", f.Bytes), Got: got, Remedy: remedyFor(raw)}
	}
	if got := digest(content); got != f.SHA256 {
		return nil, &CorruptError{File: f.Path, What: "SHA-256", Expected: f.SHA256, Got: got, Remedy: remedyFor(raw)}
	}
	return content, nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// remedyFor recognises a host that serves a page in place of a missing file.
func remedyFor(raw []byte) string {
	start := bytes.ToLower(bytes.TrimLeft(raw[:min(len(raw), 64)], " \t\r\n\xef\xbb\xbf"))
	if bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html")) {
		return remedyHTMLPage
	}
	return remedyUpload
}
