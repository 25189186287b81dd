package collection

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/lru"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// key identifies a text or id by the first 128 bits of its SHA-256, so that memory does
// not grow with their lengths.
type key [16]byte

func keyOf(s string) key {
	sum := sha256.Sum256([]byte(s))
	return key(sum[:16])
}

// previous is the old collection as a source of rows of texts that the same encoder has
// encoded. Everything that is read from it is verified. After the first fault it is not
// used any more.
type previous struct {
	ctx   context.Context
	store *store.Store
	ids   []key          // ids of its documents
	rows  map[key]uint32 // row of each encoded text
	note  string         // why rows cannot be reused, or not any longer
	parts []oldRows      // the rows and, if there are any, the angles
}

// oldRows are the vector files of one part of the old rows.
type oldRows struct {
	files  []manifest.RowFile
	dim    int
	cached *lru.Cache[int, *shard.Rows] // key: number of the file
	loads  map[int]int
}

func newOldRows(files []manifest.RowFile, dim int) oldRows {
	return oldRows{files, dim, lru.New[int, *shard.Rows](cacheBytes), map[int]int{}}
}

// cacheBytes limits the old vector files in memory. If the order of the corpus has
// changed, each file might be loaded many times, which takes longer than encoding. So a
// file is loaded at most maxLoads times.
const (
	cacheBytes = 256 << 20
	maxLoads   = 4
)

// openPrevious reads the ids of the old collection and, if its rows can be reused, its texts.
func openPrevious(ctx context.Context, t *target, src rowSource, dtype shard.DType) (p *previous, err error) {
	p = &previous{ctx: ctx, store: t.old}
	if t.old == nil {
		if t.oldError != nil {
			p.note = again("the old collection cannot be read (%v)", t.oldError)
		}
		return p, nil
	}
	reuse, note, err := src.reuse(ctx, t.old.Manifest(), dtype)
	if err != nil {
		return nil, err
	}
	p.note = note
	if m := t.old.Manifest(); reuse {
		p.rows = make(map[key]uint32, m.Documents)
		p.parts = append(p.parts, newOldRows(m.Vectors, m.Dim))
		if m.Angles != nil {
			p.parts = append(p.parts, newOldRows(m.Angles.Files, m.Angles.Dim))
		}
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

// take copies the stored rows of a text to row n of each part, and reports whether there
// are any.
func (p *previous) take(text string, parts []partRows, n int) bool {
	if len(p.rows) == 0 {
		return false
	}
	row, ok := p.rows[keyOf(text)]
	if !ok {
		return false
	}
	for i := range parts {
		rows, at := p.load(&p.parts[i], int(row))
		if rows == nil {
			return false
		}
		parts[i].copyFrom(rows, at, n)
	}
	return true
}

// load returns the vector file that holds a row and the row's number in it, or nil.
func (p *previous) load(o *oldRows, row int) (*shard.Rows, int) {
	n := findRow(o.files, row)
	f := o.files[n]
	if rows, ok := o.cached.Get(n); ok {
		return rows, row - f.FirstRow
	}
	if o.loads[n] == maxLoads {
		return nil, 0
	}
	o.loads[n]++
	rows, err := p.read(f, o.dim)
	if err != nil {
		p.rows, p.note = nil, fmt.Sprintf("the old collection is damaged (%v): what is left is encoded again", err)
		return nil, 0
	}
	o.cached.Put(n, rows, min(f.Bytes, cacheBytes)) // a larger file is kept alone
	return rows, row - f.FirstRow
}

func (p *previous) read(f manifest.RowFile, dim int) (*shard.Rows, error) {
	content, err := p.store.Read(p.ctx, f.File)
	if err != nil {
		return nil, err
	}
	rows, err := shard.DecodeRows(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	if rows.N != f.Rows || rows.Dim != dim || (rows.DType == shard.I8) != (p.store.Manifest().DType == string(shard.I8)) {
		return nil, fmt.Errorf("%s: %d %s rows of %d do not agree with the manifest", f.Path, rows.N, rows.DType, rows.Dim)
	}
	for i, id := range rows.IDs {
		if int(id) != f.FirstRow+i {
			return nil, fmt.Errorf("%s: row %d belongs to document %d", f.Path, f.FirstRow+i, id)
		}
	}
	return rows, nil
}

// findRow returns the number of the file that holds a row.
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
