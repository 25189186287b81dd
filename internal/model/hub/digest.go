package hub

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/vantage-search/vantage/internal/file"
)

// A digest is the hash in an ETag of the hub: the SHA-256 of the content for files in
// LFS, and git's SHA-1 of a blob for others, which is over "blob SIZE\x00" and the
// content.
type digest struct {
	name string
	new  func(size int64) hash.Hash
}

// digestOf returns the digest of an ETag, or nil if the ETag is not a hash.
func digestOf(etag string) *digest {
	switch {
	case len(etag) == 2*sha256.Size && isHex(etag):
		return &digest{"SHA-256", func(int64) hash.Hash { return sha256.New() }}
	case len(etag) == 2*sha1.Size && isHex(etag):
		return &digest{"git's SHA-1", func(size int64) hash.Hash {
			h := sha1.New()
			fmt.Fprintf(h, "blob %d\x00", size)
			return h
		}}
	}
	return nil
}

// normalETag removes the quotes and the weakness mark of an ETag. A weak ETag means the
// same content, because we did not ask for compression.
func normalETag(header string) string {
	return strings.ToLower(strings.Trim(strings.TrimPrefix(header, "W/"), `"`))
}

// checkFile compares a file with its digest and size. what says which of them differs, and
// got is the file's own; both are empty if the file is right.
func checkFile(ctx context.Context, name string, size int64, etag string) (what, got string, err error) {
	f, length, err := file.Open(name)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	if size >= 0 && length != size {
		return "size", fmt.Sprintf("%d bytes", length), nil
	}
	d := digestOf(etag)
	h := d.new(length)
	if _, err := io.Copy(h, &contextReader{ctx, f}); err != nil {
		return "", "", err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != etag {
		return d.name, sum, nil
	}
	return "", "", nil
}

// contextReader fails when its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r *contextReader) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(b)
}
