// Package fit learns a static encoder from a corpus, so that users need not download
// one. The encoder is a WordPiece vocabulary with a vector for each token, in the same
// file format as the built-in model. It works for any language.
package fit

import (
	"context"
	"fmt"
	"iter"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// Defaults of Options.
const (
	DefaultDim       = 256
	DefaultVocabSize = 8000
	DefaultMaxLength = 512
)

// Limits of Options.
const (
	maxDim       = 1024
	minVocabSize = 64
	maxVocabSize = 200_000
	maxTable     = 1 << 26 // VocabSize × Dim: 0.5 GB while learning
	maxLength    = 1 << 20
)

// Options are the options of Fit. Zero values mean the defaults.
type Options struct {
	Name      string // id of the model; by default it follows from its contents
	Language  string // BCP 47 tag of the corpus; recorded without further effect
	Dim       int    // length of vectors; lowered if the corpus supports less
	VocabSize int    // most tokens, including special ones
	MaxLength int    // most known tokens of a text that count

	// Progress, if not nil, receives the progress of each stage: "read" in documents
	// (total is 0, as it is not known), "vocabulary" in tokens, "vectors" in passes.
	Progress func(stage string, done, total int64)
}

// Files is a learnt model.
type Files struct {
	staticmodel.Files
	Card []byte // README.md

	Documents int      // number of documents, including those without words
	VocabSize int      // tokens
	Dim       int      // length of the vectors
	Notes     []string // remarks for the user, in sentences
}

func (o *Options) complete() error {
	for _, f := range []struct {
		name           string
		value          *int
		standard       int
		lowest, utmost int
	}{
		{"dim", &o.Dim, DefaultDim, 1, maxDim},
		{"vocab-size", &o.VocabSize, DefaultVocabSize, minVocabSize, maxVocabSize},
		{"max-length", &o.MaxLength, DefaultMaxLength, 1, maxLength},
	} {
		if *f.value == 0 {
			*f.value = f.standard
		}
		if *f.value < f.lowest || *f.value > f.utmost {
			return fmt.Errorf("fit: %s is %d, not from %d to %d", f.name, *f.value, f.lowest, f.utmost)
		}
	}
	if o.VocabSize*o.Dim > maxTable {
		return fmt.Errorf("fit: vocab-size %d × dim %d needs too much memory, at most %d numbers: lower one of them", o.VocabSize, o.Dim, maxTable)
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	return nil
}

// Fit learns a model from texts. It reads them once. The vocabulary is learnt by
// merging frequent pairs, the vectors by latent semantic analysis (Deerwester et
// al., 1990, "Indexing by Latent Semantic Analysis"): a truncated singular value
// decomposition of the documents' tf-idf vectors. A token's vector is its idf
// times its row of the right singular vectors, so that the mean of a text's
// tokens is the text folded into that space. The same texts and options give the
// same files on the same machine.
func Fit(ctx context.Context, texts iter.Seq[string], o Options) (Files, error) {
	if err := o.complete(); err != nil {
		return Files{}, err
	}
	c, err := readCorpus(ctx, texts, func(done int64) { o.Progress("read", done, 0) })
	if err != nil {
		return Files{}, fmt.Errorf("fit: %w", err)
	}
	tokens, err := learnVocabulary(ctx, c, o.VocabSize, func(done, total int64) { o.Progress("vocabulary", done, total) })
	if err != nil {
		return Files{}, fmt.Errorf("fit: %w", err)
	}
	tokenizerJSON, err := tokenizerFile(tokens)
	if err != nil {
		return Files{}, fmt.Errorf("fit: %w", err)
	}
	tokenizer, err := encode.ParseTokenizer(tokenizerJSON)
	if err != nil {
		return Files{}, fmt.Errorf("fit: %w", err)
	}
	contexts := newContexts(c, tokenizer, o.Dim)
	matrix, idf := contexts.tfidf()
	vectors, rank, err := rightSingular(ctx, matrix, o.Dim, func(done, total int64) { o.Progress("vectors", done, total) })
	if err != nil {
		return Files{}, fmt.Errorf("fit: %w", err)
	}
	for i, weight := range idf {
		for j := range rank {
			vectors[i*rank+j] *= weight
		}
	}
	f := Files{Documents: c.documents, VocabSize: len(tokens), Dim: rank}
	f.Notes = notes(c, contexts, o, len(tokens), idf, rank)
	return f, f.fill(o, tokenizerJSON, vectors, c)
}

// notes are remarks on options that the corpus did not allow.
func notes(c *corpus, contexts *contexts, o Options, tokens int, idf []float64, rank int) (notes []string) {
	seen := 0
	for _, weight := range idf {
		if weight > 0 {
			seen++
		}
	}
	switch {
	case rank < o.Dim && tokens == o.VocabSize && seen < min(o.Dim, len(contexts.tokens)):
		notes = append(notes, fmt.Sprintf("The vectors have %d dimensions instead of %d: a vocabulary of %d tokens supports no more. A larger --vocab-size would.", rank, o.Dim, tokens))
	case rank < o.Dim:
		notes = append(notes, fmt.Sprintf("The vectors have %d dimensions instead of %d: the corpus, %d documents, supports no more. Longer texts or more of them would.",
			rank, o.Dim, c.documents))
	}
	if len(contexts.tokens) > len(c.ends) {
		notes = append(notes, fmt.Sprintf("With %d documents, fewer than %d dimensions, passages of them were compared instead.", len(c.ends), o.Dim))
	}
	if contexts.skipped > 0 {
		notes = append(notes, fmt.Sprintf("The vectors were learnt from %d documents, spread evenly over the corpus: more do not fit the memory set aside.", len(contexts.tokens)))
	}
	if c.cut {
		notes = append(notes, fmt.Sprintf("Only the first %d documents were read: at most %d million words, %d million different ones, are used.",
			c.documents, maxWords>>20, maxDistinct>>20))
	}
	return notes
}
