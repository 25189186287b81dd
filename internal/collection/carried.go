package collection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Carried is a static encoder that encodes the documents. The collection carries it for
// the queries.
type Carried struct {
	Model staticmodel.Files
	IDF   bool // weight the model's tokens by their rarity in the corpus; this reads the documents twice
}

// carried is an open Carried.
type carried struct {
	files   staticmodel.Files // weighted if asked
	encoder *staticmodel.Encoder
	weighed int // documents that the weights are of; 0: no weights
	o       *Options
}

func (c Carried) check() error {
	if len(c.Model.Weights) == 0 {
		return fault.New(fault.Input, "a static encoder without weights: set Carried.Model")
	}
	return nil
}

func (c Carried) open(ctx context.Context, docs iter.Seq2[store.Document, error], o *Options) (rowSource, error) {
	src := &carried{files: c.Model, o: o}
	if c.IDF {
		if err := src.weigh(ctx, docs); err != nil {
			return nil, err
		}
	}
	var err error
	src.encoder, err = src.files.Encoder(staticmodel.Options{})
	return src, err
}

// weigh replaces the encoder by one with weights from the corpus.
func (c *carried) weigh(ctx context.Context, docs iter.Seq2[store.Document, error]) error {
	var failed error
	weighted, err := staticmodel.Reweight(c.files, func(yield func(string) bool) {
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
			if c.weighed++; c.weighed%1000 == 0 {
				c.o.progress(StageWeigh, int64(c.weighed), 0)
			}
		}
	})
	switch {
	case failed != nil:
		return failed
	case c.weighed == 0:
		return ErrNoDocuments
	case err != nil:
		return err
	}
	c.o.progress(StageWeigh, int64(c.weighed), int64(c.weighed))
	c.files = weighted
	return nil
}

func (c *carried) describe(m *manifest.Manifest) {
	i := c.encoder.Info()
	m.Dim = i.Dim
	m.Model = manifest.Model{ID: i.ID, Revision: i.Revision, Kind: manifest.KindStatic, Dim: i.Dim, Pooling: i.Pooling,
		Normalize: i.Normalize, MaxLength: i.MaxLength, Language: i.Language}
}

func (c *carried) reuse(_ context.Context, old *manifest.Manifest, dtype shard.DType) (ok bool, note string, err error) {
	note = c.mismatch(old, dtype)
	if c.weighed > 0 && note != "" && old.Model.ID == c.files.ID {
		note += " (IDF weights follow the whole corpus, so any change of it gives another version)"
	}
	return note == "", note, nil
}

// mismatch says why the encoder would give other rows than those of the old collection.
// It is "" if the rows would be the same.
func (c *carried) mismatch(old *manifest.Manifest, dtype shard.DType) string {
	files := &c.files
	switch {
	case old.Model.Kind != manifest.KindStatic || old.Encoder == nil || old.Model.ID != files.ID:
		return again("the old collection was made with the encoder %s", old.Model.ID)
	case old.Model.Revision != files.Revision || old.Dim != c.encoder.Dim() ||
		old.Encoder.Tokenizer.SHA256 != digest(files.Tokenizer) || old.Encoder.Weights.SHA256 != digest(files.Weights) || old.Encoder.Config.SHA256 != digest(files.Config):
		return again("the old collection was made with another version of the encoder (%s, now %s)", old.Model.Revision, files.Revision)
	case old.DType != string(dtype):
		return again("the old collection has %s rows, the new one has %s", old.DType, dtype)
	}
	out := make([]float32, c.encoder.Dim())
	for _, canary := range old.Canaries {
		c.encoder.Static.Encode(out, canary.Text)
		for i, v := range out {
			if canary.Vector[i] != v {
				return again("the encoder does not give the vectors that the old collection records for its check texts")
			}
		}
	}
	return ""
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (c *carried) picker() *canaryPicker { return &canaryPicker{first: true} }

func (c *carried) admit(documents int, all bool) error {
	if all && c.weighed > 0 && documents != c.weighed {
		return fmt.Errorf("the corpus had %d documents when it was weighed and %d when it was encoded: try again when nothing writes to it", c.weighed, documents)
	}
	return nil
}

func (c *carried) prepare(context.Context, *batch) error { return nil }

// coverageBytes is the length of a text's beginning that shows whether the encoder
// knows its language.
const coverageBytes = 1000

func (c *carried) row(dst []float32, b *batch, n int) {
	text := b.docs[b.todo[n]].EncodedText()
	c.encoder.Static.Encode(dst, text)
	if c.encoder.Tokenizer().Coverage(cutRunes(text, coverageBytes)).MostlyUnknown() {
		b.unknown++
	}
}

func (c *carried) collected(b *batch, r *Report) {
	b.count(r)
	c.o.progress(StageEncode, int64(r.Documents), 0)
}

func (c *carried) complete(_ context.Context, s *stage, m *manifest.Manifest, chosen *canaryPicker) (err error) {
	m.Canaries = chosen.encoded(c.encoder.Static)
	m.Encoder, err = addEncoder(s, &c.files)
	return err
}

func (c *carried) close(bool) []string { return nil }

// encode implements maker.
func (c *carried) encode(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, c.encoder.Dim())
		c.encoder.Static.Encode(vectors[i], text)
	}
	return vectors, nil
}

func addEncoder(s *stage, files *staticmodel.Files) (*manifest.Encoder, error) {
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
