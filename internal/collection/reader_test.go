package collection

import (
	"io/fs"
	"iter"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// A collection carries the reader of English queries if the encoder or, if that does not say, the documents are English.
func TestReaderOfEnglish(t *testing.T) {
	files := readerFiles(t)
	texts := map[string]string{
		"en":   "Night trains take longer than planes, but they are there in the morning, and a bed is cheaper than a room.",
		"de":   "Nachtzüge sind langsamer als Flugzeuge, aber man ist am Morgen da, und ein Bett ist billiger als ein Zimmer.",
		"da":   "Nattog er langsommere end fly, men man er fremme om morgenen, og det er billigere at have en seng for natten.",
		"nl":   "Nachttreinen zijn langzamer dan vliegtuigen, maar je bent er in de ochtend, en een bed is goedkoper dan een kamer of een vlucht.",
		"fr":   "Les trains de nuit sont plus lents que les avions, mais on y est le matin, et un lit est moins cher qu'une chambre.",
		"es":   "Los trenes nocturnos son más lentos que los aviones, pero a la mañana se llega, y una cama cuesta menos que una habitación.",
		"none": "",
	}
	for name, c := range map[string]struct {
		text, encoder string
		want          bool
	}{
		"English":                           {"en", "", true},
		"German":                            {"de", "", false},
		"Danish":                            {"da", "", false},
		"Dutch":                             {"nl", "", false},
		"French":                            {"fr", "", false},
		"Spanish":                           {"es", "", false},
		"no words":                          {"none", "", false},
		"a German model, English documents": {"en", "de", false},
		"an English model":                  {"de", "en", true},
		"one of British English":            {"none", "en-GB", true},
		"not English":                       {"en", "eng", false},
	} {
		o := Options{Reader: files, Rows: Given{Model: manifest.Model{ID: "m", Language: c.encoder}, Dim: 1, Data: []float32{1}}}
		dir := t.TempDir()
		if _, err := Write(t.Context(), dir, single(texts[c.text]), o); err != nil {
			t.Fatal(err)
		}
		st, err := store.Open(t.Context(), os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		m := st.Manifest()
		if (m.Reader != nil) != c.want {
			t.Errorf("%s: the reader %+v", name, m.Reader)
		}
		if m.Reader != nil && len(m.Reader.All()) != len(files) {
			t.Errorf("%s: %d files of %d", name, len(m.Reader.All()), len(files))
		}
	}
}

// What cannot read queries is refused, and leaves nothing.
func TestReaderRefused(t *testing.T) {
	whole := readerFiles(t)
	no, err := quantized.TinyFS(1, false)
	if err != nil {
		t.Fatal(err)
	}
	damaged, short := fstest.MapFS{}, fstest.MapFS{}
	for name, f := range whole {
		damaged[name], short[name] = f, f
		if name != pack.FileName {
			damaged[name] = &fstest.MapFile{Data: append([]byte{f.Data[0] ^ 1}, f.Data[1:]...)}
			delete(short, name)
		}
	}
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"without a reader":    {no, "it has no reader"},
		"damaged":             {damaged, "is not the file that pack.json names"},
		"without its files":   {short, "data/"},
		"without a pack.json": {fstest.MapFS{}, "pack.json"},
		"a long pack.json":    {fstest.MapFS{"pack.json": &fstest.MapFile{Data: make([]byte, pack.MaxManifest+1)}}, "pack.json"},
		"a folder":            {fstest.MapFS{"pack.json": &fstest.MapFile{Mode: fs.ModeDir}}, "pack.json"},
		"not JSON":            {fstest.MapFS{"pack.json": &fstest.MapFile{Data: []byte("{")}}, "pack.json"},
	} {
		dir := t.TempDir()
		_, err := Write(t.Context(), dir, single("the text of a document"), Options{Reader: c.files, Rows: Given{Model: manifest.Model{ID: "m"}, Dim: 1, Data: []float32{1}}})
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.Of(err) != fault.Input {
			t.Errorf("%s: %v (%q)", name, err, fault.Of(err))
		}
		if left := snapshot(t, dir); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

func readerFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	shape := quantized.Reading
	shape.Branch.Layers = 0
	files, err := quantized.FS(shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// single is a corpus of one document.
func single(text string) iter.Seq2[store.Document, error] {
	return seq([]store.Document{{ID: "a", Text: text}})
}
