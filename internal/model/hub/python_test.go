package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pythonCache makes a cache as huggingface_hub does, file by file as it documents them.
func pythonCache(t *testing.T, cache string, files map[string][]byte, absent ...string) {
	t.Helper()
	dir := filepath.Join(cache, "models--org--tiny-model")
	put := func(name string, content []byte) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, content, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put("refs/main", []byte(testCommit))
	for name, content := range files {
		put("blobs/"+etagFor(name, content), content)
		at := filepath.Join(dir, "snapshots", testCommit, name)
		up := strings.Repeat("../", strings.Count(name, "/")+2)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(up+"blobs/"+etagFor(name, content), at)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range absent {
		put(".no_exist/"+testCommit+"/"+name, nil)
	}
}

// A model that Python fetched is used without a request.
func TestPythonsCache(t *testing.T) {
	all := tinyModel()
	bare := map[string][]byte{}
	for _, name := range []string{"config.json", "pytorch_model.bin", "vocab.txt", "tokenizer_config.json"} {
		bare[name] = all[name]
	}
	for name, c := range map[string]struct {
		files  map[string][]byte
		absent []string
	}{
		"sentence-transformers": {all, nil},
		"transformers":          {bare, []string{modulesFile, colbertFile}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newFakeHub(t, all)
			s := h.settings(t)
			pythonCache(t, s.cache, c.files, c.absent...)
			for _, revision := range []string{Main, testCommit} {
				snapshot, err := pull(s, revision, Options{})
				if err != nil || snapshot.Commit != testCommit {
					t.Fatalf("%+v (%v)", snapshot, err)
				}
			}
			if requests := h.seen(); len(requests) > 0 {
				t.Errorf("asked %v", requests)
			}
		})
	}
}

// Python fetched only the transformer. The hub is asked for the other files; if it is
// unreachable, the transformer alone is used.
func TestPythonsPart(t *testing.T) {
	all := tinyModel()
	part := map[string][]byte{}
	for _, name := range []string{"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"} {
		part[name] = all[name]
	}
	h := newFakeHub(t, all)
	s := h.settings(t)
	pythonCache(t, s.cache, part)
	away := s
	away.endpoint = h.endpointOfNobody(t)
	snapshot, err := pull(away, Main, Options{})
	if err != nil || !slices.Equal(snapshot.Files, names(part)) {
		t.Fatalf("%+v (%v)", snapshot, err)
	}
	if snapshot, err = pull(s, Main, Options{}); err != nil {
		t.Fatal(err)
	}
	h.isWhole(t, snapshot, tinyNeeded)
	for _, request := range h.seen() {
		if strings.HasPrefix(request, "GET ") && strings.HasSuffix(request, "/"+testCommit+"/model.safetensors") {
			t.Errorf("fetched again: %s", request)
		}
	}
	if _, err = pull(s, Main, Options{}); err != nil || len(h.seen()) > 0 {
		t.Errorf("asked again (%v)", err)
	}
	// With Refresh, the user is told that the hub could not be asked.
	_, err = pull(away, Main, Options{Refresh: true})
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || !strings.Contains(err.Error(), "HF_HUB_OFFLINE=1") {
		t.Errorf("%v", err)
	}
}

func TestOffline(t *testing.T) {
	h := newFakeHub(t, tinyModel())
	s := h.settings(t)
	s.offline = true
	_, err := pull(s, Main, Options{})
	var missing *NotCachedError
	if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "unset HF_HUB_OFFLINE") {
		t.Errorf("%v", err)
	}
	pythonCache(t, s.cache, map[string][]byte{"config.json": h.files["config.json"], "tokenizer.json": h.files["tokenizer.json"]})
	if _, err = pull(s, Main, Options{}); !errors.As(err, &missing) || !strings.Contains(err.Error(), "no weights") {
		t.Errorf("%v", err)
	}
	os.RemoveAll(s.cache)
	pythonCache(t, s.cache, tinyModel())
	for _, refresh := range []bool{false, true} {
		if _, err := pull(s, Main, Options{Refresh: refresh}); err != nil {
			t.Error(err)
		}
	}
	if _, err = pull(s, strings.Repeat("ef", 20), Options{}); !errors.As(err, &missing) {
		t.Errorf("%v", err)
	}
	if requests := h.seen(); len(requests) > 0 {
		t.Errorf("offline asked %v", requests)
	}
}
