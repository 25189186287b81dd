//go:build unix

package collection

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
)

// killingDisk kills its process before operation killAt, or in the middle of it if it is a write.
type killingDisk struct {
	disk
	count  *atomic.Int64
	killAt int64
}

func (d killingDisk) step(half func()) {
	if d.count.Add(1) == d.killAt {
		half()
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

func (d killingDisk) Write(name string, content []byte) error {
	d.step(func() { d.disk.Write(name, content[:len(content)/2]) })
	return d.disk.Write(name, content)
}

func (d killingDisk) MkdirAll(name string) error   { d.step(func() {}); return d.disk.MkdirAll(name) }
func (d killingDisk) Rename(from, to string) error { d.step(func() {}); return d.disk.Rename(from, to) }
func (d killingDisk) Remove(name string) error     { d.step(func() {}); return d.disk.Remove(name) }
func (d killingDisk) SyncDir(name string) error    { d.step(func() {}); return d.disk.SyncDir(name) }

const (
	childDir  = "VANTAGE_TEST_CHILD_DIR"
	childSeed = "VANTAGE_TEST_CHILD_SEED"
	childKill = "VANTAGE_TEST_CHILD_KILL"
)

// writeInChild runs in the process that TestKilled kills.
func writeInChild(t *testing.T, dir string) {
	seed, _ := strconv.Atoi(os.Getenv(childSeed))
	killAt, _ := strconv.Atoi(os.Getenv(childKill))
	o := small(staticmodeltest.Tiny(t))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	d := killingDisk{osDisk{root}, new(atomic.Int64), int64(killAt)}
	if _, err := writeTo(d, documents(40, seed), o); err != nil {
		t.Fatal(err)
	}
	fmt.Println("operations:", d.count.Load())
}

// A real process is killed repeatedly, at chosen operations and at random moments.
// After each kill there must be a whole collection, or none where there was none.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(childDir); dir != "" {
		writeInChild(t, dir)
		return
	}
	if testing.Short() {
		t.Skip("starts hundreds of processes")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := small(staticmodeltest.Tiny(t))
	known := map[string]string{}
	for seed := range 4 {
		known[manifestOf(t, documents(40, seed), o)] = strconv.Itoa(seed)
	}
	run := func(dir string, seed, killAt int, after time.Duration) (finished bool) {
		c := exec.Command(program, "-test.run=^TestKilled$")
		c.Env = append(os.Environ(), childDir+"="+dir, childSeed+"="+strconv.Itoa(seed), childKill+"="+strconv.Itoa(killAt))
		var timer *time.Timer
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if after > 0 {
			timer = time.AfterFunc(after, func() { c.Process.Kill() })
			defer timer.Stop()
		}
		err := c.Wait()
		if err != nil && c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the child failed by itself: %v", err)
		}
		return err == nil
	}
	random := rand.New(rand.NewPCG(7, 8))
	killed, done := 0, 0
	iterate := func(dir, state string, seed, killAt int, after time.Duration) string {
		finished := run(dir, seed, killAt, after)
		next, err := stateOf(os.DirFS(dir), known)
		if err != nil || next != state && next != strconv.Itoa(seed) || finished && next != strconv.Itoa(seed) {
			t.Fatalf("from %s to %d, operation %d, after %v, finished %v: %s (%v)", state, seed, killAt, after, finished, next, err)
		}
		if finished {
			done++
		} else {
			killed++
		}
		return next
	}
	// First, kill at every operation, beginning with an empty folder, until a run
	// finishes.
	for killAt := 1; ; killAt++ {
		dir := t.TempDir()
		before := done
		iterate(dir, "none", 0, killAt, 0)
		if done > before {
			break
		}
	}
	// Then kill at random operations and moments, on a collection that survives all of
	// them.
	dir := t.TempDir()
	state := "none"
	for i := range 150 {
		if i%2 == 0 {
			state = iterate(dir, state, random.IntN(4), 1+random.IntN(120), 0)
		} else {
			state = iterate(dir, state, random.IntN(4), 0, time.Duration(1+random.IntN(60))*time.Millisecond)
		}
	}
	t.Logf("%d killed, %d finished", killed, done)
	if killed < 60 || done < 5 {
		t.Errorf("%d killed, %d finished", killed, done)
	}
	// A last run succeeds and leaves no leftovers.
	iterate(dir, state, 3, 0, 0)
	s := check(t, os.DirFS(dir), documents(40, 3))
	if files := snapshot(t, dir); len(files) != len(s.Manifest().Files())+1 {
		t.Errorf("%d files, the collection has %d", len(files), len(s.Manifest().Files())+1)
	}
}
