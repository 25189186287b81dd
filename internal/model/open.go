package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// Options are the options of Open.
type Options struct {
	// Pooling overrides the pooling that follows from the model's folder or name.
	Pooling Pooling
	// MaxLength is the greatest number of tokens of a text, up to what the architecture
	// can take; 0 means what the model's folder says, which may be less.
	MaxLength int
	// Int8 rounds the layers' weights to 8 bits: a quarter of the memory and, if the
	// processor multiplies bytes (AVX-512 VNNI), two to three times as fast, but the
	// vectors are less exact.
	Int8 bool
	// Device computes transformers instead of the processor, if not nil. It does not
	// compute token vectors, logits or classes.
	Device Device
	// Threads is the number of threads that encode; 0 means as many as the process may
	// use.
	Threads int
	// Normalize says whether vectors are scaled to length 1; nil means what the model's
	// folder says.
	Normalize *bool
	// ID and Revision are those of the model if they are known, for example from the
	// hub. By default they are the folder's name and a hash of its files.
	ID, Revision string
	// Prompts replace those of the model's folder, by role; "" removes one. Static models have
	// no prompts.
	Prompts map[string]string
	// Notice is called with remarks for the user, such as a guessed pooling.
	Notice func(text string)
}

// Open opens the built-in model by its name, Builtin, or a model in a folder: a
// transformer in HuggingFace's layout, or a static model in Model2Vec's.
//
// config.json decides the architecture. sentence-transformers' modules.json decides the
// pooling, the layers after it and the normalisation. The error for an unsupported
// module names it. Without modules.json, the pooling is Options.Pooling or the mean.
// Exceptions by name are SimCSE (the pooler) and unsupervised SimCSE (the first token),
// and by architecture DPR (the first token) and OPT (the last).
func Open(ctx context.Context, dir string, o Options) (Encoder, error) {
	if table, err := IsStatic(dir); err == nil && table {
		return openStatic(dir, o)
	}
	t, err := open(ctx, dir, o, embedding)
	if err != nil {
		return nil, err
	}
	switch {
	case t.colbert != nil && t.device == nil:
		return &tokenEncoder{t}, nil
	case t.config.Type == "opt" && t.device == nil:
		return &decoder{textEncoder: t}, nil
	}
	return t, nil
}

// OpenClassifier opens a model with a classification head.
func OpenClassifier(ctx context.Context, dir string, o Options) (Classifier, error) {
	return openClassifier(ctx, dir, o)
}

// open reads the parts of a folder and combines them.
func open(ctx context.Context, dir string, o Options, t task) (_ *textEncoder, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is a file: name the folder of a model", dir)
	}
	if o.MaxLength < 0 {
		return nil, fmt.Errorf("a maximum length of %d tokens", o.MaxLength)
	}
	r, fromModules, err := readRecipe(dir, t)
	if err != nil {
		return nil, err
	}
	if !fromModules {
		r = &recipe{dir: dir}
		if err := r.readPrompts(dir); err != nil {
			return nil, err
		}
	}
	c, err := readConfig(r.dir)
	if err != nil {
		return nil, err
	}
	e := &textEncoder{config: c, recipe: r, notice: o.Notice}
	if e.notice == nil {
		e.notice = func(string) {}
	}
	if e.tokens, err = openTokenizer(r.dir, r.lowercase); err != nil {
		return nil, err
	}
	if e.checkpoint, err = weights.Open(r.dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if err = e.checkpoint.CheckKinds(); err != nil {
		return nil, err
	}
	if err = e.load(o); err != nil {
		return nil, fmt.Errorf("%s: %w", r.dir, err)
	}
	if e.tokens.VocabSize() > e.size.Vocabulary() {
		return nil, fmt.Errorf("%s: the tokenizer has %d tokens, the model %d: they do not belong together", r.dir, e.tokens.VocabSize(), e.size.Vocabulary())
	}
	if e.colbert, err = readColBERT(dir, c, e); err != nil {
		return nil, err
	}
	if e.colbert != nil && o.Device != nil && o.Pooling == "" {
		return nil, fmt.Errorf("%s gives a vector for each token (ColBERT), which a device does not: choose a pooling, or the processor", dir)
	}
	defer e.checkpoint.Forget() // packed layers do not need the file any more
	shown, name := cmp.Or(o.ID, dir), NameOf(dir, o.ID)
	if err := e.choosePooling(shown, name, fromModules, o.Pooling); err != nil {
		return nil, err
	}
	if fromModules {
		e.leaveOutInstructions(shown, name)
	}
	if err := e.attachHeads(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.dir, err)
	}
	if err := e.chooseLength(o.MaxLength); err != nil {
		return nil, err
	}
	e.tellUnused()
	if o.Normalize != nil {
		e.recipe.normalize = *o.Normalize
	}
	if err := e.info(dir, o); err != nil {
		return nil, err
	}
	threads := o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	e.workers = dense.NewPool(threads)
	e.passes = newPasses(e.workers)
	return e, nil
}

// choosePooling decides how texts are pooled, and makes a remark if it is a guess.
func (e *textEncoder) choosePooling(shown, name string, fromModules bool, asked Pooling) error {
	switch name = strings.ToLower(path.Base(name)); {
	case asked != "":
		if !slices.Contains(poolings, asked) {
			_, err := ParsePooling(string(asked))
			return err
		}
		e.recipe.poolings = []Pooling{asked}
	case fromModules:
	case e.colbert != nil:
		e.recipe.poolings = []Pooling{Mean}
	case e.config.Type == "dpr":
		e.recipe.poolings = []Pooling{CLS}
	case e.config.Type == "opt":
		e.recipe.poolings = []Pooling{Last}
	case strings.Contains(name, "unsup-simcse"):
		e.recipe.poolings = []Pooling{CLS}
	case strings.Contains(name, "simcse"):
		e.recipe.poolings = []Pooling{Pooler}
	default:
		e.recipe.poolings = []Pooling{Mean}
		e.notice(fmt.Sprintf("%s has no modules.json: its token vectors are averaged (mean pooling); choose another way with --pooling", shown))
		if e.config.classifies() {
			e.notice(shown + " is a classifier or a cross-encoder, which was trained to score pairs of texts: its vectors may be of no use; choose an encoder")
		}
		if e.config.weightsWords(name) {
			e.notice(shown + " is a model of sparse vectors (SPLADE) by its name, which are not supported: the averages of its token vectors may be of no use; " + insteadOfSparse)
		}
	}
	return nil
}

// attachHeads reads the layers that the pooling or the architecture needs.
func (e *textEncoder) attachHeads() (err error) {
	if slices.Contains(e.recipe.poolings, Pooler) {
		if !transformer.HasHead(e.checkpoint, "pooler.dense") || e.config.Type == "dpr" {
			return errors.New("the checkpoint has no pooler: choose another --pooling")
		}
		if e.pooler, err = transformer.NewHead(e.checkpoint, e.size.Hidden(), transformer.HeadLayer{Name: "pooler.dense", Activation: dense.Tanh}); err != nil {
			return err
		}
	}
	if e.config.Type == "dpr" && e.config.Projection > 0 {
		if n := len(e.recipe.poolings); n > 1 {
			return fmt.Errorf("the Pooling of modules.json asks for %d vectors one after the other, and DPR's projection (projection_dim %d) takes one: choose one with --pooling cls",
				n, e.config.Projection)
		}
		project, err := transformer.NewHead(e.checkpoint, e.size.Hidden(), transformer.HeadLayer{Name: "encode_proj"})
		if err != nil {
			return err
		}
		e.recipe.steps = slices.Insert(e.recipe.steps, 0, headStep(project))
	}
	in := e.size.Hidden() * len(e.recipe.poolings)
	for _, s := range e.recipe.steps {
		if s.most > 0 {
			in = min(in, s.most)
		}
		if s.in == 0 {
			continue
		}
		if s.in != in {
			return fmt.Errorf("a module after the pooling takes vectors of %d components, and gets %d", s.in, in)
		}
		in = s.out
	}
	e.dim = in
	return nil
}

// passedOver are parts of the names of tensors that encoders do not need: heads for
// pretraining and other tasks, and tables that this package computes. For models other than
// OPT, whose own layers have it in their names, "decoder." is one as well.
var passedOver = []string{"position_ids", "pooler.", "cls.", "classifier", "lm_head", "vocab_", "qa_outputs", "embed_tokens", "linear.", "masked_bias", "score."}

// tellUnused makes a remark about tensors that the configuration does not use but
// probably should, such as additional layers.
func (e *textEncoder) tellUnused() {
	unused := slices.DeleteFunc(e.checkpoint.Unused(), func(name string) bool {
		return e.config.Type != "opt" && strings.Contains(name, "decoder.") || slices.ContainsFunc(passedOver, func(part string) bool { return strings.Contains(name, part) })
	})
	if n := len(unused); n > 0 {
		text := strings.Join(unused[:min(n, 3)], ", ")
		if n > 3 {
			text += fmt.Sprintf(" and %d more", n-3)
		}
		e.notice(fmt.Sprintf("%s: the checkpoint has tensors that the configuration does not ask for, and that count for nothing: %s", e.recipe.dir, text))
	}
}

// chooseLength sets the greatest number of tokens of a text: the number that was asked for or
// that sentence-transformers states, or otherwise the lower limit of tokenizer and model.
func (e *textEncoder) chooseLength(asked int) error {
	most := e.size.MaxTokens()
	limit := e.recipe.maxLength
	if limit == 0 {
		var s struct {
			MaxLength float64 `json:"model_max_length"` // 1e30 means no limit
		}
		if _, err := readJSON(filepath.Join(e.recipe.dir, "tokenizer_config.json"), &s); err != nil {
			return err
		}
		if s.MaxLength >= 1 && s.MaxLength < 1<<30 {
			limit = int(s.MaxLength)
		}
		if limit == 0 && most == 0 { // T5 takes any number, but was trained on 512
			limit = 512
		}
	}
	if most > 0 && (limit == 0 || limit > most) {
		limit = most
	}
	if asked > 0 {
		if most > 0 && asked > most {
			return fmt.Errorf("%s takes at most %d tokens, not %d", e.recipe.dir, most, asked)
		}
		limit = asked
	}
	e.maxLength = limit
	return nil
}

func (e *textEncoder) info(dir string, o Options) (err error) {
	names := make([]string, len(e.recipe.poolings))
	for i, p := range e.recipe.poolings {
		names[i] = string(p)
	}
	id := cmp.Or(o.ID, filepath.Base(dir))
	if absolute, err := filepath.Abs(dir); err == nil && o.ID == "" {
		id = filepath.Base(absolute)
	}
	version := o.Revision
	if version == "" {
		if version, err = revision(dir); err != nil {
			return err
		}
	}
	e.about = encoder.Info{ID: id, Revision: version, Architecture: e.config.Type, Dim: e.dim, Pooling: strings.Join(names, "+"), Normalize: e.recipe.normalize,
		MaxLength: e.maxLength, Vocabulary: e.tokens.VocabSize(), Prompts: e.recipe.prompts, DefaultPrompt: e.recipe.prompt, Int8: o.Int8}
	e.about.ReplacePrompts(o.Prompts)
	e.about.Score, e.about.Instructed = e.recipe.score, e.recipe.instructed
	if e.about.Score == "" && e.config.Type == "dpr" { // trained by inner products, and its configuration has no place for that
		e.about.Score = "dot"
	}
	if o.Device != nil {
		e.about.Device, e.about.BF16 = o.Device.Name(), o.Device.BF16()
	}
	return nil
}
