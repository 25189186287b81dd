package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/lru"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

func zip(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func fileOf(path string, content, stored []byte) manifest.File {
	return manifest.File{Path: path, SHA256: digest(content), Bytes: int64(len(content)), Stored: int64(len(stored))}
}

// collection makes a folder with n documents in blocks of 4 and one vector file.
func collection(t testing.TB, n int) (dir string, docs []Document) {
	t.Helper()
	dir = t.TempDir()
	write := func(name string, b []byte) {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	rows := bytes.Repeat([]byte{7}, 2*n)
	m := manifest.Manifest{Format: manifest.Format, Version: 1, Documents: n, Rows: n, Dim: 2, DType: "I8",
		Model:   manifest.Model{ID: "x", Kind: manifest.KindExternal, Dim: 2},
		Vectors: []manifest.RowFile{{File: fileOf("vectors/v.safetensors", rows, rows), Rows: n}}}
	write("vectors/v.safetensors", rows)
	for first := 0; first < n; first += 4 {
		var lines bytes.Buffer
		count := 0
		for i := first; i < min(n, first+4); i++ {
			d := Document{ID: fmt.Sprint("d", i), Text: strings.Repeat("text ", i), Metadata: map[string]any{"n": json.Number(fmt.Sprint(i+1) + "000000000000000001")}}
			json.NewEncoder(&lines).Encode(d)
			docs = append(docs, d)
			count++
		}
		name := fmt.Sprintf("docs/%d.bin", first)
		stored := zip(lines.Bytes())
		write(name, stored)
		m.Docs = append(m.Docs, manifest.DocFile{File: fileOf(name, lines.Bytes(), stored), First: first, Count: count})
	}
	b, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	write(manifest.FileName, b)
	return dir, docs
}

// The cache counts the list of a block's lines, which may take more memory than they do.
func TestCachedBytes(t *testing.T) {
	dir, _ := collection(t, 4)
	s, err := Open(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Documents(t.Context(), []int{0}); err != nil {
		t.Fatal(err)
	}
	if got, least := s.blocks.Bytes(), s.manifest.Docs[0].Bytes+4*lineBytes; got < least {
		t.Errorf("%d bytes of a block of 4 lines, at least %d", got, least)
	}
}

func TestDocuments(t *testing.T) {
	ctx := context.Background()
	dir, docs := collection(t, 23)
	s, err := Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	limit := 2 * s.manifest.Docs[5].Bytes
	s.blocks = lru.New[int, [][]byte](limit) // room for a few of the six blocks
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				for _, indexes := range [][]int{{}, {22}, {5, 0, 22, 5, 6, 13}, {3, 4}} {
					got, err := s.Documents(ctx, indexes)
					if err != nil || len(got) != len(indexes) {
						t.Errorf("%d documents, %v", len(got), err)
						return
					}
					for i, index := range indexes {
						if got[i].ID != docs[index].ID || got[i].Text != docs[index].Text || got[i].Metadata["n"] != docs[index].Metadata["n"] {
							t.Errorf("document %d: %+v", index, got[i])
						}
					}
				}
			}
		})
	}
	group.Wait()
	if s.blocks.Bytes() > limit {
		t.Errorf("the cache holds %d bytes, its limit is %d", s.blocks.Bytes(), limit)
	}
	n := 0
	for d, err := range s.AllDocuments(ctx) {
		if err != nil || d.ID != docs[n].ID {
			t.Fatalf("document %d: %+v %v", n, d, err)
		}
		n++
	}
	if n != 23 {
		t.Errorf("%d documents", n)
	}
	for range s.AllDocuments(ctx) {
		break
	}
	for _, index := range []int{-1, 23} {
		if _, err := s.Documents(ctx, []int{0, index}); err == nil || !strings.Contains(err.Error(), "the collection has documents 0 to 22") {
			t.Errorf("document %d: %v", index, err)
		}
	}
	empty := &Store{manifest: &manifest.Manifest{}}
	if _, err := empty.Documents(ctx, []int{0}); err == nil || !strings.Contains(err.Error(), "the collection has no documents") {
		t.Errorf("without documents: %v", err)
	}
	if (&Document{Title: "a", Text: "b"}).EncodedText() != "a b" || (&Document{Text: "b"}).EncodedText() != "b" {
		t.Error("encoded text")
	}
}

func TestRead(t *testing.T) {
	ctx := context.Background()
	content := []byte(strings.Repeat("content ", 1000))
	stored := zip(content)
	f := fileOf("docs/a.bin", content, stored)
	gzipLike := []byte{0x1f, 0x8b}
	for i := range 250 { // hexadecimal digits of hashes, which gzip can at most halve
		gzipLike = append(gzipLike, digest([]byte{byte(i)})...)
	}
	flipped := bytes.Clone(stored)
	flipped[len(flipped)/2] ^= 1
	bomb := zip(make([]byte, 5<<20))
	for name, c := range map[string]struct {
		file   manifest.File
		onDisk []byte
		what   string // "" if reading is fine
		remedy string
	}{
		"compressed":            {f, stored, "", ""},
		"decoded by the host":   {f, content, "", ""},
		"compressed otherwise":  {f, append(zip(content[:99]), zip(content[99:])...), "", ""},
		"content like gzip":     {fileOf("a", gzipLike, gzipLike), gzipLike, "", ""},
		"compressed like gzip":  {fileOf("a", gzipLike, gzipLike), zip(gzipLike), "", ""},
		"empty":                 {fileOf("a", nil, nil), nil, "", ""},
		"cut off":               {f, stored[:len(stored)-9], "compression", "torn"},
		"cut off, not packed":   {f, content[:100], "length", "torn"},
		"nothing left":          {f, nil, "length", "torn"},
		"a flipped bit":         {f, flipped, "compression", "torn"},
		"other content":         {f, bytes.Repeat([]byte("x"), len(content)), "SHA-256", "torn"},
		"other packed content":  {f, zip(bytes.Repeat([]byte("x"), len(content))), "SHA-256", "torn"},
		"too long, packed":      {f, bomb, "length", "torn"},
		"too long":              {f, make([]byte, 1<<20), "length", "torn"},
		"far shorter":           {manifest.File{Path: "a", SHA256: f.SHA256, Bytes: f.Bytes, Stored: 3 * f.Stored}, stored, "stored length", "torn"},
		"expanding too far":     {manifest.File{Path: "a", SHA256: f.SHA256, Bytes: 20 << 20, Stored: int64(len(bomb))}, bomb, "expansion", "16 MB, and beyond that to 100 times"},
		"a page":                {f, []byte("\n<!doctype html><title>Not found"), "length", "HTML page"},
		"absurd length claimed": {manifest.File{Path: "a", SHA256: f.SHA256, Bytes: 1 << 60}, stored, "length in the manifest", "torn"},
	} {
		got, err := Read(ctx, fstest.MapFS{c.file.Path: {Data: c.onDisk}}, c.file)
		if c.what == "" {
			if err != nil || digest(got) != c.file.SHA256 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var e *CorruptError
		if !errors.As(err, &e) || e.File != c.file.Path || e.What != c.what || !strings.Contains(e.Error(), c.remedy) || !strings.Contains(e.Error(), e.Expected) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var missing *MissingError
	if _, err := Read(ctx, fstest.MapFS{}, f); !errors.As(err, &missing) || missing.File != "docs/a.bin" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Read(ended, fstest.MapFS{"docs/a.bin": {Data: stored}}, f); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "docs/a.bin") {
		t.Errorf("%v", err)
	}
}

// A document's memory depends on its bytes, not on its number of values.
func TestNestedMetadata(t *testing.T) {
	nested := strings.TrimSuffix(strings.Repeat(`{"a": {}},`, 100_000), ",")
	line := fmt.Sprintf(`{"_id": "x", "title": null, "text": "é\u00e9", "metadata": {"deep": [%s], "n": 1.50, "s": "\ud83d\ude00", "b": true, "z": null}}`, nested)
	d, err := decode([]byte(line))
	if err != nil || d.ID != "x" || d.Title != "" || d.Text != "éé" {
		t.Fatalf("%.80v %v", d, err)
	}
	raw, ok := d.Metadata["deep"].(json.RawMessage)
	if !ok || len(raw) != len(nested)+2 {
		t.Errorf("an array of objects is a %T", d.Metadata["deep"])
	}
	delete(d.Metadata, "deep")
	if out, _ := json.Marshal(d.Metadata); string(out) != `{"b":true,"n":1.50,"s":"😀","z":null}` {
		t.Errorf("%s", out)
	}
	var limit *jsonlite.LimitError
	if _, err := decode([]byte(`{"metadata": {"a": [` + strings.Repeat("0,", jsonlite.MaxValues) + `0]}}`)); !errors.As(err, &limit) {
		t.Error(err)
	}
}

func TestOpenErrors(t *testing.T) {
	ctx := context.Background()
	var missing *MissingError
	if _, err := Open(ctx, fstest.MapFS{}); !errors.As(err, &missing) || !strings.Contains(err.Error(), "vantage index") {
		t.Errorf("%v", err)
	}
	var newer *manifest.NewerError
	var corrupt *CorruptError
	for text, right := range map[string]func(error) bool{
		`{"format": "vantage-collection", "version": 2}`: func(err error) bool { return errors.As(err, &newer) },
		`{"name": "app"}`: func(err error) bool { return errors.Is(err, manifest.ErrNotCollection) },
		`{"format": "vantage-collection", "version": 1}`:   func(err error) bool { return errors.As(err, &corrupt) },
		`{"format": "vantage-collec`:                       func(err error) bool { return errors.As(err, &corrupt) },
		`<html>`:                                           func(err error) bool { return errors.As(err, &corrupt) && strings.Contains(err.Error(), "HTML page") },
		strings.Repeat(" ", manifest.MaxBytes+1):           func(err error) bool { return errors.As(err, &corrupt) && errors.Is(err, ErrTooLong) },
		`{"format": "vantage-collection", "version": "1"}`: func(err error) bool { return errors.As(err, &corrupt) },
	} {
		if _, err := Open(ctx, fstest.MapFS{manifest.FileName: {Data: []byte(text)}}); err == nil || !right(err) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// If a file is cut off or one of its bytes is changed, reading fails with the file's name. Only a
// changed byte that gzip ignores is harmless: the content is still right.
func TestDamage(t *testing.T) {
	ctx := context.Background()
	dir, _ := collection(t, 9)
	open, err := Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range open.Manifest().Files() {
		good, err := fs.ReadFile(os.DirFS(dir), f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			cut, changed := good[:i], bytes.Clone(good)
			changed[i] ^= 0x40
			for _, bad := range [][]byte{cut, changed} {
				got, err := Read(ctx, fstest.MapFS{f.Path: {Data: bad}}, f)
				var e *CorruptError
				if err == nil && digest(got) != f.SHA256 || err != nil && (!errors.As(err, &e) || e.File != f.Path) {
					t.Fatalf("%s, byte %d: %v", f.Path, i, err)
				}
				if err == nil && (len(bad) < len(good) || f.Bytes == f.Stored) {
					t.Fatalf("%s, byte %d: the damage went unnoticed", f.Path, i)
				}
			}
		}
	}
	// These blocks have the right hashes, but their content does not agree with the
	// manifest.
	for name, lines := range map[string]string{
		"too few":    `{"_id":"a","text":""}`,
		"too many":   strings.Repeat(`{"_id":"a","text":""}`+"\n", 3),
		"no JSON":    `{"_id":"a","text":""}` + "\n{",
		"other type": `{"_id":"a","text":""}` + "\n" + `{"_id":7,"text":""}`,
	} {
		m := *open.Manifest()
		m.Documents, m.Rows = 2, 2
		f := fileOf("docs/x.bin", []byte(lines), []byte(lines))
		s := &Store{fsys: fstest.MapFS{f.Path: {Data: []byte(lines)}}, manifest: &m, blocks: lru.New[int, [][]byte](100)}
		m.Docs = []manifest.DocFile{{File: f, Count: 2}}
		var e *CorruptError
		if _, err := s.Documents(ctx, []int{0, 1}); !errors.As(err, &e) || e.File != f.Path {
			t.Errorf("%s: %v", name, err)
		}
	}
}
