package site

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/static"
	"golang.org/x/sys/unix"
)

// An error before anything is written, as on a disk that is read-only, names the folder, too.
func TestUnwritableStaging(t *testing.T) {
	dir := t.TempDir()
	held := filepath.Join(dir, pageStaging, "x")
	if err := errors.Join(os.MkdirAll(held, 0o700), os.WriteFile(filepath.Join(held, "y"), nil, 0o600), os.Chmod(held, 0o500)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(held, 0o700)
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked, so that the thread ends with this goroutine
		if err = obey(); err != nil {
			return
		}
		_, err = Open(t.Context(), dir, static.Page{}, nil, false)
	}()
	<-done
	if !errors.Is(err, fault.Unavailable) || !strings.HasPrefix(err.Error(), dir+": the pages cannot be written: ") {
		t.Error(err)
	}
}

// obey takes the right of root to write everywhere from this thread.
func obey() error {
	header, rights := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, [2]unix.CapUserData{}
	if err := unix.Capget(&header, &rights[0]); err != nil {
		return err
	}
	rights[0].Effective &^= 1 << unix.CAP_DAC_OVERRIDE
	return unix.Capset(&header, &rights[0])
}
