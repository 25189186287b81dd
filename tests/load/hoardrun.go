package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/testing/resident"
)

// hoarding is a run of all hoards against one server.
type hoarding struct {
	Session, Cache int           // --session-bytes, --cache-bytes
	Sockets        int           // hoarders at a time
	Each           time.Duration // time for each way
	Resume         time.Duration // --resume
	Only           string        // only the ways whose names contain this
	After          time.Duration // time for the server to return the memory afterwards
	vantage        string
}

// Goals for the server's memory beyond its size with the model loaded: a multiple of
// --session-bytes and --cache-bytes, and the bytes after the clients have gone.
const (
	hoardShare = 1.2
	hoardLeft  = 64 << 20
)

// run lets clients hoard in each way, and prints and checks the server's memory.
func (h hoarding) run(dir string, out io.Writer) error {
	model := filepath.Join(dir, "tiny")
	if err := shapes["tiny"].Write(model, 1); err != nil {
		return err
	}
	server, err := startServer(h.vantage, 2, "--model", model, "--log", "off", "--rate", "0",
		"--session-bytes", strconv.Itoa(h.Session), "--cache-bytes", strconv.Itoa(h.Cache), "--resume", h.Resume.String())
	if err != nil {
		return err
	}
	defer server.kill()
	time.Sleep(settle)
	idle, _, err := resident.Of(server.Process.Pid)
	if err != nil {
		return err
	}
	most := int64(hoardShare * float64(h.Session+h.Cache))
	fmt.Fprintf(out, "idle, with the model loaded: %d MB; at most %d MB more are allowed\n", idle>>20, most>>20)
	address := strings.TrimSuffix(strings.TrimPrefix(server.url, "http://"), "/")
	var failed error
	fail := func(format string, args ...any) {
		if failed == nil {
			failed = fmt.Errorf(format, args...)
		}
	}
	for _, each := range hoards {
		if !strings.Contains(each.name, h.Only) {
			continue
		}
		if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", server.Process.Pid), []byte("5"), 0); err != nil {
			return fmt.Errorf("the peak of the memory cannot be reset: %w", err)
		}
		asked := runHoard(address, each, h.Sockets, h.Each)
		_, peak, err := resident.Of(server.Process.Pid)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-64s %9d requests %6d MB more\n", each.name, asked, (peak-idle)>>20)
		if peak-idle > most {
			fail("%s: %d MB more than idle, at most %d are allowed", each.name, (peak-idle)>>20, most>>20)
		}
	}
	left := int64(0)
	gone := time.Now()
	for time.Since(gone) < h.After {
		time.Sleep(settle)
		now, _, err := resident.Of(server.Process.Pid)
		if err != nil {
			return err
		}
		if left = now - idle; left < hoardLeft/2 {
			break
		}
	}
	fmt.Fprintf(out, "%v after the clients have gone: %d MB more than idle\n", time.Since(gone).Round(time.Second), left>>20)
	if left > hoardLeft {
		fail("%d MB more than idle remain, at most %d are allowed", left>>20, hoardLeft>>20)
	}
	return failed
}
