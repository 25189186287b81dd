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
	"github.com/vantage-search/vantage/internal/testing/packmodeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// besideSite is a readerSite with another encoder. The pack, of random weights, only reads queries for it.
type besideSite struct {
	*readerSite
	reader  *manifest.PackFiles
	carried []manifest.File // of encoder and reader
	model   manifest.Model
}

func readingBeside(t *testing.T, rows collection.Source) *besideSite {
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
	documents := func(yield func(store.Document, error) bool) {
		for i, text := range []string{"The cat sat on a mat.", "Night trains help people.", "School uniforms cost too much.", "Red ships at sea.", "Dogs run far in a town."} {
			if !yield(store.Document{ID: string(rune('a' + i)), Text: text}, nil) {
				return
			}
		}
	}
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), documents, collection.Options{Rows: rows, Reader: files, Terms: true}); err != nil {
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
	if s.reader = m.Reader; len(s.reader.Files) < 4 {
		t.Fatalf("the reader has only the files %v", s.reader.Files)
	}
	s.carried, s.model = s.reader.All(), m.Model
	if m.Encoder != nil {
		s.carried = append(m.Encoder.All(), s.carried...)
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
	s := readingBeside(t, collection.Carried{Model: builtin.Builtin()})
	h := &packHost{Handler: bare(s.dir)}
	page := open(t, serve(t, h).URL("/"))
	type state struct {
		Readings []reading
		Progress struct{ Loaded, Total int }
		Answers  [2]string
	}
	var names []string
	for _, f := range s.carried {
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
		if all := storedBytes(s.carried); got.Progress.Loaded != all || got.Progress.Total != all {
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

// It reads them for a pack without a reader, and for an encoder that the collection does not carry, as well.
func TestReaderBesideOthers(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string]collection.Source{
		"pack":    collection.Pack{Model: packmodeltest.Tiny(t, 2, false)},
		"outside": collection.Given{Model: manifest.Model{ID: "elsewhere"}, Dim: 2, Data: []float32{1, 0, 1, 0, 1, 0, 1, 0, 1, 0}},
	} {
		s := readingBeside(t, rows)
		h := &packHost{Handler: bare(s.dir)}
		h.fresh(nil, nil)
		page := open(t, serve(t, h).URL("/"))
		if name == "outside" {
			// If nothing encodes queries, nothing reads them.
			call[any](t, page, `async () => {`+readerHelpers+`
				const vantage = await Vantage.open('/collection/');
				await vantage.ready;
				vantage.close();
			}`)
			if fetched := h.fetched([]string{s.reader.Pack.Path}); fetched[0] != 0 {
				t.Error("the reader was fetched without an encoder")
			}
		}
		for _, options := range []map[string]any{{"workers": 2}, {"worker": false}} {
			if name == "outside" {
				options["own"] = s.model.Revision
			}
			got := call[struct {
				Readings []reading
				Progress struct{ Loaded, Total int }
			}](t, page, `async (queries, { own, ...options }) => {`+readerHelpers+`
				await forget();
				const encoder = { id: 'elsewhere', revision: own, dim: 2, encode: (texts) => texts.map(() => new Float32Array([1, 0])) };
				let progress = null;
				const onProgress = ({ encoder }) => (progress = { ...encoder });
				const vantage = await Vantage.open('/collection/', { ...options, ...(own ? { encoder } : {}), onProgress });
				await vantage.ready;
				const readings = await readAll(vantage, queries);
				vantage.close();
				return { readings, progress };
			}`, s.queries, options)
			s.expect(t, name, got.Readings, s.readers)
			if want := storedBytes(s.carried); got.Progress.Loaded != want || got.Progress.Total != want {
				t.Errorf("%s: progress %+v, want %d", name, got.Progress, want)
			}
		}
	}
}

// Without a file of the reader, everything else works: the grammar reads, and a notice says why. If it could only not
// be fetched, the next query fetches it again.
func TestReaderBesideStaticFaults(t *testing.T) {
	t.Parallel()
	s := readingBeside(t, collection.Carried{Model: builtin.Builtin()})
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
	reader := s.reader
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
			if p := got.Progress; p.Loaded != p.Total || p.Total >= storedBytes(s.carried) {
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
			if all := storedBytes(s.carried); mended.Progress.Loaded != all || mended.Progress.Total != all {
				t.Errorf("mended %s: progress %+v, want %d", name, mended.Progress, all)
			}
		}
	}
}
