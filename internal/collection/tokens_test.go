package collection

import (
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
)

// late is a real ColBERT that counts the encoded texts, and fails after a number of them.
type late struct {
	model.TokenEncoder
	texts, giveUp int
}

func (l *late) EncodeTokens(ctx context.Context, texts []string, role encoder.Role) ([]encoder.TokenVectors, error) {
	if l.giveUp > 0 && l.texts+len(texts) > l.giveUp {
		return nil, errGaveUp
	}
	l.texts += len(texts)
	return l.TokenEncoder.EncodeTokens(ctx, texts, role)
}

// one gives the encoder one text at a time.
type one struct{ *late }

func (o one) EncodeTokens(ctx context.Context, texts []string, role encoder.Role) (all []encoder.TokenVectors, err error) {
	for _, text := range texts {
		made, err := o.late.EncodeTokens(ctx, []string{text}, role)
		if err != nil {
			return nil, err
		}
		all = append(all, made...)
	}
	return all, nil
}

func colbert(t *testing.T) *late {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "colbert")
	if err := modeltest.WriteColBERT(dir, 1, 24); err != nil {
		t.Fatal(err)
	}
	e, err := model.Open(t.Context(), dir, model.Options{ID: "colbert"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return &late{TokenEncoder: e.(model.TokenEncoder)}
}

func lateOptions(e encoder.TokenEncoder, bits int, journal string) Options {
	return Options{Name: "test", Rows: Tokens{Encoder: e, Bits: bits, Journal: journal}, ShardBytes: 4000, BlockDocuments: 5}
}

// The files hold what the encoder gave, to the precision of their width, in the order of
// the corpus. They are the same with any number of workers and with a journal.
func TestTokens(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	docs := longDocuments(40)
	e := colbert(t)
	for bits, most := range map[int]float64{8: 0.01, 4: 0.1, 2: 0.4} { // of a vector of length 1
		dir := t.TempDir()
		r := mustWrite(t, dir, docs, lateOptions(e, bits, ""))
		if r.Encoded != 40 || r.Empty != 1 || r.Truncated == 0 || r.Tokens == nil || r.Tokens.Bits != bits {
			t.Errorf("%+v", r)
		}
		other := lateOptions(one{e}, bits, filepath.Join(t.TempDir(), "journal"))
		other.Workers = 5
		again := t.TempDir()
		mustWrite(t, again, docs, other)
		if !maps.Equal(snapshot(t, dir), snapshot(t, again)) {
			t.Errorf("%d bits: other bytes with other workers", bits)
		}
		s := check(t, os.DirFS(dir), docs)
		m := s.Manifest()
		if m.Score != manifest.ScoreMaxSim || m.Dim != 24 || m.Model.Pooling != "tokens" || m.Model.MaxLength != 16 || len(m.Tokens.Files) < 2 {
			t.Errorf("%+v", m)
		}
		content, err := s.Read(t.Context(), m.Tokens.Codebook)
		if err != nil {
			t.Fatal(err)
		}
		book, err := tokens.DecodeCodebook(content, bits)
		if err != nil || book.Len() != m.Tokens.Centroids {
			t.Fatal(err)
		}
		worst := 0.0
		for _, f := range m.Tokens.Files {
			if f.Bytes > 4000 {
				t.Errorf("a file of %d bytes", f.Bytes)
			}
			content, err := s.Read(t.Context(), f.File)
			if err != nil {
				t.Fatal(err)
			}
			file, err := book.DecodeFile(content)
			if err != nil || file.Documents() != f.Count || int64(file.Vectors()) != f.Vectors {
				t.Fatalf("%d documents, %v", file.Documents(), err)
			}
			for i := range f.Count {
				var want []float32
				if text := docs[f.First+i].EncodedText(); strings.TrimSpace(text) != "" {
					made, err := e.TokenEncoder.EncodeTokens(t.Context(), []string{text}, encoder.Document)
					if err != nil {
						t.Fatal(err)
					}
					want = made[0].Vectors
				}
				got := book.Decode(file, i)
				if len(got) != len(want) {
					t.Fatalf("document %d: %d numbers, want %d", f.First+i, len(got), len(want))
				}
				for j := 0; j < len(got); j += 24 {
					off := 0.0
					for k := range 24 {
						off += math.Pow(float64(got[j+k]-want[j+k]), 2)
					}
					worst = max(worst, math.Sqrt(off))
				}
			}
		}
		if !(worst <= most) || worst == 0 {
			t.Errorf("%d bits: a vector is %v off", bits, worst)
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v, %v", left, err)
	}
}

// The run after an interrupted one encodes only the rest, says so, and gives the same files.
func TestTokensJournal(t *testing.T) {
	docs := longDocuments(40)
	e := colbert(t)
	want := t.TempDir()
	mustWrite(t, want, docs, lateOptions(e, 4, ""))
	journal := filepath.Join(t.TempDir(), "journal")
	dir := t.TempDir()
	e.texts, e.giveUp = 0, 17
	if _, err := Write(t.Context(), dir, seq(docs), lateOptions(one{e}, 4, journal)); !errors.Is(err, errGaveUp) {
		t.Fatal(err)
	}
	if left := snapshot(t, dir); len(left) > 0 {
		t.Errorf("a failed run leaves %v", left)
	}
	e.texts, e.giveUp = 0, 0
	r := mustWrite(t, dir, docs, lateOptions(one{e}, 4, journal))
	canaries := len(check(t, os.DirFS(dir), docs).Manifest().Canaries)
	if r.Resumed == 0 || r.Encoded+r.Resumed != 40 || e.texts != r.Encoded-1+canaries { // the blank document is not encoded
		t.Errorf("%d resumed, %d encoded, %d texts", r.Resumed, r.Encoded, e.texts)
	}
	if !maps.Equal(snapshot(t, dir), snapshot(t, want)) {
		t.Error("other bytes after an interruption")
	}
	if _, err := os.Stat(journal); err == nil {
		t.Error("the journal is still there")
	}
	// An update says why everything is encoded again, and removes what it replaces.
	r = mustWrite(t, dir, docs[:20], lateOptions(e, 2, journal))
	if r.Reused != 0 || r.Encoded != 20 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "learned from all documents") {
		t.Errorf("%+v", r)
	}
	fresh := t.TempDir()
	mustWrite(t, fresh, docs[:20], lateOptions(e, 2, ""))
	if !maps.Equal(snapshot(t, dir), snapshot(t, fresh)) {
		t.Error("an update leaves other files than a new run")
	}
}

// A corpus without a single token has a collection, too.
func TestTokensOfNothing(t *testing.T) {
	docs := documents(3, 0)
	for i := range docs {
		docs[i].Title, docs[i].Text = "", " "
	}
	dir := t.TempDir()
	r := mustWrite(t, dir, docs, lateOptions(colbert(t), 4, ""))
	if n := r.Tokens.Vectors(); n != 0 || r.Tokens.Centroids != 1 {
		t.Errorf("%d vectors, %d centroids", n, r.Tokens.Centroids)
	}
	check(t, os.DirFS(dir), docs)
}

// meddler fills the temporary file of the run with something else, as soon as the run asks for its model.
type meddler struct {
	*late
	pattern string
}

func (m meddler) TokenInfo() encoder.Info {
	files, _ := filepath.Glob(m.pattern)
	for _, path := range files {
		os.WriteFile(path, []byte("not vectors"), 0o600)
	}
	return m.late.TokenInfo()
}

// A run that cannot use its temporary file removes it.
func TestTokensTemporary(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	e := meddler{colbert(t), filepath.Join(temporary, "vantage-tokens-*")}
	_, err := Write(t.Context(), filepath.Join(t.TempDir(), "c"), seq(documents(3, 0)), lateOptions(e, 4, ""))
	if !fault.Is[*TargetError](err) || !strings.Contains(err.Error(), "not a file of Vantage's") {
		t.Errorf("%v", err)
	}
	if left, err := filepath.Glob(e.pattern); err != nil || len(left) > 0 {
		t.Errorf("%v %v is left", err, left)
	}
}

func TestTokensRefused(t *testing.T) {
	for says, rows := range map[string]Tokens{"3 bits": {Encoder: colbert(t), Bits: 3}, "set Tokens.Encoder": {Bits: 4}} {
		dir := filepath.Join(t.TempDir(), "c")
		if _, err := Write(t.Context(), dir, seq(documents(3, 0)), Options{Rows: rows}); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a folder is left", says)
		}
	}
}

// inTheWay is a ColBERT that puts a folder in the place of each file in a folder when it is
// asked what it is.
type inTheWay struct {
	*late
	dir string
}

func (e inTheWay) TokenInfo() encoder.Info {
	entries, _ := os.ReadDir(e.dir)
	for _, entry := range entries {
		path := filepath.Join(e.dir, entry.Name())
		os.Remove(path)
		os.Mkdir(path, 0o700)
	}
	return e.late.TokenInfo()
}

// If the token vectors cannot be kept on disk, nothing stays there.
func TestTokensCannotBeKept(t *testing.T) {
	temporary := t.TempDir()
	e := colbert(t)
	t.Setenv("TMPDIR", temporary)
	o := lateOptions(inTheWay{e, temporary}, 4, "")
	if _, err := Write(t.Context(), filepath.Join(t.TempDir(), "c"), seq(longDocuments(40)), o); err == nil || !strings.Contains(err.Error(), temporary) {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left: %v (%v)", left, err)
	}
}

// A run that is killed leaves no file of token vectors: it has no name while it is used.
func TestTokensTemporaryFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files keep their names on Windows")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	o := lateOptions(colbert(t), 4, "")
	steps := 0
	o.Progress = func(string, int64, int64) {
		steps++
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%v, %v", left, err)
		}
	}
	if mustWrite(t, t.TempDir(), longDocuments(40), o); steps == 0 {
		t.Error("nothing was looked at")
	}
}
