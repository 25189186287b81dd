package collection

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"

	"github.com/viterin/vek"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// Write makes dir the collection of docs. An error of docs ends it and is returned as it is; with Options.IDF docs must
// be able to be ranged over twice.
//
// It is atomic: whenever it ends, also by a signal or a power failure, dir holds the old collection (or none) or the new
// one, whole. Only files that the old manifest named are removed, after the new collection is durable, and what an
// interrupted run has left. A run that fails leaves nothing new, not even a folder. One run writes to a folder at a time.
//
// Documents whose text is unchanged keep the row that the old collection has for them, if it was made by the same
// encoder with the same DType. The bytes written are the same with and without an old collection.
func Write(ctx context.Context, dir string, docs iter.Seq2[store.Document, error], o Options) (_ Report, err error) {
	if err := o.defaults(); err != nil {
		return Report{}, err
	}
	undo, err := folders.Make(dir)
	if err != nil {
		return Report{}, &TargetError{Dir: dir, Problem: err.Error(), Remedy: "choose another folder", Err: err}
	}
	defer func() {
		if err != nil {
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
		return nil // then the folder was there before
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
	src, err := openSource(ctx, docs, &o)
	if err != nil {
		return Report{}, err
	}
	report, err := src.write(ctx, d, dir, t, &o)
	if src.outside != nil && src.outside.journal != nil {
		report.Notes = append(src.outside.journal.Notes, report.Notes...)
		if ending := src.outside.journal.end(err == nil); err == nil && ending != nil {
			report.Notes = append(report.Notes, fmt.Sprintf("%s could not be removed (%v), which is of no more use", o.Journal, ending))
		}
	}
	return report, err
}

// write writes the collection of a source.
func (src *source) write(ctx context.Context, d disk, dir string, t *target, o *Options) (Report, error) {
	old, err := openPrevious(ctx, t, src, o.DType)
	if err != nil {
		return Report{}, err
	}
	s, err := openStage(ctx, d)
	if err != nil {
		return Report{}, explain(dir, err)
	}
	m, report, err := build(ctx, s, old, src, o)
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

// explain adds what a user wants to know after a failed write.
func explain(dir string, err error) error {
	var path *os.PathError
	var link *os.LinkError
	if errors.As(err, &path) || errors.As(err, &link) {
		return &TargetError{Dir: dir, Problem: err.Error(), Remedy: "free space or check permissions, and run again (no collection was damaged)", Err: err}
	}
	return err
}

// source is where the collection comes from.
type source struct {
	docs    iter.Seq2[store.Document, error]
	files   staticmodel.Files // of the encoder, weighted if asked
	encoder *encode.Static    // of the documents; nil with external vectors
	queries *encode.Static    // of the queries; nil where the collection carries none
	outside *outside          // of the documents, in place of encoder; nil with external vectors
	weighed int               // documents that the weights are of; 0: no weights
}

func openSource(ctx context.Context, docs iter.Seq2[store.Document, error], o *Options) (*source, error) {
	src := &source{docs: docs, files: o.Model}
	if o.Encoder != nil {
		if o.External != nil {
			return src, checkDim(o.External, o.Encoder.Info().ID, o.Encoder.Info().Dim)
		}
		src.outside = &outside{encoder: o.Encoder, progress: func(done int) { o.progress(StageEncode, int64(done), 0) }}
		var err error
		if o.Journal != "" {
			src.outside.journal, err = openJournal(o.Journal, modelOf(o.Encoder))
		}
		return src, err
	}
	if o.External != nil {
		if len(o.Model.Weights) == 0 {
			return src, nil
		}
		var err error
		if src.queries, err = o.Model.Open(); err == nil {
			err = checkDim(o.External, o.Model.ID, src.queries.Dim())
		}
		return src, err
	}
	if o.IDF {
		var failed error
		weighted, err := staticmodel.Reweight(o.Model, func(yield func(string) bool) {
			for doc, err := range docs {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					failed = err
					return
				}
				if !yield(doc.EncodedText()) {
					return
				}
				if src.weighed++; src.weighed%1000 == 0 {
					o.progress(StageWeigh, int64(src.weighed), 0)
				}
			}
		})
		switch {
		case failed != nil:
			return nil, failed
		case src.weighed == 0:
			return nil, ErrNoDocuments
		case err != nil:
			return nil, err
		}
		o.progress(StageWeigh, int64(src.weighed), int64(src.weighed))
		src.files = weighted
	}
	var err error
	src.encoder, err = src.files.Open()
	src.queries = src.encoder
	return src, err
}

// checkDim refuses an encoder that cannot have made given vectors.
func checkDim(v *Vectors, id string, dim int) error {
	if v.Dim == dim {
		return nil
	}
	return &VectorsError{
		Problem: fmt.Sprintf("rows of %d numbers, but the model %s has %d dimensions", v.Dim, id, dim),
		Remedy:  "give the model that made them, or no model",
	}
}

// build stages all files and makes the manifest.
func build(ctx context.Context, s *stage, old *previous, src *source, o *Options) (*manifest.Manifest, *Report, error) {
	report := &Report{}
	m := &manifest.Manifest{Format: manifest.Format, Version: manifest.Version, Generator: o.Generator, Name: o.Name, DType: string(o.DType)}
	describe(m, src, o)
	p := &pipeline{o: o, encoder: src.encoder, outside: src.outside, dim: m.Dim, previous: old, stage: s, rows: newRowWriter(s, o.DType, m.Dim, o.ShardBytes),
		columns: newColumns(), canaries: newCanaryPicker(o.External), ids: map[key]uint32{}, report: report}
	if o.Terms {
		var err error
		if p.terms, err = lexical.New(lexical.DefaultParameters); err != nil {
			return nil, nil, err
		}
	}
	if err := p.run(ctx, src.docs); err != nil {
		return nil, nil, err
	}
	switch {
	case src.weighed > 0 && src.weighed != report.Documents:
		return nil, nil, fmt.Errorf("the corpus had %d documents when it was weighed and %d when it was encoded: try again when nothing writes to it", src.weighed, report.Documents)
	case report.Documents == 0:
		return nil, nil, ErrNoDocuments
	}
	m.Documents, m.Rows = report.Documents, report.Documents
	m.Vectors, m.Docs = p.rows.files, p.docs
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
	if m.Terms, err = addTerms(s, p.terms, o.TermBytes); err != nil {
		return nil, nil, err
	}
	if o.External != nil {
		m.Canaries = p.canaries.given(o.External)
	}
	if o.Encoder != nil {
		e := &outside{encoder: o.Encoder}
		if err := e.agree(ctx, m); err != nil {
			return nil, nil, err
		}
		if m.Canaries, err = e.canaries(ctx, p.canaries.chosen()); err != nil {
			return nil, nil, err
		}
	}
	if o.Queries != nil {
		if m.QueryCanaries, err = canariesOf(ctx, o.Queries, p.canaries.chosen(), encoder.Query); err != nil {
			return nil, nil, err
		}
	}
	if src.queries != nil {
		if err := agree(staticVectors(src.queries), m); err != nil {
			return nil, nil, err
		}
		m.Canaries = p.canaries.encoded(src.queries)
		if m.Encoder, err = addEncoder(s, src.files); err != nil {
			return nil, nil, err
		}
	}
	if err := p.sum(m); err != nil {
		return nil, nil, err
	}
	return m, report, nil
}

// describe fills in what the manifest says of the model and the vectors.
func describe(m *manifest.Manifest, src *source, o *Options) {
	if encoder := src.queries; encoder != nil {
		m.Dim = encoder.Dim()
		m.Model = manifest.Model{ID: src.files.ID, Revision: src.files.Revision, Kind: manifest.KindStatic, Dim: m.Dim, Pooling: "mean",
			Normalize: encoder.Normalize(), MaxLength: encoder.MaxLength(), Language: src.files.Language}
		if o.External != nil {
			m.Model.Kind = manifest.KindExternal
		}
		return
	}
	if o.Encoder != nil {
		m.Model = modelOf(o.Encoder)
		m.Dim = m.Model.Dim
		if o.External != nil {
			m.Model.Architecture = "" // the rows are no such model's to the bit
		}
		if o.Queries != nil {
			queries := modelOf(o.Queries)
			m.QueryModel = &queries
		}
		return
	}
	m.Dim = o.External.Dim
	m.Model = o.External.Model
	m.Model.Kind, m.Model.Dim = manifest.KindExternal, m.Dim
	if m.Model.ID == "" {
		m.Model.ID = manifest.KindExternal
	}
	if m.Model.Revision == "" {
		m.Model.Revision = revisionOf(o.External.Data)
	}
}

func staticVectors(encoder *encode.Static) func(text string) ([]float32, error) {
	return func(text string) ([]float32, error) {
		vector := make([]float32, encoder.Dim())
		encoder.Encode(vector, text)
		return vector, nil
	}
}

// givenCosine is how near the given vector of a document must come to what the encoder of the queries makes of its text:
// rounding to float16 leaves 0.9999, another model or other texts far less.
const givenCosine = 0.99

// agree refuses an encoder of the queries that did not make the given vectors: queries and documents would not be
// comparable, and every ranking silently wrong. The manifest's canaries are documents with the vectors given for them,
// where vectors were given.
func agree(encode func(text string) ([]float32, error), m *manifest.Manifest) error {
	for _, c := range m.Canaries {
		vector, err := encode(c.Text)
		if err != nil {
			return err
		}
		made, given := vek.FromFloat32(vector), vek.FromFloat32(c.Vector)
		if vek.Norm(made) == 0 {
			continue // a text that the encoder knows nothing of tells nothing
		}
		if cosine := vek.CosineSimilarity(made, given); !(cosine >= givenCosine) {
			return &VectorsError{
				Problem: fmt.Sprintf("the vector given for %.60q has cosine %.3f with what the model %s makes of that text", c.Text, cosine, m.Model.ID),
				Remedy:  "give the model that made the vectors, of each document's title, a space and its text, or no model",
			}
		}
	}
	return nil
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
	r.Model = m.Model
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

func addEncoder(s *stage, files staticmodel.Files) (*manifest.Encoder, error) {
	var e manifest.Encoder
	for _, part := range []struct {
		file    *manifest.File
		content []byte
	}{{&e.Tokenizer, files.Tokenizer}, {&e.Weights, files.Weights}, {&e.Config, files.Config}} {
		var err error
		if *part.file, err = s.add(encoderDir, part.content); err != nil {
			return nil, err
		}
	}
	return &e, nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// revisionOf names given vectors by their content: the first 16 hexadecimal digits of the SHA-256 over the rows as
// little-endian float32.
func revisionOf(data []float32) string {
	h := sha256.New()
	var b [4096]byte
	for len(data) > 0 {
		n := min(len(data), len(b)/4)
		for i, v := range data[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
		}
		h.Write(b[:4*n])
		data = data[n:]
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
