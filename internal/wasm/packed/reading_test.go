package packed_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
	"github.com/vantage-search/vantage/perspective"
)

// asked are queries of all kinds. The tiny tokenizer knows most of their words.
var asked = []string{
	"arguments against night trains", "school uniforms", "Why do school uniforms help people?", "the school: pros and cons", "people oppose night trains, a claim that opposes them",
	"find a claim that supports the argument: night trains help", "bicycle costs", "quiz: a the - school night", "school uniforms according to people", "work week",
}

// odd are texts that are hardly queries.
var odd = []string{
	"", " ", "?", "\x00", "\x00\x01\x1f\x7f", "\u200b", "\u200b \u200b", "night \u200b", "\u200b night", "\u00ad\u00ad trains \u00ad", "\xff\xfe", "night \xff trains \x80", "[CLS] [SEP] [MASK]", "夜行列車 に 反対",
	strings.Repeat("x", 300), strings.Repeat("night ", 62), strings.Repeat("night ", 63), strings.Repeat("?", 64), strings.Repeat("\u200b ", 64) + "night", strings.Repeat("\u200b ", 63),
	strings.Repeat("quiz", 40), strings.Repeat("a ", 32<<10), strings.Repeat("a", 64<<10), strings.Repeat("?!", 32<<10), strings.Repeat("\x00", 64<<10), strings.Repeat("arguments against ", 4<<10),
}

func open(t testing.TB, files packfile.Files, workers int, sections ...string) *packed.Encoder {
	t.Helper()
	pool := dense.NewPool(workers)
	t.Cleanup(pool.Close)
	e, err := packed.Open(files[pack.FileName], nil, pool)
	if err != nil {
		t.Fatal(err)
	}
	read(t, e, files, sections...)
	return e
}

func read(t testing.TB, e *packed.Encoder, files packfile.Files, sections ...string) {
	t.Helper()
	for _, name := range sections {
		for _, f := range e.Manifest().Section(name).Files {
			if err := e.File(name, files[f.Path]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func tiny(t testing.TB, seed uint64) packfile.Files {
	t.Helper()
	files, err := quantized.TinyPack(quantized.Reading, seed)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// said is what the model of a pack says of a query, by way of its parts.
func said(t *testing.T, files packfile.Files, query string) perspective.Reading {
	t.Helper()
	p, err := packfile.Read(files.Get)
	if err != nil {
		t.Fatal(err)
	}
	m, err := transformer.NewQuantized(packed.Config(p.Manifest), p)
	if err == nil {
		err = m.AddReader(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(1)
	defer pool.Close()
	cls, _ := p.Tokenizer().ID("[CLS]")
	sep, _ := p.Tokenizer().ID("[SEP]")
	ids, words := []uint32{cls}, perspective.Words(query)
	var begins []int
	for _, w := range words {
		begins = append(begins, len(ids))
		ids = append(ids, p.Tokenizer().Encode(nil, query[w.Start:w.End])...)
	}
	labels, root, err := m.Read(append(ids, sep), m.NewScratch(pool, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range begins {
		words[i].Root = root[at]
	}
	labels[slices.Index(quantized.ReaderLabels, "")] += .5
	best := 0
	for i := range labels {
		if labels[i] > labels[best] {
			best = i
		}
	}
	return perspective.ReadTagged(query, words, quantized.ReaderLabels[best])
}

// A query is read by the reader when that and the trunk have been read, in whatever order, and by the grammar before.
func TestRead(t *testing.T) {
	const v, trunk, branch, reader = pack.Vocabulary, pack.Trunk, pack.BranchSection, pack.ReaderSection
	others := 0
	for seed := range uint64(6) {
		files := tiny(t, seed)
		for _, order := range [][]string{{v, trunk, reader}, {reader, trunk, v}, {v, reader, branch, trunk}} {
			e := open(t, files, 2)
			for i, section := range order {
				for _, query := range asked {
					if r, err := e.Read(query); err != nil || r != perspective.Read(query) {
						t.Errorf("%q with %q: %+v, %v", query, order[:i], r, err)
					}
				}
				read(t, e, files, section)
			}
			for range 2 {
				for _, query := range asked {
					r, err := e.Read(query)
					if want := said(t, files, query); err != nil || r != want {
						t.Errorf("%q: %+v, %v, want %+v", query, r, err, want)
					}
					if r != perspective.Read(query) {
						others++
					}
					if _, err := e.Encode(make([]float32, 32), nil, "the cat "+query); err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
	if others < 20 {
		t.Errorf("%d readings differ from the grammar's", others)
	}
}

// What the reader cannot read, the grammar reads.
func TestReadFallsBack(t *testing.T) {
	files := tiny(t, 1)
	e := open(t, files, 1, pack.Vocabulary, pack.Trunk, pack.ReaderSection)
	bare := quantized.Reading
	bare.Reader = transformer.QuantizedReader{}
	without, err := quantized.TinyPack(bare, 1)
	if err != nil {
		t.Fatal(err)
	}
	none := open(t, without, 1, pack.Vocabulary, pack.Trunk)
	tokens, err := quantized.TinyPack(quantized.Late, 1)
	if err != nil {
		t.Fatal(err)
	}
	late := open(t, tokens, 1, pack.Vocabulary, pack.Trunk)
	long := "arguments against " + strings.Repeat("night trains and ", 30) + "school"
	for _, query := range append(odd, append(asked, long)...) {
		for name, e := range map[string]*packed.Encoder{"no reader": none, "vectors of tokens": late} {
			if r, err := e.Read(query); err != nil || r != perspective.Read(query) {
				t.Errorf("%s, %.30q: %+v, %v", name, query, r, err)
			}
		}
		if _, err := e.Read(query); err != nil {
			t.Errorf("%.30q: %v", query, err)
		}
	}
	// 62 words fill the 64 tokens of a query, one more is too many.
	for n, by := range map[int]bool{62: true, 63: false} {
		query := strings.TrimSpace(strings.Repeat("night trains ", n/2) + strings.Repeat("school", n%2))
		r, err := e.Read(query)
		if err != nil || by && r != said(t, files, query) || !by && r != perspective.Read(query) {
			t.Errorf("%d words: %+v, %v", n, r, err)
		}
	}
	if r, err := e.Read(long); err != nil || r != perspective.Read(long) {
		t.Errorf("a long query: %+v, %v", r, err)
	}
}

// Tokenizers that put no special tokens around a text, or several, and models that take few tokens read or fall back.
func TestReadOfAnyTokenizer(t *testing.T) {
	c := quantized.Reading
	text := modeltest.Object{"Sequence": modeltest.Object{"id": "A", "type_id": 0}}
	cls, sep := modeltest.Object{"SpecialToken": modeltest.Object{"id": "[CLS]", "type_id": 0}}, modeltest.Object{"SpecialToken": modeltest.Object{"id": "[SEP]", "type_id": 0}}
	for name, template := range map[string][]any{"none": {text}, "before": {cls, text}, "after": {text, sep}, "many": {cls, cls, cls, text, sep, sep}} {
		for _, limit := range []int{0, 1, 2, 3, 7} {
			tokenizer, pieces := modeltest.Tokenizer(), modeltest.Vocabulary()
			delete(tokenizer["model"].(modeltest.Object), "vocab")
			processor := tokenizer["post_processor"].(modeltest.Object)
			processor["single"] = template
			delete(processor, "pair")
			settings, err := json.Marshal(tokenizer)
			if err != nil {
				t.Fatal(err)
			}
			c.Vocabulary, c.Limit = len(pieces), limit
			files, err := quantized.Pack(c, quantized.Random(c, 1), settings, pieces, false)
			if err != nil {
				t.Fatal(err)
			}
			e := open(t, files, 1, pack.Vocabulary, pack.Trunk, pack.ReaderSection)
			for _, query := range append(odd, asked...) {
				if _, err := e.Read(query); err != nil {
					t.Errorf("special tokens %s, limit %d, %.30q: %v", name, limit, query, err)
				}
			}
		}
	}
}

// A damaged reader leaves the rest of the model as it was, and can be read again.
func TestReadAfterDamage(t *testing.T) {
	files := tiny(t, 2)
	e := open(t, files, 1, pack.Vocabulary, pack.Trunk)
	f := e.Manifest().Section(pack.ReaderSection).Files[0]
	content := bytes.Clone(files[f.Path])
	copy(content, "\x00\x00\xc0\x7f") // a scale that is no number
	if err := e.File(pack.ReaderSection, content); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "reader.states.weight") {
		t.Error(err)
	}
	copy(content, "\x00\x00\x80\x7e") // one that is too great
	if err := e.File(pack.ReaderSection, content); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "reader.states.weight") {
		t.Error(err)
	}
	if err := e.File(pack.ReaderSection, content[1:]); err == nil {
		t.Error("a short file")
	}
	for _, query := range asked {
		if r, err := e.Read(query); err != nil || r != perspective.Read(query) {
			t.Errorf("%q: %+v, %v", query, r, err)
		}
	}
	read(t, e, files, pack.ReaderSection)
	for _, query := range asked {
		if r, err := e.Read(query); err != nil || r != said(t, files, query) {
			t.Errorf("%q: %+v, %v", query, r, err)
		}
	}
	if err := e.File(pack.ReaderSection, files[f.Path]); err == nil || !strings.Contains(err.Error(), "has been read") {
		t.Errorf("a reader twice: %v", err)
	}
}

// Labels that this program does not know are refused before anything is fetched.
func TestOpenRefusesLabels(t *testing.T) {
	files := tiny(t, 1)
	for _, label := range []string{"weather", "stance:neither", "place:for", "stance:for against", "place time"} {
		json := bytes.Replace(files[pack.FileName], []byte(`"place"`), []byte(`"`+label+`"`), 1)
		if _, err := packed.Open(json, nil, dense.NewPool(1)); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), label) || !strings.Contains(err.Error(), "newer version") {
			t.Errorf("%s: %v", label, err)
		}
	}
}

// Any text has a reading, the same each time.
func FuzzRead(f *testing.F) {
	for _, text := range append(odd, asked...) {
		if len(text) < 1000 {
			f.Add(text)
		}
	}
	e := open(f, tiny(f, 3), 1, pack.Vocabulary, pack.Trunk, pack.ReaderSection)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := e.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := e.Read(text); err != nil || again != r {
			t.Fatalf("%q: %+v, then %+v, %v", text, r, again, err)
		}
		if (r.Root == "") != (r.Perspective == "") || r.Root == "" && r != (perspective.Reading{}) {
			t.Fatalf("%q: %+v", text, r)
		}
	})
}
