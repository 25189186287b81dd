package file

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Stream returns the number of the stream of this process that an output names: 1 for "-" and /dev/stdout, 3 for
// /dev/fd/3, also by links. Such a path leads on to the file that the stream is redirected to. That file is not ours to
// replace: it may have lines of other programs, and more may follow.
func Stream(path string) (n int, ok bool) {
	if path == "-" {
		return 1, true
	}
	n, process, ok := descriptor(path)
	return n, ok && process == os.Getpid()
}

// processStreams matches Linux's folder of a process's streams, or of a thread's.
var processStreams = regexp.MustCompile(`^/proc/(\d+)(?:/task/\d+)?/fd$`)

// descriptor returns the number of the stream that a path leads to, and the id of its process.
func descriptor(path string) (n, process int, ok bool) {
	for range 40 { // the most links that Linux follows
		dir, name := filepath.Split(path)
		if n, err := strconv.Atoi(name); err == nil && n >= 0 {
			dir, err := filepath.EvalSymlinks(dir)
			if err == nil && dir == "/dev/fd" { // on Linux, it is a link
				return n, os.Getpid(), true
			}
			if m := processStreams.FindStringSubmatch(dir); err == nil && m != nil {
				process, err := strconv.Atoi(m[1])
				return n, process, err == nil
			}
		}
		to, err := os.Readlink(path)
		if err != nil {
			return 0, 0, false
		}
		if !filepath.IsAbs(to) {
			to = dir + to
		}
		path = to
	}
	return 0, 0, false
}

// writeStream writes to a stream of this process. Opening its path again would begin at the start of the file that it
// is redirected to.
func writeStream(path string, n int, write func(io.Writer) error) error {
	switch n {
	case 1:
		return Buffered(os.Stdout, write)
	case 2:
		return Buffered(os.Stderr, write)
	}
	f, err := duplicate(n, path)
	if err == nil {
		defer f.Close()
		_, err = f.Write(nil) // the stream may be one that is only read
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w: redirect it, as in %d> FILE", path, fault.Unnamed(err), n)
	}
	return Buffered(f, write)
}
