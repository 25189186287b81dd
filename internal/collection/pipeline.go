package collection

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"sync"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/threads"
	"github.com/vantage-search/vantage/internal/language"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// batch is the documents of some blocks in the pipeline. Batches are read in order,
// processed by any worker, and collected in order.
type batch struct {
	first int
	docs  []store.Document
	parts []partRows // of the documents: their rows and, if there are any, their angles
	todo  []int      // documents without rows yet

	vectors            [][]float32 // of the documents in todo, from an outside encoder
	resumed, truncated int

	done    chan struct{}
	err     error
	files   []manifest.DocFile
	unknown int
}

// pipeline turns documents into blocks and rows.
type pipeline struct {
	o        *Options
	source   rowSource
	previous *previous
	stage    *stage
	rows     []*rowWriter // of each part
	columns  *columns
	canaries *canaryPicker
	terms    *lexical.Index  // nil without an inverted index
	language language.Corpus // of the documents

	docs   []manifest.DocFile
	ids    map[key]uint32
	report *Report
}

// run reads all documents. Memory is bounded by the number of batches in the pipeline,
// two per worker.
func (p *pipeline) run(ctx context.Context, docs iter.Seq2[store.Document, error]) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	order := make(chan *batch, 2*p.o.Workers)
	tasks := make(chan *batch)
	var working, collecting sync.WaitGroup
	for range p.o.Workers {
		working.Go(func() {
			for b := range tasks {
				b.err = p.work(b)
				close(b.done)
			}
		})
	}
	collecting.Go(func() {
		failed := false
		for b := range order {
			<-b.done
			if failed {
				continue
			}
			if err := p.collect(b); err != nil {
				failed = true
				cancel(err)
			}
		}
	})
	stop := sync.OnceFunc(func() {
		close(tasks)
		working.Wait()
		close(order)
		collecting.Wait()
	})
	defer stop() // before, if the corpus or the encoder panics
	err := p.read(ctx, docs, func(b *batch) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := p.source.prepare(ctx, b); err != nil {
			return err
		}
		tasks <- b // cannot block forever, because the workers do not stop before tasks is closed
		order <- b
		return nil
	})
	stop()
	if cause := context.Cause(ctx); cause != nil {
		threads.Rethrow(cause)
		return cause // the collector's error came first, or the caller cancelled the run
	}
	if err != nil {
		return err
	}
	for _, w := range p.rows {
		if err := w.flush(); err != nil {
			return err
		}
	}
	return nil
}

// read splits the documents into batches and reuses rows of the old collection.
func (p *pipeline) read(ctx context.Context, docs iter.Seq2[store.Document, error], send func(*batch) error) error {
	b := p.batch(0)
	size, total := 0, 0
	finish := func() error {
		full := b
		b, size = p.batch(total), 0
		return send(full)
	}
	most := p.o.BlockDocuments
	if p.o.BlockBytes > 0 {
		most *= 2 // a page is in one batch if it ends before that
	}
	for doc, err := range docs {
		if err != nil {
			return &corpusError{err}
		}
		if n := len(b.docs); n >= p.o.BlockDocuments && !samePage(&b.docs[n-1], &doc) {
			if err := finish(); err != nil {
				return err
			}
		}
		if err := p.check(total, &doc); err != nil {
			return err
		}
		p.place(b, &doc)
		p.language.See(doc.EncodedText())
		total++
		if size += sizeOf(&doc); len(b.docs) == most || size >= maxBlockBytes {
			if err := finish(); err != nil {
				return err
			}
		}
	}
	if err := p.source.admit(total, true); err != nil {
		return err
	}
	if len(b.docs) > 0 {
		return send(b)
	}
	return nil
}

// check refuses documents that a collection cannot hold.
func (p *pipeline) check(index int, doc *store.Document) error {
	problem := ""
	switch {
	case index == manifest.MaxRows:
		problem = fmt.Sprintf("a collection has at most %d documents: split the corpus", manifest.MaxRows)
	case doc.ID == "":
		problem = "the id is empty: give every document an id"
	case len(doc.ID) > store.MaxIDBytes:
		problem = fmt.Sprintf("the id has %d bytes, at most %d: give documents shorter ids", len(doc.ID), store.MaxIDBytes)
	case !utf8.ValidString(doc.ID) || !utf8.ValidString(doc.Title) || !utf8.ValidString(doc.Text):
		problem = "not UTF-8: convert the text"
	case store.NestedDeeper(doc.Metadata, jsonlite.MaxDepth-1): // it lies in the document's object
		problem = fmt.Sprintf("its metadata is nested more than %d deep: flatten it", jsonlite.MaxDepth)
	}
	if problem != "" {
		return &DocumentError{Index: index, ID: doc.ID, Problem: problem}
	}
	if err := p.source.admit(index+1, false); err != nil {
		return err
	}
	k := keyOf(doc.ID)
	if earlier, ok := p.ids[k]; ok {
		return &DocumentError{Index: index, ID: doc.ID, Problem: fmt.Sprintf("the id is already taken by document %d: give every document an id of its own", earlier)}
	}
	p.ids[k] = uint32(index)
	return nil
}

// batch returns an empty batch.
func (p *pipeline) batch(first int) *batch {
	b := &batch{first: first, done: make(chan struct{})}
	for _, w := range p.rows {
		b.parts = append(b.parts, partRows{dim: w.rows.dim})
	}
	return b
}

// place adds a document to the batch, with its rows if the old collection has them.
func (p *pipeline) place(b *batch, doc *store.Document) {
	n := len(b.docs)
	b.docs = append(b.docs, *doc)
	for i := range b.parts {
		b.parts[i].grow(p.o.DType)
	}
	if !p.previous.take(doc.EncodedText(), b.parts, n) {
		b.todo = append(b.todo, n)
	}
}

// work fills in the missing rows and makes the blocks.
func (p *pipeline) work(b *batch) (err error) {
	defer threads.Caught(&err) // metadata may be marshalled by methods of the program's own
	dim := 0
	for i := range b.parts {
		dim += b.parts[i].dim
	}
	row := make([]float32, dim)
	for n, i := range b.todo {
		p.source.row(row, b, n)
		rest := row
		for j := range b.parts {
			part := &b.parts[j]
			if err := part.set(p.o.DType, i, rest[:part.dim]); err != nil {
				return &DocumentError{Index: b.first + i, ID: b.docs[i].ID, Problem: err.Error(), Err: err}
			}
			rest = rest[part.dim:]
		}
	}
	var lines bytes.Buffer
	var ends []int
	e := json.NewEncoder(&lines)
	e.SetEscapeHTML(false)
	for i := range b.docs {
		begin := lines.Len()
		err := e.Encode(&b.docs[i])
		if err == nil {
			err = jsonlite.Check(lines.Bytes()[begin:]) // readers make the same check
		}
		if err != nil {
			return &DocumentError{Index: b.first + i, ID: b.docs[i].ID, Problem: err.Error(), Err: err}
		}
		ends = append(ends, lines.Len())
	}
	first, begin := 0, 0
	for _, count := range p.o.blocks(b, lines.Bytes(), ends) {
		end := ends[first+count-1]
		file, err := p.stage.add(docsDir, lines.Bytes()[begin:end])
		if err != nil {
			return err
		}
		b.files = append(b.files, manifest.DocFile{File: file, First: b.first + first, Count: count})
		first, begin = first+count, end
	}
	return nil
}

// collect stores the batches in order.
func (p *pipeline) collect(b *batch) (err error) {
	defer threads.Caught(&err) // the program's own function for the progress may panic
	if b.err != nil {
		return b.err
	}
	for i := range b.docs {
		doc := &b.docs[i]
		p.columns.add(b.first+i, doc.Metadata)
		p.canaries.consider(b.first+i, doc)
		if p.terms != nil {
			if _, err := p.terms.Add(doc.EncodedText()); err != nil {
				return &DocumentError{Index: b.first + i, ID: doc.ID, Problem: err.Error(), Err: err}
			}
		}
		if isBlank(doc) {
			p.report.Empty++
		}
	}
	p.docs = append(p.docs, b.files...)
	p.report.Documents += len(b.docs)
	p.source.collected(b, p.report)
	for i, w := range p.rows {
		if err := w.append(&b.parts[i]); err != nil {
			return err
		}
	}
	return nil
}
