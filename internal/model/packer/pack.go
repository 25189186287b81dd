// Package packer turns models of type bert into packs (internal/wasm/pack):
// it cuts the vocabulary, rounds weights to 4 or 8 bits so that the model's vectors
// change little, and measures what that costs.
package packer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/packed"
)

// Options of Pack.
type Options struct {
	// Bits of a weight: 4, or 8.
	Bits int
	// Samples are texts such as will be encoded. Weights of 4 bits are rounded for
	// them, and all figures are measured on them.
	Samples []string
	// Vocabulary is how many pieces are kept, those that Corpus and Frequencies need
	// most; 0: all.
	Vocabulary  int
	Corpus      iter.Seq2[string, error]
	Frequencies iter.Seq2[Frequency, error]
	// Branch is a safetensors file with the tensors of a branch, which leaves the
	// trunk after BranchFrom layers; "": none.
	Branch     string
	BranchFrom int
	// BranchRounded says that the branch was trained on layers that were rounded to 4
	// bits value by value. The layers before the branch are rounded like that again: with
	// other values, even ones nearer to the source, it would not get the states that it
	// learned from.
	BranchRounded bool
	// Reader is a safetensors file with the tensors of a reader of queries; "": none.
	Reader string
	// Prompts replace those of the model, by role; "" removes one.
	Prompts map[string]string
	// ID, License and Language replace what the model says.
	ID, License, Language string
	// Numbers and Texts are tables that travel in the pack.
	Numbers map[string][]float64
	Texts   map[string][]string
	// Progress of a stage, if not nil.
	Progress func(stage string, done, total int64)
}

// Frequency is how often a word occurs.
type Frequency struct {
	Word  string
	Count float64
}

// Stages that Progress is told.
const (
	StageRound   = "round"   // a step for each part of a layer
	StageCompare = "compare" // a step for the embeddings and each layer of each network, for both kinds of texts
)

// Result is a pack and what is known of it.
type Result struct {
	Files  packfile.Files
	Pack   *pack.Manifest
	Report Report
}

// Bounds of the number of samples. With fewer than leastSamples, rounding knows too little
// of a model's inputs; `vantage model pack` reads no more than MaxSamples.
const (
	leastSamples = 10
	MaxSamples   = 10_000
)

// Pack makes the pack of a model.
func Pack(ctx context.Context, src *model.Source, o Options) (_ *Result, err error) {
	if o.Bits != 4 && o.Bits != 8 {
		return nil, fault.Errorf(fault.Query, "weights of %d bits: packs have 4 or 8", o.Bits)
	}
	if len(o.Samples) < leastSamples {
		return nil, fault.Errorf(fault.Query, "%d sample texts: give at least %d, such as the model will encode", len(o.Samples), leastSamples)
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	m, err := read(src)
	if err != nil {
		return nil, err
	}
	if err := m.describe(&o); err != nil {
		return nil, err
	}
	if o.Vocabulary > 0 {
		if err := m.cutFor(ctx, &o); err != nil {
			return nil, err
		}
	}
	if o.Branch != "" {
		if err := m.readBranch(o.Branch, o.BranchFrom); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Branch, err)
		}
	}
	if o.Reader != "" {
		if err := m.readReader(o.Reader); err != nil {
			return nil, err
		}
	}
	config := packed.Config(&m.manifest)
	if err := config.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", src.Info.ID, err)
	}
	p := &packing{original: m, options: &o, ctx: ctx, pool: dense.NewPool(runtime.GOMAXPROCS(0))}
	defer p.pool.Close()
	return p.run()
}

// describe sets what the options say of the pack.
func (o *original) describe(options *Options) error {
	m := &o.manifest
	if m.Config.Tokens != nil && len(options.Prompts) > 0 {
		return fault.Errorf(fault.Query, "prompts for %s: a ColBERT marks queries and documents itself; leave --prompt out", m.ID)
	}
	m.License, m.Numbers, m.Texts = options.License, options.Numbers, options.Texts
	if options.ID != "" {
		m.ID = options.ID
	}
	if options.Language != "" {
		m.Language = options.Language
	}
	m.Prompts = maps.Clone(m.Prompts)
	if m.Prompts == nil {
		m.Prompts = map[string]string{}
	}
	for role, text := range options.Prompts {
		if m.Prompts[role] = text; text == "" {
			delete(m.Prompts, role)
		}
	}
	if _, ok := m.Prompts[m.DefaultPrompt]; !ok {
		m.DefaultPrompt = ""
	}
	return nil
}

// cutFor cuts the vocabulary for texts and words. Both count the same: what is
// added up is a piece's share of all pieces in each.
func (o *original) cutFor(ctx context.Context, options *Options) error {
	if options.Corpus == nil && options.Frequencies == nil {
		return fault.Errorf(fault.Query, "a vocabulary of %d pieces for nothing: give --corpus, --frequencies, or both", options.Vocabulary)
	}
	used := make([]float64, len(o.pieces))
	count := func(counts []float64, text string, weight float64) {
		for _, id := range o.tokenizer.Encode(nil, text) {
			counts[id] += weight
		}
	}
	share := func(counts []float64) {
		sum := 0.0
		for _, n := range counts {
			sum += n
		}
		for id, n := range counts {
			if n > 0 {
				used[id] += n / sum // which may be below 1
			}
		}
	}
	if options.Corpus != nil {
		counts := make([]float64, len(used))
		for text, err := range options.Corpus {
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			count(counts, text, 1)
		}
		share(counts)
	}
	if options.Frequencies != nil {
		counts := make([]float64, len(used))
		for f, err := range options.Frequencies {
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			count(counts, f.Word, f.Count)
		}
		share(counts)
	}
	return o.cut(options.Vocabulary, used)
}

// readBranch reads the file of a branch.
func (o *original) readBranch(path string, from int) (err error) {
	if o.manifest.Kind != pack.Encoder || len(o.manifest.Config.Dense) > 0 || o.manifest.Config.Tokens != nil {
		return fault.New(fault.Unsupported, "a branch needs an encoder with one vector for a whole text, and without dense layers")
	}
	if from < 1 || from > o.manifest.Config.Layers {
		return fault.Errorf(fault.Query, "it leaves after layer %d of %d: say --branch-from", from, o.manifest.Config.Layers)
	}
	file, err := weights.OpenFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return o.addBranch(from, file.Tensor, file.Names())
}

// packing is the making of one pack.
type packing struct {
	*original
	options *Options
	ctx     context.Context
	pool    *dense.Pool

	stage       string
	done, total int64
}

func (p *packing) begin(stage string, total int) {
	p.stage, p.done, p.total = stage, 0, int64(total)
	p.options.Progress(stage, 0, p.total)
}

// step reports progress, and returns an error if it is time to stop.
func (p *packing) step() error {
	p.done++
	p.options.Progress(p.stage, p.done, p.total)
	return p.ctx.Err()
}

func (p *packing) run() (*Result, error) {
	fit, held := p.divide()
	plain := p.store(roundPlain)
	chosen := plain
	if p.options.Bits == 4 {
		chosen = p.store(roundKept)
		if !p.isRounded() {
			if err := p.roundLayers(fit, chosen); err != nil {
				return nil, err
			}
		}
	}
	content := packfile.Content{Tokenizer: p.settings, Pieces: p.pieces, Tensors: chosen}
	files, err := packfile.Build(p.manifest, content)
	if err != nil {
		return nil, err
	}
	r := &Result{Files: files}
	if r.Pack, err = pack.Parse(files[pack.FileName]); err != nil {
		return nil, err
	}
	return r, p.measure(r, plain, fit, held)
}

// isRounded reports whether training has rounded all layers of the trunk, so that they stay as they are.
func (p *packing) isRounded() bool {
	rounded := true
	p.manifest.Config.Needs(p.manifest.Kind, pack.Trunk, func(n pack.Need) {
		if !n.Matrix || !strings.HasPrefix(n.Name, "encoder.") {
			return
		}
		for row := range slices.Chunk(p.values[n.Name], n.Shape[1]) {
			if rounded {
				_, rounded = onLadder(row)
			}
		}
	})
	return rounded
}

// roundLayers rounds the layers of the trunk for the sample texts, and stores them.
func (p *packing) roundLayers(fit []sample, chosen map[string]packfile.Tensor) error {
	values := maps.Clone(p.values)
	words := "embeddings.word_embeddings.weight"
	values[words] = rounded4(values[words], p.manifest.Config.Hidden, roundKept)
	p.begin(StageRound, p.manifest.Config.Layers*len(parts))
	plain := 0
	if p.options.BranchRounded {
		plain = p.options.BranchFrom
	}
	return roundLayers(p.network(p.pool, p.values), p.network(p.pool, values), plain, fit, chosen, p.step)
}

// ours are the paths of a pack's files and folder.
var ours = regexp.MustCompile(`^(pack\.json|data|data/[0-9a-f]{16}\.(bin|txt))$`)

// CheckTarget says why Write would refuse a folder.
func CheckTarget(dir string) error { return folders.CheckReplace(dir, "a pack", ours.MatchString) }

// Write writes a pack into a folder of its own, as folders.Replace does.
func Write(dir string, files packfile.Files) error {
	return folders.Replace(dir, files, "a pack", ours.MatchString)
}
