package collection

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/centroids"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packencoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
)

// Tokens is an encoder that gives each token of a document a vector, such as a ColBERT. If it is
// that of a pack, the collection carries it for the queries. A document's row is the mean of its
// token vectors.
type Tokens struct {
	Encoder encoder.TokenEncoder
	Bits    int    // per component of a stored residual: 8, 4 or 2
	Journal string // as in Outside
}

func (t Tokens) check() error {
	if t.Encoder == nil {
		return fault.New(fault.Input, "an encoder of tokens is nil: set Tokens.Encoder")
	}
	if err := checkInfo(t.Encoder.TokenInfo()); err != nil {
		return err
	}
	return tokens.CheckBits(t.Bits)
}

func (t Tokens) open(_ context.Context, _ iter.Seq2[store.Document, error], o *Options) (_ rowSource, err error) {
	late := encoder.Late{TokenEncoder: t.Encoder}
	src := &tokenSource{outside: outside{Outside: Outside{Encoder: late, Journal: t.Journal}, o: o}, late: late, bits: t.Bits}
	src.tokens = src
	src.pack, _ = t.Encoder.(packencoder.Encoder)
	if t.Journal == "" { // the vectors are kept on disk until the centroids are known
		var place *os.File
		place, err = os.CreateTemp("", "vantage-tokens-*")
		if err != nil {
			return nil, &TargetError{Dir: os.TempDir(), Problem: fmt.Sprintf("token vectors cannot be kept there: %v", err), Remedy: "free space, or set TMPDIR", Err: err}
		}
		place.Close() // it is opened again as a journal
		src.Journal, src.temporary = place.Name(), true
	}
	src.journal, err = openJournal(src.Journal, modelOf(late), true)
	if src.temporary { // a run that is killed leaves nothing; if the system does not remove an open file, close does
		if removing := os.Remove(src.Journal); err != nil {
			err = errors.Join(err, removing)
		}
	}
	return src, err
}

// tokenSource is an open Tokens. It encodes like an outside encoder. It keeps the token vectors
// in the journal until it has all of them and can learn the centroids.
type tokenSource struct {
	outside
	late      encoder.Late
	pack      packencoder.Encoder // that the collection carries; or nil
	bits      int
	temporary bool // the journal is a temporary file, because the caller named none

	records []int64 // [documents] position of the document's vectors in the journal; -1 if it has none
}

func (t *tokenSource) describe(m *manifest.Manifest) {
	t.outside.describe(m)
	m.Score = manifest.ScoreMaxSim
	if t.pack != nil {
		m.Model = carriedModel(t.pack)
	}
}

func (t *tokenSource) row(dst []float32, b *batch, n int) {
	t.outside.row(dst, b, n)
	if t.pack != nil {
		countUnknown(t.pack, b, n)
	}
}

// reuse takes no rows of the old collection, because the centroids depend on all documents.
func (t *tokenSource) reuse(context.Context, *manifest.Manifest, shard.DType) (ok bool, note string, err error) {
	return false, again("the centroids of token vectors are learned from all documents"), nil
}

// encodeTexts returns the token vectors of each text, concatenated.
func (t *tokenSource) encodeTexts(ctx context.Context, texts []string) ([]encoder.Embedding, error) {
	made, err := t.late.EncodeTokens(ctx, texts, encoder.Document)
	if err != nil {
		return nil, err
	}
	out := make([]encoder.Embedding, len(made))
	for i, v := range made {
		out[i] = encoder.Embedding{Vector: v.Vectors, Tokens: v.Tokens, Truncated: v.Truncated}
	}
	return out, nil
}

// keep notes where the vectors of a document are.
func (t *tokenSource) keep(document int, record int64) {
	t.grow(document + 1)
	t.records[document] = record
}

func (t *tokenSource) grow(documents int) {
	for len(t.records) < documents {
		t.records = append(t.records, -1)
	}
}

func (t *tokenSource) complete(ctx context.Context, s *stage, m *manifest.Manifest, chosen *canaryPicker) error {
	err := t.outside.complete(ctx, s, m, chosen)
	if err == nil && t.pack != nil {
		m.Encoder, err = addPack(s, t.pack)
	}
	if err != nil {
		return err
	}
	t.grow(m.Documents)
	book, err := t.learn(ctx, m.Dim)
	if err != nil {
		return err
	}
	content, err := tokens.EncodeCodebook(book)
	if err != nil {
		return err
	}
	out := &manifest.Tokens{Bits: t.bits, Centroids: book.Len()}
	if out.Codebook, err = s.add(tokensDir, content); err != nil {
		return err
	}
	out.Files, err = t.store(ctx, s, book)
	m.Tokens = out
	return err
}

// learn learns the centroids and returns them as a codebook.
func (t *tokenSource) learn(ctx context.Context, dim int) (*tokens.Codebook, error) {
	return LearnTokens(ctx, dim, t.bits, len(t.records), t.o.Workers, func(document int) ([]float32, error) {
		if t.records[document] < 0 {
			return nil, nil
		}
		vectors, _, err := t.journal.read(t.records[document])
		return vectors, err
	}, func(done, total int) { t.o.progress(StageCentroids, int64(done), int64(total)) })
}

// sampled is the least number of documents from which the number of token vectors is
// estimated, if there are so many.
const sampled = 2000

// LearnTokens makes the codebook for token vectors of dim components with the given bits per
// component. It learns from documents in a random order, which is the same in every run. read
// returns the vectors [n, dim] of a document. progress is called with the number of steps done.
func LearnTokens(ctx context.Context, dim, bits, documents, workers int, read func(document int) ([]float32, error), progress func(done, total int)) (*tokens.Codebook, error) {
	var sample []float32
	k := 1
	for i, document := range rand.New(rand.NewPCG(1, 2)).Perm(documents) {
		if i >= sampled && len(sample) >= centroids.SampleSize(k)*dim {
			break
		}
		vectors, err := read(document)
		if err != nil {
			return nil, err
		}
		sample = append(sample, vectors...)
		k = centroids.Count(int(float64(len(sample)/dim) / float64(i+1) * float64(documents)))
	}
	if len(sample) == 0 {
		sample = make([]float32, dim) // no document has a token
	}
	rows, err := centroids.Learn(ctx, sample, dim, k, workers, progress)
	if err != nil {
		return nil, err
	}
	return tokens.NewCodebook(dim, bits, rows)
}

// tokenBatch is the number of documents for each worker that are quantised at a time.
const tokenBatch = 64

// store writes the files of token vectors, and describes them for the manifest.
func (t *tokenSource) store(ctx context.Context, s *stage, book *tokens.Codebook) (files []manifest.TokenFile, err error) {
	var open tokens.Vectors
	first := 0
	flush := func() error {
		if len(open.Counts) == 0 {
			return nil
		}
		content, err := book.EncodeFile(&open)
		if err != nil {
			return err
		}
		f, err := s.add(tokensDir, content)
		if err != nil {
			return err
		}
		files = append(files, manifest.TokenFile{File: f, First: first, Count: len(open.Counts), Vectors: int64(len(open.Centroids))})
		first += len(open.Counts)
		open = tokens.Vectors{}
		return nil
	}
	for lo := 0; lo < len(t.records); lo += tokenBatch * t.o.Workers {
		hi := min(lo+tokenBatch*t.o.Workers, len(t.records))
		made, err := t.quantise(ctx, book, lo, hi)
		if err != nil {
			return nil, err
		}
		for i := range made {
			if size := headerBytes + open.Bytes() + made[i].Bytes(); size > t.o.ShardBytes {
				if err := flush(); err != nil {
					return nil, err
				}
			}
			open.Append(&made[i])
		}
		t.o.progress(StageTokens, int64(hi), int64(len(t.records)))
	}
	return files, flush()
}

// quantise encodes the vectors of the documents from lo to hi-1 for storage.
func (t *tokenSource) quantise(ctx context.Context, book *tokens.Codebook, lo, hi int) ([]tokens.Vectors, error) {
	made := make([]tokens.Vectors, hi-lo)
	errs := make([]error, t.o.Workers)
	var group sync.WaitGroup
	for w := range t.o.Workers {
		group.Go(func() {
			for i := w; i < len(made) && errs[w] == nil && ctx.Err() == nil; i += t.o.Workers {
				var vectors []float32
				if record := t.records[lo+i]; record >= 0 {
					vectors, _, errs[w] = t.journal.read(record)
				}
				if errs[w] == nil {
					errs[w] = book.Encode(&made[i], vectors)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return made, ctx.Err()
}

func (t *tokenSource) close(stands bool) []string {
	return t.outside.close(stands || t.temporary)
}
