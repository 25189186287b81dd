package collection

import (
	"context"
	"fmt"
	"iter"

	"github.com/viterin/vek"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Source makes the rows of a collection, which are the vectors of its documents. It is
// a Carried, a Pack, an Outside, a Tokens or a Given. It also decides how the manifest
// describes the model, and whether the collection carries an encoder.
type Source interface {
	// check returns an error for an invalid source before anything is read or written.
	check() error
	// open prepares the source for one run.
	open(ctx context.Context, docs iter.Seq2[store.Document, error], o *Options) (rowSource, error)
}

// rowSource is an open Source. After reuse, its other methods are called in the order below.
type rowSource interface {
	// describe fills in what the manifest says of the model and the vectors: Dim, Model and QueryModel, and
	// Angles with its Dim.
	describe(m *manifest.Manifest)
	// reuse reports whether the rows of an old collection are identical to those that
	// this source would give. If they are not, note tells the user why, or is "" if the
	// reason is obvious.
	reuse(ctx context.Context, old *manifest.Manifest, dtype shard.DType) (ok bool, note string, err error)
	// picker chooses the documents that become canaries.
	picker() *canaryPicker
	// admit returns an error if the source does not allow that many documents. It is
	// called after each document and, with all set, at the end of the corpus.
	admit(documents int, all bool) error
	// prepare receives the batches one by one in the order of the corpus, with the
	// documents that have no row yet.
	prepare(ctx context.Context, b *batch) error
	// row makes the row [Dim] of the n-th document of the batch that has none, followed by
	// its angle [Angles.Dim]. Several goroutines call it.
	row(dst []float32, b *batch, n int)
	// collected adds a batch to the report. It is called in the order of the corpus.
	collected(b *batch, r *Report)
	// complete adds the canaries to the manifest, and the encoder if the collection
	// carries one.
	complete(ctx context.Context, s *stage, m *manifest.Manifest, chosen *canaryPicker) error
	// close ends the run. stands says whether the collection has been written. notes
	// are for the user.
	close(stands bool) (notes []string)
}

// maker is a source that also encodes other texts: to check whether it has made given
// vectors (agree), and to find the level of a collection (foreign).
type maker interface {
	rowSource
	// encode returns the vectors of texts as rows of the collection have them.
	encode(ctx context.Context, texts []string) ([][]float32, error)
}

// count adds the documents of a batch to the report of a source that encodes.
func (b *batch) count(r *Report) {
	r.Encoded += len(b.todo) - b.resumed
	r.Resumed += b.resumed
	r.Truncated += b.truncated
	r.Reused += len(b.docs) - len(b.todo)
	r.MostlyUnknown += b.unknown
}

// givenCosine is the least cosine between a document's given vector and the vector that
// the encoder of the queries gives its text. Rounding to float16 leaves 0.9999; another
// model or other texts give far less.
const givenCosine = 0.99

// agree refuses an encoder of the queries that did not make the given vectors, because
// queries and documents would not be comparable, and every ranking would be silently
// wrong. canaries are documents with their given vectors.
func agree(ctx context.Context, made maker, id string, canaries []manifest.Canary) error {
	texts := make([]string, len(canaries))
	for i, c := range canaries {
		texts[i] = c.Text
	}
	vectors, err := made.encode(ctx, texts)
	if err != nil {
		return err
	}
	for i, c := range canaries {
		is, given := vek.FromFloat32(vectors[i]), vek.FromFloat32(c.Vector)
		if vek.Norm(is) == 0 {
			continue // a text without known tokens checks nothing
		}
		if vek.Norm(given) == 0 {
			return &VectorsError{
				Problem: fmt.Sprintf("the vector given for %.60q is zero, and the one that the model %s gives that text is not", c.Text, id),
				Remedy:  "give that document the model's vector, or no model",
			}
		}
		if cosine := vek.CosineSimilarity(is, given); !(cosine >= givenCosine) {
			return &VectorsError{
				Problem: fmt.Sprintf("the vector given for %.60q has cosine %.3f with the vector that the model %s gives that text", c.Text, cosine, id),
				Remedy:  "give the model that made the vectors, of each document's title, a space and its text, or no model",
			}
		}
	}
	return nil
}
