// Package inputs reads files that a user named. They may be pipes or gzipped. Reading
// stops as soon as the context ends.
package inputs

import (
	"context"
	"io"
	"os"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Open opens a file that the user named, which may be a pipe. If the context ends,
// it stops waiting for a writer, and stops reading.
func Open(ctx context.Context, path string) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	ready := make(chan opened)
	go func() {
		f, err := os.Open(path)
		select {
		case ready <- opened{f, err}:
		case <-ctx.Done(): // nobody waits for it any more
			f.Close()
		}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case o := <-ready:
		if o.err == nil {
			context.AfterFunc(ctx, func() { o.file.Close() })
		}
		return o.file, o.err
	}
}

// Read reads a file, which may be gzipped, with a function for its format. Errors of
// that function must name the file.
func Read[T any](ctx context.Context, path string, read func(r io.Reader, name string) (T, error)) (T, error) {
	var none T
	f, err := Open(ctx, path)
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	if err != nil {
		return none, fault.Errorf(fault.Input, "%s: %w", path, fault.Unnamed(err))
	}
	defer f.Close()
	r, err := corpus.Decompressed(Interruptible(ctx, f))
	if err != nil {
		err = fault.At(path, err)
	}
	var value T
	if err == nil {
		value, err = read(r, path)
	}
	switch {
	case ctx.Err() != nil:
		return none, ctx.Err()
	case err != nil:
		return none, fault.As(fault.Input, err)
	}
	return value, nil
}

// Interruptible is a reader that fails once the context ends.
func Interruptible(ctx context.Context, r io.Reader) io.Reader { return &interruptible{ctx, r} }

type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}
