package hub

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/folders"
)

// lockPoll is the time between attempts to get a lock that another process holds.
const lockPoll = 50 * time.Millisecond

// lock holds a lock file until the returned function is called or the process ends. It waits for other holders, and
// reports the first wait. The files and the kind of lock are those of Python's filelock, with which huggingface_hub
// guards its downloads. On a file system without locks it does nothing: two writers then write the same bytes at the
// same places.
func lock(ctx context.Context, root, name string, waiting func()) (unlock func(), err error) {
	if err := makeDir(root, filepath.Dir(name)); err != nil {
		return nil, err
	}
	for told := false; ; {
		f, err := file.Own(name, 0o664)
		if err != nil {
			return nil, diskError(name, err)
		}
		err = folders.TryLock(f)
		if err == nil {
			// Some holders remove the file when they are done. Then this lock is on a
			// file that nobody else will open.
			if same(f, name) {
				return func() { f.Close() }, nil
			}
			f.Close()
			continue
		}
		f.Close()
		if !errors.Is(err, folders.ErrHeld) {
			return func() {}, nil
		}
		if !told {
			waiting()
			told = true
		}
		timer := time.NewTimer(lockPoll)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		case <-timer.C:
		}
	}
}

func same(f *os.File, name string) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(held, there)
}
