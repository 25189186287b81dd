package packer

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// original is a model as it is before rounding: what a pack says of it, and its
// values by the names of the pack.
type original struct {
	manifest  pack.Manifest
	settings  json.RawMessage // of the tokenizer
	pieces    []string
	tokenizer *encode.WordPiece
	values    tensors
}

// read takes a model apart.
func read(src *model.Source) (*original, error) {
	o := &original{values: tensors{}}
	if err := o.readTokenizer(src.Tokenizer); err != nil {
		return nil, err
	}
	a := src.Config
	limit := min(src.Info.MaxLength, a.Positions)
	o.manifest = pack.Manifest{
		Kind: pack.Encoder, ID: src.Info.ID, Source: pack.Source{ID: src.Info.ID, Revision: src.Info.Revision}, Language: src.Info.Language,
		Config: pack.Config{Layers: a.Layers, Heads: a.Heads, Hidden: a.Hidden, Intermediate: a.Intermediate, Vocabulary: len(o.pieces), Positions: limit,
			Types: max(1, a.Types), Epsilon: float64(a.Epsilon), Pooling: string(src.Pooling), Normalize: src.Normalize, MaxLength: limit},
		Prompts: src.Info.Prompts, DefaultPrompt: src.Info.DefaultPrompt,
	}
	c := &o.manifest.Config
	switch a.Activation {
	case dense.GELU:
		c.Activation = pack.GELU
	case dense.GELUTanh:
		c.Activation = pack.GELUTanh
	default:
		return nil, fault.Errorf(fault.Unsupported, "%s: the activation of its layers is not GELU: packs hold no other", src.Info.ID)
	}
	if src.Labels != nil {
		o.manifest.Kind, c.Labels, c.Pooling = pack.Classifier, src.Labels, pack.CLS
		o.addHead("pooler.dense", src.Dense[0])
		o.addHead("classifier", src.Dense[1])
	} else if t := src.Tokens; t != nil {
		if err := o.readTokens(src.Info.ID, t); err != nil {
			return nil, err
		}
	} else {
		for i, d := range src.Dense {
			name := ""
			for known, act := range activations {
				if act == d.Activation {
					name = known
				}
			}
			if name == "" {
				return nil, fault.Errorf(fault.Unsupported, "%s: the activation of module Dense is none of identity, tanh, relu and gelu: packs hold no other", src.Info.ID)
			}
			c.Dense = append(c.Dense, pack.Dense{Out: d.Out, Activation: name, Bias: d.Bias != nil})
			o.addHead("dense."+strconv.Itoa(i), d)
		}
	}
	return o, o.readTensors(src.Tensor, pack.Trunk)
}

// addHead keeps a layer after the pooling. A classifier's always has a bias, of zeros if need be.
func (o *original) addHead(name string, d model.SourceDense) {
	o.values[name+".weight"] = d.Weight
	if d.Bias != nil || o.manifest.Kind == pack.Classifier {
		o.values[name+".bias"] = slices.Concat(d.Bias, make([]float32, d.Out-len(d.Bias)))
	}
}

// readTensors reads the tensors of a section that are not there yet, as float32. A
// table may have more rows than the pack: those of further positions, and of ids
// that no piece has.
func (o *original) readTensors(tensor func(name string) ([]float32, []int, bool), section string) error {
	var err error
	o.manifest.Config.Needs(o.manifest.Kind, section, func(n pack.Need) {
		if err != nil || o.values[n.Name] != nil {
			return
		}
		values, shape, ok := tensor(n.Name)
		switch {
		case !ok && n.Name == "embeddings.token_type_embeddings.weight":
			values, shape = make([]float32, n.Shape[0]*n.Shape[1]), n.Shape
		case !ok:
			err = fault.Errorf(fault.Input, "no tensor %q: the model is incomplete, or another one than its configuration says", n.Name)
			return
		}
		if table := strings.HasSuffix(n.Name, "_embeddings.weight"); len(shape) != len(n.Shape) || shape[0] < n.Shape[0] || shape[0] > n.Shape[0] && !table || !slices.Equal(shape[1:], n.Shape[1:]) {
			err = fault.Errorf(fault.Input, "tensor %q has shape %v, not %v", n.Name, shape, n.Shape)
			return
		}
		length := 1
		for _, d := range n.Shape {
			length *= d
		}
		o.values[n.Name] = slices.Clone(values[:length])
		err = finite(n.Name, o.values[n.Name])
	})
	return err
}

// finite refuses values that engines do not compute with; those of models are
// below 100.
func finite(name string, values []float32) error {
	for i, v := range values {
		if !(v >= -transformer.QuantizedMagnitude && v <= transformer.QuantizedMagnitude) {
			return fault.Errorf(fault.Input, "tensor %q: value %d is %g, not a number up to %d: the model is damaged", name, i, v, transformer.QuantizedMagnitude)
		}
	}
	return nil
}

// readTokenizer takes a tokenizer.json apart into settings and pieces.
func (o *original) readTokenizer(text []byte) (err error) {
	if o.tokenizer, err = encode.ParseTokenizer(text); err != nil {
		return fault.Errorf(fault.Unsupported, "%w: packs hold BERT's WordPiece tokenizers alone", err)
	}
	file, model, added, err := takeApart(text)
	if err != nil {
		return err
	}
	var vocabulary map[string]int
	if err := optional(model["vocab"], &vocabulary); err != nil {
		return err
	}
	for _, a := range added { // mostly in the vocabulary too
		vocabulary[a.content] = a.id
	}
	o.pieces = make([]string, o.tokenizer.VocabSize())
	for piece, id := range vocabulary {
		if o.pieces[id] != "" {
			return fault.Errorf(fault.Input, "two pieces of the vocabulary have id %d: packs hold one", id)
		}
		o.pieces[id] = piece
	}
	if id := slices.Index(o.pieces, ""); id >= 0 {
		return fault.Errorf(fault.Input, "the vocabulary has no piece with id %d: packs hold vocabularies without holes", id)
	}
	delete(model, "vocab")
	if file["model"], err = json.Marshal(model); err != nil {
		return err
	}
	for _, key := range []string{"version", "padding", "decoder"} { // which say nothing of ids
		delete(file, key)
	}
	o.settings, err = marshal(file)
	return err
}

// addedToken is an entry of added_tokens.
type addedToken struct {
	id      int
	content string
}

// takeApart reads the object of a tokenizer.json, its model, and its added tokens. It reads into
// maps because for the fields of a struct, json.Unmarshal also takes keys that differ in case,
// which ParseTokenizer has not checked.
func takeApart(text []byte) (file, model map[string]json.RawMessage, added []addedToken, err error) {
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, nil, nil, err
	}
	var tokens []map[string]json.RawMessage
	if err := errors.Join(optional(file["model"], &model), optional(file["added_tokens"], &tokens)); err != nil {
		return nil, nil, nil, err
	}
	added = make([]addedToken, len(tokens))
	for i, t := range tokens {
		if err := errors.Join(optional(t["id"], &added[i].id), optional(t["content"], &added[i].content)); err != nil {
			return nil, nil, nil, err
		}
	}
	return file, model, added, nil
}

// optional is json.Unmarshal of a value that may be missing.
func optional(text json.RawMessage, into any) error {
	if text == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

// marshal is json.Marshal without escapes that only HTML needs.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}

// tokenizerOf makes a tokenizer as a pack's reader does.
func tokenizerOf(settings []byte, pieces []string) (*encode.WordPiece, error) {
	r := jsonlite.NewReader(settings).Strict()
	read := encode.ReadSettings(r)
	if err := r.End(); err != nil {
		return nil, err
	}
	return read.WordPiece([]byte(strings.Join(pieces, "\n")+"\n"), len(pieces))
}

// network computes the model with its own values or others.
func (o *original) network(pool *dense.Pool, values tensors) *network {
	return &network{c: &o.manifest.Config, kind: o.manifest.Kind, values: values, pool: pool}
}

// addBranch reads the tensors of a branch, which are named as in a pack.
func (o *original) addBranch(from int, tensor func(name string) ([]float32, []int, bool), names []string) error {
	layers := 0
	for slices.Contains(names, branchLayer(layers)+"output.dense.weight") {
		layers++
	}
	_, shape, ok := tensor("projection.weight")
	if layers == 0 || !ok || len(shape) != 2 {
		return fault.New(fault.Input, `it has no "branch.0.output.dense.weight" or no matrix "projection.weight"`)
	}
	o.manifest.Config.Branch = &pack.Branch{From: from, Layers: layers, Dimension: shape[0]}
	if err := o.readTensors(tensor, pack.BranchSection); err != nil {
		return err
	}
	for _, name := range names {
		if o.values[name] == nil {
			return fault.Errorf(fault.Input, "it has a tensor %.80q, which is not of a branch", name)
		}
	}
	return nil
}
