package browser

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// besideSite is a readerSite whose encoder is the built-in one. The pack, of random weights, only reads queries for it.
type besideSite struct {
	*readerSite
	carried *manifest.Encoder
}

func readingBeside(t *testing.T) *besideSite {
	t.Helper()
	shape := packShape
	shape.Branch.Layers = 0 // nobody needs one here
	shape.Reader = transformer.QuantizedReader{States: []int{1, 3, 5}, Width: 150, Labels: len(quantized.ReaderLabels)}
	files, err := quantized.FS(shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Its tables say nothing of how to rank.
	about := files[pack.FileName]
	about.Data = bytes.Replace(about.Data, []byte(`"sections"`), []byte(`"texts":{"auto":["stance none","audience none","place none"]},"sections"`), 1)
	dir := t.TempDir()
	s := &besideSite{readerSite: &readerSite{packSite: &packSite{dir: dir, pack: map[string][]byte{}}}}
	for name, f := range files {
		s.pack[name] = f.Data
	}
	s.read(t)
	model := builtin.Builtin()
	model.Reader = files
	documents := func(yield func(store.Document, error) bool) {
		for i, text := range []string{"The cat sat on a mat.", "Night trains help people.", "School uniforms cost too much.", "Red ships at sea.", "Dogs run far in a town."} {
			if !yield(store.Document{ID: string(rune('a' + i)), Text: text}, nil) {
				return
			}
		}
	}
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), documents, collection.Options{Rows: collection.Carried{Model: model}, Terms: true}); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(dir, "collection", manifest.FileName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(content)
	if err != nil {
		t.Fatal(err)
	}
	if s.carried = m.Encoder; len(m.Encoder.Reader.Files) < 4 {
		t.Fatalf("the reader has only the files %v", m.Encoder.Reader.Files)
	}
	if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	return s
}

// storedBytes is what files take on the host.
func storedBytes(files []manifest.File) (bytes int) {
	for _, f := range files {
		bytes += int(f.Stored)
	}
	return bytes
}

// The grammar reads queries while a static encoder and the reader beside it load, and the reader once it is
// there: as in Go.
func TestReaderBesideStatic(t *testing.T) {
	t.Parallel()
	s := readingBeside(t)
	h := &packHost{Handler: bare(s.dir)}
	page := open(t, serve(t, h).URL("/"))
	type state struct {
		Readings []reading
		Progress struct{ Loaded, Total int }
		Answers  [2]string
	}
	var names []string
	for _, f := range s.carried.All() {
		names = append(names, f.Path)
	}
	for _, options := range []map[string]any{{"workers": 1}, {"workers": 2}, {"worker": false}} {
		gate := make(chan struct{})
		h.fresh(gate, nil)
		early := call[[]reading](t, page, `async (queries, options) => {`+readerHelpers+`
			await forget();
			window.vantage = await Vantage.open('/collection/', { ...options, onProgress: ({ encoder }) => (window.progress = { ...encoder }) });
			return readAll(window.vantage, queries);
		}`, s.queries, options)
		s.expect(t, "while the encoder loads", early, s.grammar)
		close(gate)
		got := call[state](t, page, `async (queries, apart) => {`+readerHelpers+`
			const { vantage } = window;
			await vantage.ready;
			const progress = window.progress;
			const brief = ({ method, notice, hits }) => JSON.stringify([method, notice, hits.map(({ index, score }) => [index, score])]);
			const { root, perspective } = await vantage.split(queries[apart]);
			const answers = [
				brief(await vantage.search({ query: queries[apart] })),
				brief(await vantage.search({ query: queries[apart], root, perspectives: perspective })),
			];
			const readings = await readAll(vantage, queries);
			vantage.close();
			return { readings, progress, answers };
		}`, s.queries, s.apart)
		s.expect(t, "with the encoder", got.Readings, s.readers)
		if all := storedBytes(s.carried.All()); got.Progress.Loaded != all || got.Progress.Total != all {
			t.Errorf("%v: progress %+v, want %d", options, got.Progress, all)
		}
		if a := got.Answers; a[0] != a[1] || !strings.HasPrefix(a[0], `["tri-sum",`) {
			t.Errorf("%v: the whole query, and with root and perspective:\n%s", options, strings.Join(a[:], "\n"))
		}
		if fetched := h.fetched(names); slices.Max(fetched) != 1 || slices.Min(fetched) != 1 {
			t.Errorf("%v: fetched %v", options, fetched)
		}
	}
}

// Without a file of the reader, everything else works: the grammar reads, and a notice says why. If it could only not
// be fetched, the next query fetches it again.
func TestReaderBesideStaticFaults(t *testing.T) {
	t.Parallel()
	s := readingBeside(t)
	h := &packHost{Handler: bare(s.dir)}
	page := open(t, serve(t, h).URL("/"))
	page.Expect(`Failed to load resource`)
	type state struct {
		Readings []reading
		Progress struct{ Loaded, Total int }
		Answer   packAnswer
	}
	const visit = `async (queries) => {` + readerHelpers + `
		await forget();
		window.vantage = await Vantage.open('/collection/', { onProgress: ({ encoder }) => (window.progress = { ...encoder }) });
		await window.vantage.ready;
		const progress = window.progress;
		const answer = await ask(window.vantage);
		return { readings: await readAll(window.vantage, queries), progress, answer };
	}`
	reader := s.carried.Reader
	for _, f := range []manifest.File{reader.Pack, reader.Files[1], reader.Files[len(reader.Files)-1]} {
		name := path.Base(f.Path)
		content, err := os.ReadFile(filepath.Join(s.dir, "collection", f.Path))
		if err != nil {
			t.Fatal(err)
		}
		for what, treat := range map[string]answer{
			"damaged": when(always, func([]byte) []byte { return flip(slices.Clone(content)) }),
			"missing": notFound(always),
			"broken":  breakOff(always),
		} {
			h.fresh(nil, map[string]answer{name: treat})
			got := call[state](t, page, visit, s.queries)
			s.expect(t, what, got.Readings, s.grammar)
			if a := got.Answer; a.By != "engine" || a.Method == "bm25" || a.Hits == 0 || !strings.Contains(a.Notice, "the reader of queries cannot be used") || !strings.Contains(a.Notice, name) {
				t.Errorf("%s %s: %+v", what, name, a)
			}
			if p := got.Progress; p.Loaded != p.Total || p.Total >= storedBytes(s.carried.All()) {
				t.Errorf("%s %s: progress %+v", what, name, p)
			}
			if what != "broken" {
				call[any](t, page, `() => window.vantage.close()`)
				continue
			}
			h.fresh(nil, nil)
			mended := call[state](t, page, `async (queries) => {`+readerHelpers+`
				let answer;
				do answer = await ask(window.vantage);
				while (answer.notice);
				const readings = await readAll(window.vantage, queries);
				const progress = window.progress;
				window.vantage.close();
				return { readings, progress, answer };
			}`, s.queries)
			s.expect(t, "mended", mended.Readings, s.readers)
			if all := storedBytes(s.carried.All()); mended.Progress.Loaded != all || mended.Progress.Total != all {
				t.Errorf("mended %s: progress %+v, want %d", name, mended.Progress, all)
			}
		}
	}
}
