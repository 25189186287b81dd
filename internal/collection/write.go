package collection

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// Write makes dir the collection of docs. If docs yields an error, Write stops and
// returns it unchanged. With Carried.IDF, docs is ranged over twice.
//
// It is atomic: even after a signal or a power failure, dir contains the complete old collection (or none) or the
// complete new one. Write removes only files that the old manifest named, after the new collection is durable, and
// leftovers of an interrupted run. A run that fails before it replaces the manifest leaves nothing new, not even a
// folder. Only one run can write to a folder at a time.
//
// Documents with unchanged text keep their row of the old collection, if the same
// encoder made it with the same DType; with Tokens or Given, no row is kept. The written
// bytes are the same with and without an old collection.
func Write(ctx context.Context, dir string, docs iter.Seq2[store.Document, error], o Options) (Report, error) {
	if err := o.defaults(); err != nil {
		return Report{}, err
	}
	undo, err := folders.Make(dir)
	if err != nil {
		return Report{}, &TargetError{Dir: dir, Problem: err.Error(), Remedy: "choose another folder", Err: err}
	}
	done := false
	defer func() {
		if !done {
			undo()
		}
	}()
	held, err := Lock(dir)
	if err != nil {
		return Report{}, err
	}
	defer held.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Report{}, &TargetError{Dir: dir, Problem: err.Error(), Remedy: "choose another folder", Err: err}
	}
	defer root.Close()
	if err := syncParent(dir); err != nil {
		return Report{}, err
	}
	report, err := write(ctx, osDisk{root}, dir, docs, o)
	if err != nil {
		return Report{}, err
	}
	done = true
	return report, nil
}

// syncParent makes the folder's own entry durable.
func syncParent(dir string) error {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	parent, err := os.OpenRoot(filepath.Dir(absolute))
	if errors.Is(err, os.ErrPermission) {
		return nil // the folder existed before
	}
	if err != nil {
		return err
	}
	defer parent.Close()
	return osDisk{parent}.SyncDir(".")
}

// write is Write on any disk.
func write(ctx context.Context, d disk, dir string, docs iter.Seq2[store.Document, error], o Options) (Report, error) {
	t, err := inspect(ctx, d, dir)
	if err != nil {
		return Report{}, err
	}
	src, err := o.Rows.open(ctx, docs, &o)
	if err != nil {
		return Report{}, err
	}
	defer onPanic(func() { src.close(false) })
	report, err := writeRows(ctx, d, dir, docs, src, t, &o)
	report.Notes = append(src.close(err == nil), report.Notes...)
	return report, err
}

// writeRows writes the documents with the rows of an open source.
func writeRows(ctx context.Context, d disk, dir string, docs iter.Seq2[store.Document, error], src rowSource, t *target, o *Options) (Report, error) {
	old, err := openPrevious(ctx, t, src, o.DType)
	if err != nil {
		return Report{}, err
	}
	s, err := openStage(ctx, d)
	if err != nil {
		return Report{}, explain(dir, err)
	}
	defer onPanic(func() {
		s.close()
		s.abandon()
	})
	m, report, err := build(ctx, s, old, docs, src, o)
	if closing := s.close(); err == nil {
		err = closing
	}
	if err != nil {
		s.abandon()
		return Report{}, explain(dir, err)
	}
	removed, leftovers, err := s.publish(m, t.obsolete, func(done, total int64) { o.progress(StageWrite, done, total) })
	if err != nil {
		s.abandon()
		return Report{}, explain(dir, err)
	}
	report.FilesRemoved = removed
	report.FilesWritten = len(s.moves) + 1
	if len(leftovers) > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d files of the old collection could not be removed, such as %s: the next run tries again", len(leftovers), leftovers[0]))
	}
	return *report, nil
}

// onPanic, if it is deferred, cleans up if the corpus or the encoder of a program panics.
func onPanic(clean func()) {
	if value := recover(); value != nil {
		clean()
		panic(value)
	}
}

// corpusError is an error of the corpus on its way to Write, which returns it unchanged.
type corpusError struct{ error }

func (e *corpusError) Unwrap() error { return e.error }

// explain adds a remedy to the error of a failed write.
func explain(dir string, err error) error {
	if corpus, ok := errors.AsType[*corpusError](err); ok {
		return corpus.error
	}
	if _, ok := errors.AsType[*TargetError](err); ok {
		return err // as that of the journal
	}
	var path *os.PathError
	var link *os.LinkError
	if errors.As(err, &path) || errors.As(err, &link) {
		return &TargetError{Dir: dir, Problem: err.Error(), Remedy: "free space or check permissions, and run again (no collection was damaged)", Err: err}
	}
	return err
}

// build stages all files and makes the manifest.
func build(ctx context.Context, s *stage, old *previous, docs iter.Seq2[store.Document, error], src rowSource, o *Options) (*manifest.Manifest, *Report, error) {
	report := &Report{}
	m := &manifest.Manifest{Format: manifest.Format, Version: manifest.Version, Generator: o.Generator, Name: o.Name, DType: string(o.DType)}
	if o.Score != manifest.ScoreCosine { // the default is not written, so that such manifests are the same as those written before there was a score
		m.Score = o.Score
	}
	src.describe(m)
	p := &pipeline{o: o, source: src, previous: old, stage: s, rows: []*rowWriter{newRowWriter(s, vectorsDir, o.DType, m.Dim, o.ShardBytes)},
		columns: newColumns(), canaries: src.picker(), ids: map[key]uint32{}, report: report}
	if m.Angles != nil {
		p.rows = append(p.rows, newRowWriter(s, anglesDir, o.DType, m.Angles.Dim, o.ShardBytes))
	}
	if o.Terms {
		var err error
		if p.terms, err = lexical.New(lexical.DefaultParameters); err != nil {
			return nil, nil, err
		}
	}
	strange, err := newForeign(ctx, src, m)
	if err != nil {
		return nil, nil, err
	}
	if strange != nil {
		p.rows[0].seen = strange.see
	}
	if err := p.run(ctx, docs); err != nil {
		return nil, nil, err
	}
	if report.Documents == 0 {
		return nil, nil, ErrNoDocuments
	}
	if strange != nil {
		m.Close = strange.level(m.Model.ID)
	}
	m.Documents, m.Rows = report.Documents, report.Documents
	m.Vectors, m.Docs = p.rows[0].files, p.docs
	if m.Angles != nil {
		m.Angles.DType, m.Angles.Files = string(o.DType), p.rows[1].files
	}
	content, fields, err := p.columns.build(m.Rows)
	if err != nil {
		return nil, nil, err
	}
	if len(fields) > 0 {
		f, err := s.add(columnsDir, content)
		if err != nil {
			return nil, nil, err
		}
		m.Columns = &manifest.Columns{File: f, Fields: fields}
	}
	if m.Terms, err = addTerms(s, p.terms, o.termBytes(m.Documents)); err != nil {
		return nil, nil, err
	}
	if err := src.complete(ctx, s, m, p.canaries); err != nil {
		return nil, nil, err
	}
	if o.reader != nil && p.language.IsEnglish(m.Model.Language) {
		if m.Reader, err = o.reader.add(s); err != nil {
			return nil, nil, err
		}
	}
	if err := p.sum(m); err != nil {
		return nil, nil, err
	}
	return m, report, nil
}

// sum completes the report.
func (p *pipeline) sum(m *manifest.Manifest) error {
	r := p.report
	for _, id := range p.previous.ids {
		if _, ok := p.ids[id]; !ok {
			r.Removed++
		}
	}
	if p.previous.note != "" {
		r.Notes = append(r.Notes, p.previous.note)
	}
	r.Model, r.Tokens = m.Model, m.Tokens
	r.LeftOut = p.columns.report()
	content, err := m.Marshal()
	if err != nil {
		return err
	}
	r.Files, r.Bytes = 1, int64(len(content))
	for _, f := range p.stage.files {
		r.Files++
		r.Bytes += f.Stored
	}
	return nil
}
