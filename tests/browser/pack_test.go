package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/packmodel"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// packSite is a site without a page, with two collections that carry the same pack. Its
// trunk has several files.
type packSite struct {
	dir   string
	pack  packfile.Files
	model *packmodel.Encoder
	trunk []string // names of its vocabulary's and trunk's files, in order
	rest  []string // of its branch
}

func newPackSite(t *testing.T) *packSite {
	t.Helper()
	files, err := quantized.TinyPack(transformer.QuantizedConfig{Hidden: 192, Layers: 5, Heads: 3, Intermediate: 768, Positions: 70, Types: 2, Epsilon: 1e-12,
		Activation: dense.GELU, Normalize: true, Branch: transformer.QuantizedBranch{From: 1, Layers: 1, Out: 48}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var about map[string]any
	if err := json.Unmarshal(files[pack.FileName], &about); err != nil {
		t.Fatal(err)
	}
	about["prompts"] = map[string]string{"query": "the ", "passage": "a mat "}
	if files[pack.FileName], err = json.Marshal(about); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for path, content := range files {
		writeFile(t, filepath.Join(dir, "pack", path), content)
	}
	s := &packSite{dir: dir, pack: files}
	if s.model, err = packmodel.Open(t.Context(), filepath.Join(dir, "pack"), 2); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.model.Close() })
	m := s.model.Manifest()
	for _, section := range []string{pack.Vocabulary, pack.Trunk, pack.BranchSection} {
		for _, f := range m.Section(section).Files {
			if section == pack.BranchSection {
				s.rest = append(s.rest, f.Path)
			} else {
				s.trunk = append(s.trunk, f.Path)
			}
		}
	}
	if len(s.trunk) < 4 {
		t.Fatalf("the pack has only the files %q", s.trunk)
	}
	s.write(t, "collection", 40)
	s.write(t, "other", 12)
	if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	return s
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// write makes a collection of n short documents that carries the pack.
func (s *packSite) write(t *testing.T, name string, n int) {
	t.Helper()
	words := strings.Fields("the cat sat on a mat and dogs ran far from red and blue ships")
	documents := func(yield func(store.Document, error) bool) {
		for i := range n {
			text := fmt.Sprintf("%s %s the %s %d", words[i%len(words)], words[i*5%len(words)], words[i*3%len(words)], i)
			if !yield(store.Document{ID: fmt.Sprint("d", i), Text: text}, nil) {
				return
			}
		}
	}
	dir := filepath.Join(s.dir, name)
	if _, err := collection.Write(t.Context(), dir, documents, collection.Options{Rows: collection.Outside{Encoder: s.model}, Terms: true}); err != nil {
		t.Fatal(err)
	}
	m := s.model.Manifest()
	described := func(path, in string, content []byte) map[string]any {
		writeFile(t, filepath.Join(dir, "encoder", path), content)
		sum := sha256.Sum256(content)
		return map[string]any{"path": "encoder/" + path, "sha256": hex.EncodeToString(sum[:]), "bytes": len(content), "stored": len(content)}
	}
	json := s.pack[pack.FileName]
	sum := sha256.Sum256(json)
	var files []any
	for _, path := range append(slices.Clone(s.trunk), s.rest...) {
		files = append(files, described(path, path, s.pack[path]))
	}
	s.edit(t, name, func(root map[string]any) {
		root["model"] = map[string]any{"id": m.ID, "revision": m.Revision, "kind": "pack", "architecture": "bert", "dim": m.Config.Dimension(), "normalize": true}
		root["encoder"] = map[string]any{"pack": described(hex.EncodeToString(sum[:8])+".json", "", json), "files": files}
	})
}

// edit changes the manifest of a collection.
func (s *packSite) edit(t *testing.T, name string, change func(root map[string]any)) {
	t.Helper()
	path := filepath.Join(s.dir, name, "manifest.json")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(content, &root); err != nil {
		t.Fatal(err)
	}
	change(root)
	if content, err = json.Marshal(root); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, content)
}

// packHost serves a packSite, counts the requests for files of encoders, and treats some
// of them as the test says.
type packHost struct {
	http.Handler
	mu     sync.Mutex
	counts map[string]int // by the last part of the path
	treat  map[string]answer
	gate   chan struct{} // closed: answers go out
}

func (h *packHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	if strings.Contains(r.URL.Path, "/encoder/") {
		h.mu.Lock()
		h.counts[name]++
		treat, gate := h.treat[name], h.gate
		h.mu.Unlock()
		if gate != nil {
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		if treat != nil && treat(w, r, []byte(strings.Repeat("x", 1000))) {
			return
		}
	}
	h.Handler.ServeHTTP(w, r)
}

// fresh begins to count anew. treat is for requests from now on, by the last part of
// their path.
func (h *packHost) fresh(gate chan struct{}, treat map[string]answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts, h.treat, h.gate = map[string]int{}, treat, gate
}

// fetched returns how often each payload file was fetched, in their order.
func (h *packHost) fetched(files []string) (counts []int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range files {
		counts = append(counts, h.counts[path.Base(f)])
	}
	return counts
}

func always(*http.Request) bool { return true }

// packAnswer is what a page learns of a search.
type packAnswer struct {
	Method, Notice, By string
	Hits               int
}

const packHelpers = `
	const lib = await import('/lib/index.js');
	const { Vantage } = lib;` + describeFault + `
	const query = 'reasons against: the cat sat';
	const ask = async (vantage) => {
		const { method, notice = '', encodedBy = '', hits } = await vantage.search({ query });
		return { method, notice, by: encodedBy, hits: hits.length };
	};
`

// A collection's pack is read file by file: words answer until it is there, a load that
// broke goes on with the first file that is missing, and files are kept for all
// collections of the origin.
func TestPack(t *testing.T) {
	t.Parallel()
	s := newPackSite(t)
	h := &packHost{Handler: bare(s.dir)}
	page := open(t, serve(t, h).URL("/"))
	page.Expect(`Failed to load resource`)
	n := len(s.trunk)

	// The load breaks in the last file of the trunk. Words answer before and after, and the
	// next query that needs the encoder fetches only this file.
	gate := make(chan struct{})
	h.fresh(gate, map[string]answer{path.Base(s.trunk[n-1]): breakOff(always)})
	type broken struct {
		Before, During packAnswer
		Ready          seenFault
		Pending        bool
	}
	before := call[packAnswer](t, page, `async () => {`+packHelpers+`
		window.progress = [];
		window.vantage = await Vantage.open('/collection/', { onProgress: (progress) => window.progress.push(structuredClone(progress)) });
		return ask(window.vantage);
	}`)
	if before.Method != "bm25" || !strings.Contains(before.Notice, "the encoder is still loading") || before.Hits == 0 {
		t.Errorf("while the encoder loads: %+v", before)
	}
	close(gate)
	fault := call[seenFault](t, page, `async () => {`+packHelpers+`
		return describe(await window.vantage.ready.then(() => null, (error) => error));
	}`)
	if fault.Name != "NetworkError" || !strings.Contains(fault.Message, path.Base(s.trunk[n-1])) {
		t.Errorf("a broken load: %+v", fault)
	}
	if got := h.fetched(append(slices.Clone(s.trunk), s.rest...)); !slices.Equal(got, append(slices.Repeat([]int{1}, n), make([]int, len(s.rest))...)) {
		t.Errorf("a broken load fetched %v", got)
	}
	again := call[packAnswer](t, page, `async () => {`+packHelpers+`
		return ask(window.vantage);
	}`)
	if again.Method != "bm25" || !strings.Contains(again.Notice, path.Base(s.trunk[n-1])) {
		t.Errorf("while the host breaks off: %+v", again)
	}
	h.fresh(nil, nil)
	mended := call[packAnswer](t, page, `async () => {`+packHelpers+`
		const answer = await ask(window.vantage);
		window.vantage.close();
		return answer;
	}`)
	if mended.Method != "pap+" || mended.Notice != "" || mended.By != "engine" {
		t.Errorf("when the host is mended: %+v", mended)
	}
	if got, want := h.fetched(s.trunk), append(make([]int, n-1), 1); !slices.Equal(got, want) {
		t.Errorf("the load that went on fetched %v, want %v", got, want)
	}
}
