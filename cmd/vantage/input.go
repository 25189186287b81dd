package main

import (
	"context"
	"os"
)

// openInput opens a file that the user named, which may be a pipe. The end of the
// context ends the waiting for somebody to write to it, and the reading.
func openInput(ctx context.Context, path string) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	ready := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		ready <- opened{f, err}
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
