package file

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// SHA256 reads a whole file and returns its size and its hash in hexadecimal.
func SHA256(ctx context.Context, name string) (size int64, sum string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	stop := context.AfterFunc(ctx, func() { f.Close() })
	defer stop()
	h := sha256.New()
	if size, err = io.Copy(h, f); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return 0, "", err
	}
	return size, hex.EncodeToString(h.Sum(nil)), nil
}
