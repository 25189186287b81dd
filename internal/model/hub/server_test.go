package hub

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/retry"
)

const (
	testModel  = "org/tiny-model"
	testCommit = "0123456789abcdef0123456789abcdef01234567"
	testToken  = "hf_secret"
)

// fakeHub answers as the hub does. It sends small files itself, and redirects to
// another server for files in LFS.
type fakeHub struct {
	*httptest.Server
	storage *httptest.Server
	private bool // the model needs testToken

	mu       sync.Mutex
	commit   string
	files    map[string][]byte
	requests []string // "METHOD path range"; the paths of requests to the storage have "storage" before them
	tokens   []string // Authorization headers that the storage saw
	// hooks may answer instead of the server.
	onList, onHead, onGet, onStorage func(w http.ResponseWriter, r *http.Request, file string, content []byte) (done bool)
}

func newFakeHub(t testing.TB, files map[string][]byte) *fakeHub {
	h := &fakeHub{commit: testCommit, files: files}
	h.storage = httptest.NewServer(http.HandlerFunc(h.serveStorage))
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.storage.CloseClientConnections()
		h.Server.Close()
		h.storage.Close()
	})
	return h
}

func (h *fakeHub) log(r *http.Request, where string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = append(h.requests, strings.TrimSpace(r.Method+" "+where+r.URL.Path+" "+r.Header.Get("Range")))
}

// hookStorage sets a hook for requests of other processes, which the race detector
// cannot order.
func (h *fakeHub) hookStorage(hook func(http.ResponseWriter, *http.Request, string, []byte) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.onStorage = hook
}

// seen empties the log of requests.
func (h *fakeHub) seen() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	requests := h.requests
	h.requests = nil
	return requests
}

func isLFS(name string) bool {
	return strings.HasSuffix(name, ".safetensors") || strings.HasSuffix(name, ".bin")
}

func etagFor(name string, content []byte) string {
	if isLFS(name) {
		return fmt.Sprintf("%x", sha256.Sum256(content))
	}
	return fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(content)), content...)))
}

func (h *fakeHub) serve(w http.ResponseWriter, r *http.Request) {
	h.log(r, "")
	if h.private && r.Header.Get("Authorization") != "Bearer "+testToken {
		w.Header().Set("X-Error-Code", "GatedRepo")
		w.Header().Set("X-Error-Message", "Access to model is restricted")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if revision, ok := strings.CutPrefix(r.URL.Path, "/api/models/"+testModel+"/revision/"); ok {
		if h.onList != nil && h.onList(w, r, "", nil) {
			return
		}
		if revision != "main" && revision != "refs/pr/1" && revision != h.commit {
			w.Header().Set("X-Error-Code", "RevisionNotFound")
			w.WriteHeader(http.StatusNotFound)
			return
		}
		l := listing{Commit: h.commit}
		for name := range h.files {
			l.Siblings = append(l.Siblings, struct {
				Name string `json:"rfilename"`
			}{name})
		}
		json.NewEncoder(w).Encode(l)
		return
	}
	prefix := "/" + testModel + "/resolve/" + h.commit + "/"
	name, ok := strings.CutPrefix(r.URL.Path, prefix)
	content, exists := h.files[name]
	if !ok || !exists {
		w.Header().Set("X-Error-Code", "EntryNotFound")
		w.WriteHeader(http.StatusNotFound)
		return
	}
	etag := etagFor(name, content)
	w.Header().Set("X-Repo-Commit", h.commit)
	if isLFS(name) {
		w.Header().Set("X-Linked-Etag", `"`+etag+`"`)
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(content)))
	} else {
		w.Header().Set("ETag", `"`+etag+`"`)
	}
	hook := h.onGet
	if r.Method == http.MethodHead {
		hook = h.onHead
	}
	if hook != nil && hook(w, r, name, content) {
		return
	}
	if isLFS(name) {
		http.Redirect(w, r, h.storage.URL+"/lfs/"+name+"?signature=sesame", http.StatusFound)
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func (h *fakeHub) serveStorage(w http.ResponseWriter, r *http.Request) {
	h.log(r, "storage")
	name := strings.TrimPrefix(r.URL.Path, "/lfs/")
	h.mu.Lock()
	content, hook := h.files[name], h.onStorage
	h.tokens = append(h.tokens, r.Header.Get("Authorization"))
	h.mu.Unlock()
	if hook != nil && hook(w, r, name, content) {
		return
	}
	w.Header().Set("ETag", `"storage-has-others"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// settings are settings for a client of this hub, with its own cache.
func (h *fakeHub) settings(t testing.TB) settings {
	u, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	return settings{endpoint: u, cache: filepath.Join(t.TempDir(), "hub"), token: testToken}
}

// quick is a timing for tests.
var quick = timing{retry.Policy{Attempts: 4, Delay: time.Millisecond, Most: 4 * time.Millisecond, Wait: 2 * time.Second}, 30 * time.Second}

// pull fetches a model with a quick client.
func pull(s settings, revision string, o Options) (Snapshot, error) {
	return pullWith(context.Background(), s, revision, o, quick)
}

func pullWith(ctx context.Context, s settings, revision string, o Options, t timing) (Snapshot, error) {
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	g := newGetting(s, testModel, revision, o)
	g.timing = t
	defer g.http.CloseIdleConnections()
	return g.run(ctx)
}

// tinyModel has the files of a sentence-transformers model, and many that are not
// needed.
func tinyModel() map[string][]byte {
	files := map[string][]byte{
		"model.safetensors":                 randomBytes(1, 300_000),
		"pytorch_model.bin":                 randomBytes(2, 1000),
		"onnx/model.onnx":                   []byte("onnx"),
		"openvino/openvino_model.bin":       []byte("ov"),
		"tf_model.h5":                       []byte("h5"),
		"flax_model.msgpack":                []byte("flax"),
		"rust_model.ot":                     []byte("ot"),
		"README.md":                         []byte("# Tiny"),
		".gitattributes":                    nil,
		"generation_config.json":            []byte("{}"),
		"config.json":                       []byte(`{"model_type": "bert"}`),
		"tokenizer.json":                    randomBytes(3, 5000),
		"tokenizer_config.json":             []byte("{}"),
		"special_tokens_map.json":           nil, // an empty file is valid, too
		"vocab.txt":                         []byte("[PAD]\n"),
		"sentencepiece.bpe.model":           []byte("not needed"),
		"sentence_bert_config.json":         []byte(`{"max_seq_length": 128}`),
		"config_sentence_transformers.json": []byte(`{"prompts": {}}`),
		"modules.json": []byte(`[{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
			{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
			{"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"},
			{"idx": 3, "name": "3", "path": "3_Normalize", "type": "sentence_transformers.models.Normalize"}]`),
		"1_Pooling/config.json":     []byte(`{"word_embedding_dimension": 8}`),
		"2_Dense/config.json":       []byte(`{"in_features": 8}`),
		"2_Dense/model.safetensors": randomBytes(4, 700),
		"2_Dense/pytorch_model.bin": randomBytes(5, 700),
		"9_Other/config.json":       []byte("{}"),
	}
	return files
}

// tinyNeeded are the files of tinyModel that must be fetched.
var tinyNeeded = []string{"1_Pooling/config.json", "2_Dense/config.json", "2_Dense/model.safetensors", "config.json", "config_sentence_transformers.json",
	"model.safetensors", "modules.json", "sentence_bert_config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt"}

func randomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// isWhole compares a snapshot with the hub's files, and checks that nothing incomplete
// is visible anywhere.
func (h *fakeHub) isWhole(t testing.TB, s Snapshot, needed []string) {
	t.Helper()
	if !slices.Equal(s.Files, needed) {
		t.Errorf("files %v, want %v", s.Files, needed)
	}
	for _, name := range needed {
		got, err := os.ReadFile(filepath.Join(s.Dir, name))
		if err != nil || !bytes.Equal(got, h.files[name]) {
			t.Errorf("%s: %d bytes (%v), want %d", name, len(got), err, len(h.files[name]))
		}
	}
	checkVisible(t, h, filepath.Dir(filepath.Dir(s.Dir)))
}

// checkVisible checks that every file of a model's cache has the right content, unless
// it is marked as incomplete.
func checkVisible(t testing.TB, h *fakeHub, dir string) {
	t.Helper()
	byTag := map[string][]byte{}
	for name, content := range h.files {
		byTag[etagFor(name, content)] = content
	}
	for name, content := range contents(t, dir) {
		base := filepath.Base(name)
		switch {
		case strings.HasPrefix(name, "refs/"), strings.HasPrefix(name, ".no_exist/"), strings.HasSuffix(name, ".incomplete"):
		case strings.HasPrefix(name, "blobs/"):
			if want, known := byTag[base]; known && !bytes.Equal(want, content) || !known && etagFor(".bin", content) != base && etagFor("", content) != base {
				t.Errorf("%s is visible with %d wrong bytes", name, len(content))
			}
		default:
			parts := strings.SplitN(name, "/", 3)
			if want := h.files[parts[2]]; parts[1] == h.commit && !bytes.Equal(want, content) {
				t.Errorf("%s is visible with %d wrong bytes", name, len(content))
			}
		}
	}
}

// contents reads all files below a folder, through links.
func contents(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(p)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return files
}

func names[V any](files map[string]V) []string { return slices.Sorted(maps.Keys(files)) }

// cut sends a part of a file and breaks the connection. It supports ranges.
func cut(w http.ResponseWriter, r *http.Request, content []byte, after int) {
	from := 0
	if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); n == 1 {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(content)-1, len(content)))
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(content)-from))
	if from > 0 {
		w.WriteHeader(http.StatusPartialContent)
	}
	io.Copy(w, bytes.NewReader(content[from:min(from+after, len(content))]))
	if from+after < len(content) {
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// endpointOfNobody is an address at which nothing listens.
func (h *fakeHub) endpointOfNobody(t testing.TB) *url.URL {
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	u, err := url.Parse(gone.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
