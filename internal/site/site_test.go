package site

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/static"
)

// A site is written completely, is recognised the next time, and leftovers of a killed
// run are removed.
func TestPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	s, err := Open(context.Background(), dir, static.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Updates {
		t.Error("an empty folder has a collection")
	}
	if err := s.Place(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir(s.Collection(), 0o700), os.WriteFile(filepath.Join(s.Collection(), manifest.FileName), nil, 0o600),
		os.Mkdir(filepath.Join(dir, pageStaging), 0o700), s.Close(false)); err != nil {
		t.Fatal(err)
	}
	again, err := Open(context.Background(), dir, static.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close(false)
	if !again.Updates {
		t.Error("its collection is not seen")
	}
	if _, err := os.Stat(filepath.Join(dir, pageStaging)); err == nil {
		t.Error("the leftover is still there")
	}
	if info, err := os.Stat(filepath.Join(dir, HomePage)); err != nil || info.Size() == 0 {
		t.Errorf("home page: %v", err)
	}
}

// A failed run leaves no new folder. A folder with other content is not written to.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(context.Background(), filepath.Join(dir, "a", "b"), static.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("a folder is left")
	}
	if err := os.WriteFile(filepath.Join(dir, HomePage), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), dir, static.Page{}, nil); err == nil || errors.Is(err, fault.Input) {
		t.Errorf("somebody's page: %v", err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, HomePage)); err != nil || string(content) != "mine" {
		t.Errorf("%q (%v)", content, err)
	}
}
