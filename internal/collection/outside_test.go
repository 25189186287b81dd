package collection

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// watched is a real encoder that counts the encoded texts, uses batches of a given
// size, and fails after a number of texts.
type watched struct {
	model.Encoder
	batch, texts, giveUp int
}

var errGaveUp = errors.New("gave up")

func (w *watched) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if w.giveUp > 0 && w.texts+len(texts) > w.giveUp {
		return nil, errGaveUp
	}
	w.texts += len(texts)
	var all []encoder.Embedding
	for at := 0; at < len(texts); at += w.batch {
		part, err := w.Encoder.Encode(ctx, texts[at:min(at+w.batch, len(texts))], o)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}

// transformer opens a small model in a folder, with prompts for queries and documents.
func transformer(t *testing.T, dir string, o model.Options) *watched {
	t.Helper()
	e, err := model.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return &watched{Encoder: e, batch: 1000}
}

func transformerFolder(t *testing.T, seed uint64) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bert")
	if err := modeltest.Write(dir, seed); err != nil {
		t.Fatal(err)
	}
	return dir
}

func outsideOptions(e encoder.Encoder) Options {
	return Options{Name: "test", Rows: Outside{Encoder: e}, ShardBytes: headerBytes + 7*(modeltest.Hidden+12), BlockDocuments: 5}
}

// longDocuments are documents of which one is too long for the model, one is blank, and
// two are equal.
func longDocuments(n int) []store.Document {
	docs := documents(n, 0)
	docs[3].Text = strings.Repeat("school uniforms cost people ", 40)
	docs[4].Title, docs[4].Text = "", " "
	docs[6].Title, docs[6].Text = docs[5].Title, docs[5].Text
	return docs
}

// The files are identical with any number of threads, any size of batches, and with or
// without a journal.
func TestOutsideBytes(t *testing.T) {
	folder := transformerFolder(t, 1)
	docs := longDocuments(23)
	truncated := 0
	for _, d := range docs {
		made, err := transformer(t, folder, model.Options{}).Encode(t.Context(), []string{d.EncodedText()}, encoder.Options{Role: encoder.Document})
		if err != nil {
			t.Fatal(err)
		}
		if made[0].Truncated {
			truncated++
		}
	}
	if truncated == 0 {
		t.Fatal("nothing is too long")
	}
	var want map[string]string
	for _, c := range []struct {
		threads, workers, batch int
		journal                 bool
	}{{1, 1, 1000, false}, {2, 3, 7, true}, {3, 2, 1, true}} {
		e := transformer(t, folder, model.Options{Threads: c.threads})
		e.batch = c.batch
		o := outsideOptions(e)
		o.Workers = c.workers
		journal := ""
		if c.journal {
			journal = filepath.Join(t.TempDir(), "journal")
		}
		o.Rows = Outside{Encoder: e, Journal: journal}
		dir := t.TempDir()
		r := mustWrite(t, dir, docs, o)
		if r.Encoded != len(docs) || r.Truncated != truncated || r.Empty != 1 || r.Resumed != 0 || len(r.Notes) > 0 {
			t.Errorf("%+v: %+v", c, r)
		}
		check(t, os.DirFS(dir), docs)
		got := snapshot(t, dir)
		if want == nil {
			want = got
		}
		if !maps.Equal(got, want) {
			t.Errorf("%+v: other bytes", c)
		}
		if _, err := os.Stat(journal); c.journal && err == nil {
			t.Errorf("%+v: the journal is still there", c)
		}
	}
}

// The manifest describes the model, and its canaries are texts encoded as documents.
func TestOutsideManifest(t *testing.T) {
	folder := transformerFolder(t, 1)
	prompts := modeltest.Object{"config_sentence_transformers.json": modeltest.Object{"prompts": modeltest.Object{"query": "find: ", "passage": "claim: "}}}
	if err := modeltest.WriteJSON(folder, prompts); err != nil {
		t.Fatal(err)
	}
	e := transformer(t, folder, model.Options{Pooling: model.Max, MaxLength: 20})
	dir := t.TempDir()
	mustWrite(t, dir, documents(9, 0), outsideOptions(e))
	m := check(t, os.DirFS(dir), nil).Manifest()
	info := e.Info()
	want := manifest.Model{ID: "bert", Revision: info.Revision, Kind: manifest.KindExternal, Architecture: "bert", Dim: modeltest.Hidden, Pooling: "max", Normalize: true,
		MaxLength: 20, Prompts: map[string]string{"query": "find: ", "document": "claim: "}}
	if !sameModel(m.Model, want) || len(info.Revision) != 16 || m.Encoder != nil {
		t.Errorf("%+v, want %+v", m.Model, want)
	}
	if len(m.Canaries) < 4 {
		t.Errorf("%d canaries", len(m.Canaries))
	}
	empty := ""
	for _, c := range m.Canaries {
		v, err := e.Encoder.Encode(t.Context(), []string{"claim: " + c.Text}, encoder.Options{Prompt: &empty})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range v[0].Vector {
			if x != c.Vector[i] {
				t.Fatalf("%.40q is not encoded as a document", c.Text)
			}
		}
	}
}

// Only changed documents are encoded again. With another model or other settings, all
// are.
func TestOutsideUpdate(t *testing.T) {
	folder := transformerFolder(t, 1)
	e := transformer(t, folder, model.Options{})
	docs := documents(20, 0)
	dir := t.TempDir()
	mustWrite(t, dir, docs, outsideOptions(e))
	docs[7].Text = "night trains"
	e.texts = 0
	r := mustWrite(t, dir, docs, outsideOptions(e))
	canaries := len(check(t, os.DirFS(dir), docs).Manifest().Canaries)
	if r.Encoded != 1 || r.Reused != 19 || e.texts != 1+2*canaries { // canaries are encoded before, to compare the encoder, and after
		t.Errorf("%+v, %d texts encoded", r, e.texts)
	}
	fresh := t.TempDir()
	mustWrite(t, fresh, docs, outsideOptions(e))
	if !maps.Equal(snapshot(t, dir), snapshot(t, fresh)) {
		t.Error("an update gives other bytes than a new collection")
	}
	for name, other := range map[string]*watched{
		"settings":          transformer(t, folder, model.Options{MaxLength: 16}),
		"weights of 8 bits": transformer(t, folder, model.Options{Int8: true}),
		"another encoder":   nil,
		"another model":     transformer(t, transformerFolder(t, 2), model.Options{}),
	} {
		o := small(staticmodeltest.Tiny(t))
		if other != nil {
			o = outsideOptions(other)
		}
		r := mustWrite(t, dir, docs, o)
		if r.Encoded != 20 || r.Reused != 0 || len(r.Notes) != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// The run after an interrupted one uses its vectors, encodes only the rest, and gives
// the same collection.
func TestJournal(t *testing.T) {
	folder := transformerFolder(t, 1)
	docs := longDocuments(30)
	want := t.TempDir()
	mustWrite(t, want, docs, outsideOptions(transformer(t, folder, model.Options{})))
	dir := t.TempDir()
	e := transformer(t, folder, model.Options{})
	o := outsideOptions(e)
	journal := filepath.Join(t.TempDir(), "journal")
	o.Rows = Outside{Encoder: e, Journal: journal}
	run := func() (Report, error) { return Write(t.Context(), dir, seq(docs), o) }
	e.giveUp = 12
	if _, err := run(); !errors.Is(err, errGaveUp) {
		t.Fatal(err)
	}
	first := e.texts
	if first < 5 || first > 12 {
		t.Fatalf("%d texts encoded", first)
	}
	// A process that was killed while it wrote may leave a journal that is cut or has a
	// wrong bit.
	whole, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	record := journalHead + 4*modeltest.Hidden + 4
	if len(whole) != journalHeader+first*record {
		t.Fatalf("%d bytes for %d texts", len(whole), first)
	}
	for _, c := range []struct {
		name string
		left []byte
		kept int
	}{
		{"whole", whole, first},
		{"torn", whole[:len(whole)-3], first - 1},
		{"damaged", append(append([]byte{}, whole[:len(whole)-2*record+20]...), append([]byte{whole[len(whole)-2*record+20] ^ 4}, whole[len(whole)-2*record+21:]...)...), first - 2},
		{"torn header", whole[:20], 0},
		{"empty", nil, 0},
		{"wrong header", append(append([]byte{}, whole[:15]...), append([]byte{whole[15] ^ 1}, whole[16:]...)...), 0},
	} {
		if err := os.WriteFile(journal, c.left, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		e.giveUp, e.texts = 0, 0
		r, err := run()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		canaries := len(check(t, os.DirFS(dir), docs).Manifest().Canaries)
		// The blank document is not encoded. Two equal documents are both encoded, and
		// both are taken from the journal.
		if c.kept > 0 && c.kept < 6 {
			t.Fatalf("%s: the two that are alike are not both in the journal", c.name)
		}
		if r.Resumed != c.kept || r.Resumed+r.Encoded != len(docs) || e.texts != len(docs)-1-c.kept+canaries {
			t.Errorf("%s: %+v, %d texts encoded", c.name, r, e.texts)
		}
		if !maps.Equal(snapshot(t, dir), snapshot(t, want)) {
			t.Errorf("%s: other bytes than in one run", c.name)
		}
		if _, err := os.Stat(journal); err == nil {
			t.Errorf("%s: the journal is still there", c.name)
		}
	}
	// These are journals of other settings, and a file that is not a journal.
	if err := os.WriteFile(journal, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Rows = Outside{Encoder: transformer(t, folder, model.Options{MaxLength: 16}), Journal: journal}
	if r, err := run(); err != nil || r.Resumed != 0 || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "interrupted") {
		t.Errorf("with other settings: %+v, %v", r, err)
	}
	if err := os.WriteFile(journal, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Rows = Outside{Encoder: transformer(t, folder, model.Options{Int8: true}), Journal: journal}
	if r, err := run(); err != nil || r.Resumed != 0 {
		t.Errorf("with weights of 8 bits: %+v, %v", r, err)
	}
	if err := os.WriteFile(journal, []byte("somebody's own"), 0o600); err != nil {
		t.Fatal(err)
	}
	var target *TargetError
	if _, err := run(); !errors.As(err, &target) || target.Dir != journal {
		t.Errorf("a file in the way: %v", err)
	}
	if left, _ := os.ReadFile(journal); string(left) != "somebody's own" {
		t.Error("it was overwritten")
	}
	// A link under the journal's name is not followed, because even an empty file would
	// be taken for a journal.
	victim := filepath.Join(t.TempDir(), "victim")
	if err := errors.Join(os.WriteFile(victim, nil, 0o600), os.Remove(journal), os.Symlink(victim, journal)); err != nil {
		t.Fatal(err)
	}
	if _, err := run(); !errors.As(err, &target) || target.Dir != journal {
		t.Errorf("a link in the way: %v", err)
	}
	if left, err := os.ReadFile(victim); err != nil || len(left) > 0 {
		t.Errorf("written through the link: %d bytes (%v)", len(left), err)
	}
}

// Broken weights that no layer has show in a vector, and the error names its document.
func TestOutsideNotANumber(t *testing.T) {
	folder := transformerFolder(t, 1)
	path := filepath.Join(folder, "model.safetensors")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := shard.ParseSafetensors(b)
	if err != nil {
		t.Fatal(err)
	}
	norm, _ := file.Tensor("embeddings.LayerNorm.bias")
	copy(norm.Data, []byte{0, 0, 0xc0, 0x7f}) // NaN
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	e := transformer(t, folder, model.Options{Pooling: model.Pooler})
	var document *DocumentError
	if _, err := Write(t.Context(), t.TempDir(), seq(documents(3, 0)), outsideOptions(e)); !errors.As(err, &document) {
		t.Errorf("%v", err)
	}
}

// Given vectors are checked against the transformer that is named as their maker.
func TestOutsideWithExternal(t *testing.T) {
	folder := transformerFolder(t, 1)
	e := transformer(t, folder, model.Options{})
	docs := documents(12, 0)
	v := Given{Maker: Outside{Encoder: e}, Dim: modeltest.Hidden}
	for _, d := range docs {
		made, err := e.Encoder.Encode(t.Context(), []string{d.EncodedText()}, encoder.Options{Role: encoder.Document})
		if err != nil {
			t.Fatal(err)
		}
		v.Data = append(v.Data, made[0].Vector...)
	}
	o := outsideOptions(e)
	o.Rows = v
	dir := t.TempDir()
	mustWrite(t, dir, docs, o)
	m := check(t, os.DirFS(dir), docs).Manifest()
	if m.Model.ID != "bert" || m.Model.Architecture != "" || m.Encoder != nil || len(m.Canaries) < 3 {
		t.Errorf("%+v", m.Model)
	}
	v.Maker = Outside{Encoder: transformer(t, transformerFolder(t, 2), model.Options{})}
	o.Rows = v
	var vectors *VectorsError
	if _, err := Write(t.Context(), dir, seq(docs), o); !errors.As(err, &vectors) {
		t.Errorf("another model: %v", err)
	}
}

// Any content in the journal's place causes at most texts to be encoded again, or is
// refused and stays as it is.
func FuzzJournal(f *testing.F) {
	m := manifest.Model{ID: "m", Dim: 2}
	whole := filepath.Join(f.TempDir(), "journal")
	j, err := openJournal(whole, m, false)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := j.add([]string{"a", "b"}, []encoder.Embedding{{Vector: []float32{1, 2}}, {Vector: []float32{3, 4}, Truncated: true}}); err != nil {
		f.Fatal(err)
	}
	if err := j.finish(false); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(whole)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(false, content)
	f.Add(true, content)
	f.Add(true, content[:len(content)-1])
	f.Add(false, content[:10])
	f.Add(false, []byte("somebody's own"))
	f.Fuzz(func(t *testing.T, many bool, b []byte) {
		path := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := openJournal(path, m, many)
		if err != nil {
			var target *TargetError
			if left, _ := os.ReadFile(path); !errors.As(err, &target) || string(left) != string(b) {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, text := range []string{"a", "b", "c"} {
			if v, _, _, ok, _ := j.take(text); ok && (len(v)%2 != 0 || !many && len(v) != 2) {
				t.Fatalf("%q: %v", text, v)
			}
		}
		if _, err := j.add([]string{"c"}, []encoder.Embedding{{Vector: []float32{5, 6}}}); err != nil {
			t.Fatal(err)
		}
		if err := j.finish(false); err != nil {
			t.Fatal(err)
		}
		again, err := openJournal(path, m, many)
		if err != nil {
			t.Fatal(err)
		}
		if v, _, _, ok, err := again.take("c"); !ok || err != nil || v[0] != 5 || v[1] != 6 {
			t.Fatalf("an added record is missing: %v %v", v, err)
		}
		if err := again.finish(true); err != nil {
			t.Fatal(err)
		}
	})
}

// flat is an encoder that only describes itself.
type flat struct {
	encoder.Encoder
	info encoder.Info
}

func (f flat) Info() encoder.Info      { return f.info }
func (f flat) TokenInfo() encoder.Info { return f.info }

func (flat) EncodeTokens(context.Context, []string, encoder.Role) ([]encoder.TokenVectors, error) {
	panic("it encodes")
}

// What a manifest cannot hold is refused before anything is encoded.
func TestBadDescriptions(t *testing.T) {
	good := encoder.Info{ID: "flat", Dim: 2}
	for want, o := range map[string]Options{
		"flat gives 0 dimensions": {Rows: Outside{Encoder: flat{info: encoder.Info{ID: "flat"}}}},
		"gives 0 dimensions":      {Rows: Tokens{Encoder: flat{info: encoder.Info{ID: "flat"}}, Bits: 4}},
		"id has 0 bytes":          {Rows: Outside{Encoder: flat{info: encoder.Info{Dim: 2}}}},
		"the encoder's id has 0":  {Rows: Outside{Encoder: flat{info: good}, Queries: flat{info: encoder.Info{Dim: 2}}}},
		"id has 5000 bytes":       {Rows: Tokens{Encoder: flat{info: encoder.Info{ID: strings.Repeat("i", 5000), Dim: 2}}, Bits: 4}},
		"have 5000 and 7 bytes":   {Rows: Outside{Encoder: flat{info: good}}, Name: strings.Repeat("n", 5000)},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		_, err := Write(t.Context(), dir, seq(documents(3, 0)), o)
		if !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Error("a folder is there")
		}
	}
}
