package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A run removes leftovers of killed runs beside its output, but not the file that
// another run is writing.
func TestReplaceClearsUp(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(filepath.Join(dir, ".out.vantage-0badcafe"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	err := Replace(path, func(w io.Writer) error {
		return errors.Join(Replace(path, text("second")), text("first")(w))
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v (%v)", entries, err)
	}
	if content, err := os.ReadFile(path); err != nil || string(content) != "first" { // this run ended last
		t.Errorf("%q (%v)", content, err)
	}
	if err := os.Chmod(path, 0o200); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, text("third")); err != nil {
		t.Errorf("replacing a file that nobody may read: %v", err)
	}
}

// A file keeps its mode, whatever new files get.
func TestReplaceKeepsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o666)); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// A link stays a link, also if the file that it leads to is not there yet.
func TestReplaceFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Mkdir(at("real"), 0o755), os.Mkdir(at("real/sub"), 0o755), os.WriteFile(at("there"), nil, 0o644), os.Symlink("real/sub", at("inside"))); err != nil {
		t.Fatal(err)
	}
	links := map[string]struct{ to, lands string }{
		"a":      {"there", "there"},
		"b":      {"real/new", "real/new"},
		"c":      {"d", "real/newer"}, // by another link
		"d":      {at("real/newer"), "real/newer"},
		"real/e": {"../e2", "e2"},
		"f":      {"inside/../f", "real/f"}, // as the system reads it
		"g":      {"gone/g", ""},
		"h":      {"i", ""},
		"i":      {at("gone/i"), ""},
		"j":      {"gone/", ""},
	}
	for link, c := range links {
		if err := os.Symlink(c.to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}
	for link, c := range links {
		err := Replace(at(link), write)
		if info, none := os.Lstat(at(link)); none != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", link)
		}
		if c.lands == "" {
			if err == nil || !strings.Contains(err.Error(), "whose folder is not there") || !strings.Contains(err.Error(), dir) {
				t.Errorf("%s: %v", link, err)
			}
			continue
		}
		if content, reading := os.ReadFile(at(c.lands)); err != nil || reading != nil || string(content) != "new" {
			t.Errorf("%s: %q in %s (%v, %v)", link, content, c.lands, reading, err)
		}
	}
}

// Before any work, CheckReplace refuses what Replace would refuse after it, and nothing else.
func TestCheckReplace(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Mkdir(at("folder"), 0o755), os.WriteFile(at("file"), nil, 0o644), os.Symlink("folder/new", at("link")), os.Symlink("gone/new", at("astray"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "new", "folder/new", "link"} {
		if err := CheckReplace(at(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := CheckReplace("-"); err != nil {
		t.Error(err)
	}
	for name, kind := range map[string]fault.Kind{"folder": fault.Query, "gone/new": fault.Unavailable, "file/new": fault.Unavailable, "astray": fault.Query} {
		if err := CheckReplace(at(name)); !errors.Is(err, kind) || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("%s: %v", name, err)
		}
		if err := Replace(at(name), func(io.Writer) error { return nil }); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// An output is none of the inputs, by whatever path, and devices may be both.
func TestCheckOther(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.WriteFile("a", nil, 0o600), os.WriteFile("b", nil, 0o600), os.Symlink("a", "link")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for output, refused := range map[string]bool{"a": true, "./a": true, "link": true, "b": false, "new": false, "-": false, os.DevNull: false} {
		if err := CheckOther(output, "-", "none", os.DevNull, "a"); (err != nil) != refused || refused && !errors.Is(err, fault.Query) {
			t.Errorf("%s: %v", output, err)
		}
	}
}

// A stream that is redirected to a file is written to where it is: the file keeps what it has, and gets what follows.
func TestReplaceStream(t *testing.T) {
	if _, err := os.Stat("/dev/fd/0"); err != nil {
		t.Skipf("streams have no paths here: %v", err)
	}
	dir := t.TempDir()
	log, link := filepath.Join(dir, "log"), filepath.Join(dir, "link")
	f, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stream := fmt.Sprintf("/dev/fd/%d", f.Fd())
	if err := os.Symlink(stream, link); err != nil {
		t.Fatal(err)
	}
	say := func(text string) {
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	say("before ")
	paths := []string{stream, link}
	if _, err := os.Stat("/proc/self/fd"); err == nil {
		for _, of := range []string{"self", "thread-self", strconv.Itoa(os.Getpid())} {
			paths = append(paths, fmt.Sprintf("/proc/%s/fd/%d", of, f.Fd()))
		}
	}
	want := "before "
	for i, path := range paths {
		text := fmt.Sprintf("%d ", i)
		if err := errors.Join(CheckReplace(path), CheckOther(path, log), CheckResult(path, log)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
			t.Errorf("%s: %v (%v)", path, entries, err)
		}
		if err := Replace(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		want += text
	}
	say("after")
	if content, err := os.ReadFile(log); err != nil || string(content) != want+"after" {
		t.Errorf("%q (%v)", content, err)
	}

	read, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for _, path := range []string{fmt.Sprintf("/dev/fd/%d", read.Fd()), "/dev/fd/1000000"} {
		for _, err := range []error{CheckReplace(path), Replace(path, func(io.Writer) error { return nil })} {
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	for path, want := range map[string]int{"-": 1, "/dev/stdout": 1, "/dev/stderr": 2} {
		if n, ok := Stream(path); !ok || n != want {
			t.Errorf("%s: %d, %v", path, n, ok)
		}
	}
	if _, ok := Stream(log); ok {
		t.Error("a file is taken for a stream")
	}
}

// A stream of another process, such as a container's /proc/1/fd/1, is appended to, and its file stays, too.
func TestReplaceOtherStream(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skipf("processes have no folders here: %v", err)
	}
	log := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other := exec.Command("cat")
	other.Stdout = f
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); other.Wait() }()
	if _, err := f.WriteString("before "); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/proc/%d/fd/1", other.Process.Pid)
	if err := errors.Join(CheckReplace(path), Replace(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	})); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(log); err != nil || string(content) != "before new" {
		t.Errorf("%q (%v)", content, err)
	}
}
