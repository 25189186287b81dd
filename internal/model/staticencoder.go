package model

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// Builtin is the name of the built-in model.
const Builtin = "static"

// IsStatic reports whether a model is static, so that a collection can carry it: the
// built-in model or a folder of a static model. Other models are transformers.
func IsStatic(nameOrDir string) (bool, error) {
	if nameOrDir == Builtin {
		return true, nil
	}
	var c struct {
		Type string `json:"model_type"`
	}
	found, err := readJSON(filepath.Join(nameOrDir, "config.json"), &c)
	if err != nil {
		return false, err
	}
	if !found {
		if _, err := os.Stat(filepath.Join(nameOrDir, "modules.json")); err == nil {
			return false, nil // the transformer is in a folder of its own, or there is none
		}
		return false, fmt.Errorf("%s has no config.json: it is not the folder of a model", nameOrDir)
	}
	return c.Type == "" || c.Type == staticType, nil
}

// staticType is the model_type of Model2Vec's folders.
const staticType = "model2vec"

// LoadStatic returns the files of a static model.
func LoadStatic(nameOrDir string) (staticmodel.Files, error) {
	if nameOrDir == Builtin {
		return builtin.Builtin(), nil
	}
	return staticmodel.Load(nameOrDir)
}

// staticEncoder is a table of token vectors. It supports neither prompts nor roles.
type staticEncoder struct {
	encoder *encode.Static
	about   encoder.Info
	threads int
	special []uint32 // tokens that the tokenizer puts around texts and that do not count
}

func openStatic(nameOrDir string, o Options) (*staticEncoder, error) {
	if o.Pooling != "" && o.Pooling != Mean {
		return nil, fmt.Errorf("%s is a static model: the vectors of its tokens are averaged, pooling %s is for transformers", nameOrDir, o.Pooling)
	}
	if o.Int8 {
		return nil, fmt.Errorf("%s is a static model: weights of 8 bits (--int8) are for transformers", nameOrDir)
	}
	if o.MaxLength != 0 {
		return nil, fmt.Errorf("%s is a static model: its length is part of it and cannot be chosen", nameOrDir)
	}
	files, err := LoadStatic(nameOrDir)
	if err != nil {
		return nil, err
	}
	s, err := files.Open()
	if err != nil {
		return nil, err
	}
	if o.Normalize != nil && *o.Normalize != s.Normalize() {
		if s, err = reopen(files, *o.Normalize); err != nil {
			return nil, err
		}
	}
	threads := o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	e := &staticEncoder{encoder: s, threads: threads}
	e.about = encoder.Info{ID: cmp.Or(o.ID, files.ID), Revision: cmp.Or(o.Revision, files.Revision), Language: files.Language, Architecture: Builtin, Dim: s.Dim(), Pooling: string(Mean), Normalize: s.Normalize(),
		MaxLength: s.MaxLength(), Vocabulary: s.Tokenizer().VocabSize()}
	if t, err := tokenizer.Parse(files.Tokenizer); err == nil { // an unknown post-processor puts no tokens around texts here
		e.special, _ = t.Frame(nil, 0)
	}
	return e, nil
}

// reopen opens a static model with another "normalize" in its configuration.
func reopen(files staticmodel.Files, normalize bool) (*encode.Static, error) {
	var c map[string]any
	if err := json.Unmarshal(files.Config, &c); err != nil {
		return nil, err
	}
	c["normalize"] = normalize
	config, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return encode.OpenStatic(files.Tokenizer, files.Weights, config)
}

func (s *staticEncoder) Info() encoder.Info { return s.about }
func (s *staticEncoder) Close() error       { return nil }

// Encode implements Encoder.
func (s *staticEncoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if err := o.Check(len(texts)); err != nil {
		return nil, err
	}
	prompt := ""
	switch {
	case o.Prompts != nil:
	case o.Prompt != nil:
		prompt = *o.Prompt
	case o.Role != encoder.NoRole && !o.Role.Common():
		return nil, errors.New(s.about.ID + " is a static model, which has no prompts: it knows no role " + string(o.Role))
	}
	return s.each(ctx, len(texts), func(v []float32, i int) encode.Info {
		before := prompt
		if o.Prompts != nil {
			before = o.Prompts[i]
		}
		return s.encoder.Encode(v, before+texts[i])
	})
}

// EncodeIDs implements encoder.IDEncoder.
func (s *staticEncoder) EncodeIDs(ctx context.Context, lists [][]uint32) ([]encoder.Embedding, error) {
	if err := checkIDs(&s.about, lists); err != nil {
		return nil, err
	}
	return s.each(ctx, len(lists), func(v []float32, i int) encode.Info {
		return s.encoder.EncodeIDs(v, slices.DeleteFunc(slices.Clone(lists[i]), func(id uint32) bool { return slices.Contains(s.special, id) }))
	})
}

// each calls encode for n texts on several threads.
func (s *staticEncoder) each(ctx context.Context, n int, one func(v []float32, i int) encode.Info) ([]encoder.Embedding, error) {
	embeddings := make([]encoder.Embedding, n)
	workers := min(s.threads, n)
	var wait group
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += workers {
				v := make([]float32, s.about.Dim)
				info := one(v, i)
				embeddings[i] = encoder.Embedding{Vector: v, Tokens: info.Tokens, Unknown: info.Unknown, Truncated: info.Truncated}
			}
		})
	}
	wait.Wait()
	return embeddings, ctx.Err()
}
