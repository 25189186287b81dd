package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// Source is an open BERT model in its parts, for programs that write it in another
// form.
type Source struct {
	Info      encoder.Info
	Config    transformer.BERTConfig
	Tokenizer []byte        // its tokenizer.json
	Pooling   Pooling       // Mean or CLS; "" for a ColBERT
	Dense     []SourceDense // after the pooling
	Normalize bool
	Labels    []string      // of a classifier's classes; nil: an encoder
	Tokens    *SourceTokens // of a ColBERT; nil: one vector for a whole text
	Model     Encoder       // what the parts compute; of a classifier or a ColBERT only pooled hidden states

	tensors transformer.Tensors
}

// SourceDense is a linear layer with its activation: Weight is [Out, in], Bias nil
// if it has none.
type SourceDense struct {
	Weight, Bias []float32
	Out          int
	Activation   dense.Activation
}

// SourceTokens is what a ColBERT adds to BERT: its projection [Out, hidden], without bias,
// and how it reads texts.
type SourceTokens struct {
	SourceDense
	Query, Document, Mask       uint32 // ids of markers, and of what fills queries
	QueryLength, DocumentLength int    // in tokens
	AttendToMask                bool
	Skip                        []uint32 // ids that documents leave out, sorted
}

// OpenSource opens a folder of a BERT encoder (a ColBERT, too), or of a BERT model that
// classifies. For a model of another kind, the error says what it is.
func OpenSource(ctx context.Context, dir string, o Options) (_ *Source, err error) {
	at := dir
	r, ok, moduleErr := readRecipe(dir, embedding) // for a classifier with a modules.json, this fails
	if ok {
		at = r.dir
	}
	c, err := readConfig(at)
	if err != nil {
		return nil, cmp.Or(moduleErr, err)
	}
	if c.Type != "bert" {
		return nil, notBERT(dir, "an architecture of type "+c.Type)
	}
	s := &Source{}
	var e *textEncoder
	classifies := c.classifies()
	if classifies {
		c, err := openClassifier(ctx, dir, o)
		if err != nil {
			return nil, err
		}
		if e, s.Labels = c.textEncoder, c.labels; !c.typed {
			return nil, errors.Join(notBERT(dir, "a tokenizer that gives no token types (model_input_names or tokenizer_class in tokenizer_config.json)"), e.Close())
		}
	} else if e, err = open(ctx, dir, o, embedding); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	s.Model, s.Info, s.Normalize = e, e.about, e.recipe.normalize
	s.Config = e.model.(*transformer.BERT).Config()
	s.tensors = e.checkpoint
	if s.Tokenizer, _, err = tokenizer.JSON(e.recipe.dir); err != nil {
		return nil, err
	}
	switch {
	case e.recipe.skipPrompt:
		return nil, notBERT(dir, "a pooling that leaves the prompt out")
	case e.recipe.truncate > 0:
		return nil, notBERT(dir, "truncate_dim")
	case len(e.recipe.poolings) != 1:
		return nil, notBERT(dir, "several ways of pooling")
	case e.recipe.lowercase && !lowercases(s.Tokenizer):
		return nil, notBERT(dir, "do_lower_case before a tokenizer that keeps capitals")
	}
	if e.colbert != nil {
		return s, s.addTokens(e.colbert)
	}
	switch s.Pooling = e.recipe.poolings[0]; {
	case classifies:
		s.Normalize = false
		return s, s.addHeads()
	case s.Pooling == Pooler:
		s.Pooling = CLS
		if err := s.add("pooler.dense", dense.Tanh); err != nil {
			return nil, err
		}
	case s.Pooling != Mean && s.Pooling != CLS:
		return nil, notBERT(dir, "pooling "+string(s.Pooling))
	}
	for _, step := range e.recipe.steps {
		if step.folder == "" {
			return nil, notBERT(dir, "a module after the pooling that is neither a Dense without residual nor the final Normalize")
		}
		if err := withWeights(step.folder, func(t transformer.Tensors) error { return s.addFrom(t, "linear", step.activation) }); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// addTokens reads what makes a BERT a ColBERT.
func (s *Source) addTokens(k *colbert) error {
	if err := s.add("linear", dense.None); err != nil {
		return err
	}
	s.Tokens = &SourceTokens{s.Dense[0], k.query, k.document, k.mask, k.queryLen, k.documentLen, k.attendToMask, k.skip}
	s.Dense, s.Normalize = nil, true
	if s.Tokens.Bias != nil {
		return fault.New(fault.Unsupported, "the projection of a ColBERT has no bias, and this one has linear.bias")
	}
	return nil
}

// notBERT refuses a model.
func notBERT(dir, has string) error {
	return fault.Errorf(fault.Unsupported, "%s is a model with %s: only encoders and classifiers of type bert are read in parts, with mean or cls pooling, Dense and Normalize: "+
		"choose another, or leave the pack and name this one as --model of index, search and serve", dir, has)
}

// lowercases reports whether a tokenizer.json does not tell capitals from small letters.
func lowercases(text []byte) bool {
	t, err := tokenizer.Parse(text)
	return err == nil && slices.Equal(t.Encode(nil, "ABCDEFG"), t.Encode(nil, "abcdefg"))
}

// addHeads reads the layers of a classifier.
func (s *Source) addHeads() error {
	for _, l := range classifierHeads["bert"] {
		if err := s.add(l.Name, l.Activation); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) add(name string, activation dense.Activation) error {
	return s.addFrom(s.tensors, name, activation)
}

// addFrom reads a dense layer.
func (s *Source) addFrom(t transformer.Tensors, name string, activation dense.Activation) error {
	r := transformer.NewReader(t, name+".weight", transformer.BERTPrefixes...)
	_, shape, _ := r.Find(name + ".weight")
	if len(shape) != 2 {
		return fmt.Errorf("the tensor %q is missing, or no matrix", name+".weight")
	}
	weight, bias := r.Weights(shape[0], shape[1], name)
	s.Dense = append(s.Dense, SourceDense{slices.Clone(weight), slices.Clone(bias), shape[0], activation})
	return r.Err()
}

// Tensor returns a tensor by BERT's name, whatever the checkpoint puts before it
// and whether it calls a layer norm's tensors weight and bias or gamma and beta.
// The values must not be changed, nor used after Close.
func (s *Source) Tensor(name string) (values []float32, shape []int, ok bool) {
	r := transformer.NewReader(s.tensors, "embeddings.word_embeddings.weight", transformer.BERTPrefixes...)
	if values, shape, ok = r.Find(name); ok {
		return values, shape, ok
	}
	if at, found := strings.CutSuffix(name, "LayerNorm.weight"); found {
		return r.Find(at + "LayerNorm.gamma")
	}
	if at, found := strings.CutSuffix(name, "LayerNorm.bias"); found {
		return r.Find(at + "LayerNorm.beta")
	}
	return nil, nil, false
}

// Close frees the model.
func (s *Source) Close() error { return s.Model.Close() }
