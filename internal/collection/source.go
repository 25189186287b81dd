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

// Source is where the rows of a collection, the vectors of its documents, come from: a Carried, an Outside or a Given.
// What the manifest says of the model, and whether the collection carries an encoder, follows from it.
type Source interface {
	// check says what is wrong with the source before anything is read or written.
	check() error
	// open makes the source ready for one run.
	open(ctx context.Context, docs iter.Seq2[store.Document, error], o *Options) (rowSource, error)
}

// rowSource is an open Source. Its methods are called in the order in which they stand here.
type rowSource interface {
	// describe fills in what the manifest says of the model and the vectors: Dim, Model and QueryModel.
	describe(m *manifest.Manifest)
	// reuse reports whether the rows of an old collection are, to the bit, what this source would give. If they are not,
	// note tells a user why, or is "" if that goes without saying.
	reuse(ctx context.Context, old *manifest.Manifest, dtype shard.DType) (ok bool, note string, err error)
	// picker chooses the documents that become canaries.
	picker() *canaryPicker
	// admit refuses so many documents. It is asked after each of them and, with all set, at the end of the corpus.
	admit(documents int, all bool) error
	// prepare is given the batches one by one, in the order of the corpus, with the documents that have no row yet.
	prepare(ctx context.Context, b *batch) error
	// row makes the row [Dim] of a document of the batch, the n-th that has none. Several goroutines call it.
	row(dst []float32, b *batch, n int)
	// collected counts what has become of a batch. It is called in the order of the corpus.
	collected(b *batch, r *Report)
	// complete adds to the manifest the canaries and, if the collection carries one, the encoder.
	complete(ctx context.Context, s *stage, m *manifest.Manifest, chosen *canaryPicker) error
	// close ends the run; stands tells whether the collection has been written. notes are for a user.
	close(stands bool) (notes []string)
}

// maker is a source that can tell whether it has made given vectors.
type maker interface {
	rowSource
	encode(ctx context.Context, text string) ([]float32, error)
}

// count adds the documents of a batch to the report of a source that encodes.
func (b *batch) count(r *Report) {
	r.Encoded += len(b.todo) - b.resumed
	r.Resumed += b.resumed
	r.Truncated += b.truncated
	r.Reused += len(b.docs) - len(b.todo)
	r.MostlyUnknown += b.unknown
}

// givenCosine is how near the given vector of a document must come to what the encoder of the queries makes of its text:
// rounding to float16 leaves 0.9999, another model or other texts far less.
const givenCosine = 0.99

// agree refuses an encoder of the queries that did not make the given vectors: queries and documents would not be
// comparable, and every ranking silently wrong. canaries are documents with the vectors given for them.
func agree(ctx context.Context, made maker, id string, canaries []manifest.Canary) error {
	for _, c := range canaries {
		vector, err := made.encode(ctx, c.Text)
		if err != nil {
			return err
		}
		is, given := vek.FromFloat32(vector), vek.FromFloat32(c.Vector)
		if vek.Norm(is) == 0 {
			continue // a text that the encoder knows nothing of tells nothing
		}
		if cosine := vek.CosineSimilarity(is, given); !(cosine >= givenCosine) {
			return &VectorsError{
				Problem: fmt.Sprintf("the vector given for %.60q has cosine %.3f with what the model %s makes of that text", c.Text, cosine, id),
				Remedy:  "give the model that made the vectors, of each document's title, a space and its text, or no model",
			}
		}
	}
	return nil
}
