package collection

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/lru"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// key stands for a text or id: the first 128 bits of its SHA-256, so that memory does not grow with their lengths.
type key [16]byte

func keyOf(s string) key {
	sum := sha256.Sum256([]byte(s))
	return key(sum[:16])
}

// previous is the old collection as a source of rows: a text that was encoded by the same encoder has its row already.
// Everything taken from it is verified, and the first thing that is wrong ends its use.
type previous struct {
	ctx   context.Context
	store *store.Store
	ids   []key          // of its documents
	rows  map[key]uint32 // row by encoded text
	note  string         // why it is not, or no longer, of use

	cached *lru.Cache[int, *shard.Rows] // by number of the file
	loads  map[int]int
}

// cacheBytes bounds the old vector files in memory. A corpus in another order than before would load each many times,
// which takes longer than encoding: after maxLoads a file is not loaded again.
const (
	cacheBytes = 256 << 20
	maxLoads   = 4
)

// openPrevious reads the ids and texts of the old collection. Without an encoder its rows are not reused.
func openPrevious(ctx context.Context, t *target, src *source, dtype shard.DType) (p *previous, err error) {
	p = &previous{ctx: ctx, store: t.old, cached: lru.New[int, *shard.Rows](cacheBytes), loads: map[int]int{}}
	if t.old == nil {
		if t.oldError != nil {
			p.note = again("the old collection cannot be read (%v)", t.oldError)
		}
		return p, nil
	}
	reuse := false
	if src.encoder != nil || src.outside != nil {
		if src.outside != nil {
			p.note, err = src.outside.mismatch(ctx, t.old.Manifest(), dtype)
		} else {
			p.note = mismatch(t.old.Manifest(), src.files, src.encoder, dtype)
		}
		if err != nil {
			return nil, err
		}
		if src.weighed > 0 && p.note != "" && t.old.Manifest().Model.ID == src.files.ID {
			p.note += " (IDF weights follow the whole corpus, so any change of it gives another version)"
		}
		reuse = p.note == ""
	}
	if reuse {
		p.rows = make(map[key]uint32, t.old.Manifest().Documents)
	}
	row := uint32(0)
	for doc, err := range t.old.AllDocuments(ctx) {
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			p.rows, p.ids, p.note = nil, nil, again("the old collection is damaged (%v)", err)
			break
		}
		p.ids = append(p.ids, keyOf(doc.ID))
		if reuse {
			p.rows[keyOf(doc.EncodedText())] = row
		}
		row++
	}
	return p, nil
}

func again(format string, args ...any) string {
	return fmt.Sprintf(format, args...) + ": everything is encoded again"
}

// mismatch says why rows of the old collection are not what the encoder would give now, or "".
func mismatch(old *manifest.Manifest, files staticmodel.Files, encoder *encode.Static, dtype shard.DType) string {
	switch {
	case old.Model.Kind != manifest.KindStatic || old.Encoder == nil || old.Model.ID != files.ID:
		return again("the old collection was made with the encoder %s", old.Model.ID)
	case old.Model.Revision != files.Revision || old.Dim != encoder.Dim() ||
		old.Encoder.Tokenizer.SHA256 != digest(files.Tokenizer) || old.Encoder.Weights.SHA256 != digest(files.Weights) || old.Encoder.Config.SHA256 != digest(files.Config):
		return again("the old collection was made with another version of the encoder (%s, now %s)", old.Model.Revision, files.Revision)
	case old.DType != string(dtype):
		return again("the old collection has %s rows, now they are to be %s", old.DType, dtype)
	}
	out := make([]float32, encoder.Dim())
	for _, c := range old.Canaries {
		encoder.Encode(out, c.Text)
		for i, v := range out {
			if c.Vector[i] != v {
				return again("the encoder does not give the vectors that the old collection records for its check texts")
			}
		}
	}
	return ""
}

// mismatch is the function of that name for an encoder that the collection does not carry.
func (e *outside) mismatch(ctx context.Context, old *manifest.Manifest, dtype shard.DType) (string, error) {
	now := modelOf(e.encoder)
	switch {
	case old.Model.Kind != now.Kind || old.Model.Architecture == "" || old.Model.ID != now.ID:
		return again("the old collection was made with the encoder %s", old.Model.ID), nil
	case !sameModel(old.Model, now):
		return again("the old collection was made with another version or other settings of the encoder (revision %s, now %s)", old.Model.Revision, now.Revision), nil
	case old.DType != string(dtype):
		return again("the old collection has %s rows, now they are to be %s", old.DType, dtype), nil
	}
	texts := make([]string, len(old.Canaries))
	for i, c := range old.Canaries {
		texts[i] = c.Text
	}
	canaries, err := e.canaries(ctx, texts)
	if err != nil {
		return "", err
	}
	for i, c := range canaries {
		if !slices.Equal(c.Vector, old.Canaries[i].Vector) {
			return again("the encoder does not give, to the bit, the vectors that the old collection records for its check texts, as on another kind of processor"), nil
		}
	}
	return "", nil
}

// take copies the row of a text, as it is stored, to ints (I8) or floats, and reports whether there is one.
func (p *previous) take(text string, ints []int8, floats []float32) (scale float32, ok bool) {
	if len(p.rows) == 0 {
		return 0, false
	}
	row, ok := p.rows[keyOf(text)]
	if !ok {
		return 0, false
	}
	rows, at := p.load(int(row))
	if rows == nil {
		return 0, false
	}
	if rows.DType == shard.I8 {
		copy(ints, rows.I8[at*rows.Stride:][:rows.Dim])
		return rows.Scales[at], true
	}
	copy(floats, rows.F32[at*rows.Stride:][:rows.Dim])
	return 0, true
}

// load returns the vector file that holds a row and the row's number in it, or nil.
func (p *previous) load(row int) (*shard.Rows, int) {
	files := p.store.Manifest().Vectors
	n := findRow(files, row)
	f := files[n]
	if rows, ok := p.cached.Get(n); ok {
		return rows, row - f.FirstRow
	}
	if p.loads[n] == maxLoads {
		return nil, 0
	}
	p.loads[n]++
	rows, err := p.read(f)
	if err != nil {
		p.rows, p.note = nil, fmt.Sprintf("the old collection is damaged (%v): what is left is encoded again", err)
		return nil, 0
	}
	p.cached.Put(n, rows, min(f.Bytes, cacheBytes)) // a file that is larger is kept alone
	return rows, row - f.FirstRow
}

func (p *previous) read(f manifest.RowFile) (*shard.Rows, error) {
	content, err := p.store.Read(p.ctx, f.File)
	if err != nil {
		return nil, err
	}
	rows, err := shard.DecodeRows(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	if rows.N != f.Rows || rows.Dim != p.store.Manifest().Dim || (rows.DType == shard.I8) != (p.store.Manifest().DType == string(shard.I8)) {
		return nil, fmt.Errorf("%s: %d %s rows of %d do not agree with the manifest", f.Path, rows.N, rows.DType, rows.Dim)
	}
	for i, id := range rows.IDs {
		if int(id) != f.FirstRow+i {
			return nil, fmt.Errorf("%s: row %d belongs to document %d", f.Path, f.FirstRow+i, id)
		}
	}
	return rows, nil
}

// findRow returns which file holds a row.
func findRow(files []manifest.RowFile, row int) int {
	low, high := 0, len(files)-1
	for low < high {
		middle := (low + high) / 2
		if files[middle].FirstRow+files[middle].Rows > row {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}
