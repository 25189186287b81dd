package model

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// step is a module after the pooling that transforms a text's vector.
type step struct {
	in, out   int  // number of components; 0 if the step takes any number and keeps it
	most      int  // number of components at most that the step keeps; 0 if it keeps all
	normalize bool // the step only normalises to length 1
	apply     func(p *dense.Pool, v []float32) []float32

	// Of a Dense without residual, for OpenSource.
	folder     string
	activation dense.Activation
}

// headStep is a step of dense layers.
func headStep(h *transformer.Head) step {
	return step{in: h.In(), out: h.Out(), apply: func(p *dense.Pool, v []float32) []float32 { return h.Apply(p, v, 1) }}
}

// truncateStep keeps the first components, as sentence-transformers does after all modules.
func truncateStep(most int) step {
	return step{most: most, apply: func(_ *dense.Pool, v []float32) []float32 { return v[:min(most, len(v))] }}
}

// stepFile has the settings that are common to all these modules.
type stepFile struct {
	Input  string `json:"module_input_name"`
	Output string `json:"module_output_name"`
}

// check refuses a module that works on token vectors.
func (s *stepFile) check(path string) error {
	for _, name := range []string{s.Input, s.Output} {
		if name != "" && name != "sentence_embedding" {
			return fmt.Errorf("%s: a module of %q is not supported, only of sentence_embedding: %s", path, name, elsewhere)
		}
	}
	return nil
}

// layerEpsilon is the ε of PyTorch's LayerNorm.
const layerEpsilon = 1e-5

// readDense reads the module Dense: a linear layer and an activation, optionally with a
// residual connection.
func readDense(at string) (step, error) {
	path := filepath.Join(at, "config.json")
	var s struct {
		stepFile
		In         int    `json:"in_features"`
		Activation string `json:"activation_function"`
		Residual   bool   `json:"use_residual"`
	}
	ok, err := readJSON(path, &s)
	switch {
	case err != nil:
		return step{}, err
	case !ok:
		return step{}, fmt.Errorf("%s is missing", path)
	case s.In <= 0:
		return step{}, fmt.Errorf("%s: in_features is %d", path, s.In)
	}
	if err := s.check(path); err != nil {
		return step{}, err
	}
	act, err := torchActivation(s.Activation)
	if err != nil {
		return step{}, fmt.Errorf("%s: %w", path, err)
	}
	var layer, residual *transformer.Head
	err = withWeights(at, func(t transformer.Tensors) (err error) {
		if layer, err = transformer.NewHead(t, s.In, transformer.HeadLayer{Name: "linear", Activation: act}); err != nil || !s.Residual || layer.Out() == s.In {
			return err
		}
		if residual, err = transformer.NewHead(t, s.In, transformer.HeadLayer{Name: "residual"}); err == nil && residual.Out() != layer.Out() {
			err = fmt.Errorf("the residual has %d components, the layer %d", residual.Out(), layer.Out())
		}
		return err
	})
	if err != nil || !s.Residual {
		if err == nil {
			plain := headStep(layer)
			plain.folder, plain.activation = at, act
			return plain, nil
		}
		return step{}, err
	}
	return step{in: s.In, out: layer.Out(), apply: func(p *dense.Pool, v []float32) []float32 {
		out := layer.Apply(p, v, 1)
		if residual != nil {
			v = residual.Apply(p, v, 1)
		}
		for i, x := range v {
			out[i] += x
		}
		return out
	}}, nil
}

// torchActivation finds an activation by its PyTorch class, which Dense names.
func torchActivation(class string) (dense.Activation, error) {
	if class == "" { // Dense's default
		return dense.Tanh, nil
	}
	name := strings.ToLower(class[strings.LastIndex(class, ".")+1:])
	if act, ok := activations[name]; ok && strings.HasPrefix(class, "torch.") {
		return act, nil
	}
	if name == "identity" && strings.HasPrefix(class, "torch.") {
		return dense.None, nil
	}
	return dense.None, fmt.Errorf("activation %q is not supported, only PyTorch's Identity, Tanh, ReLU, GELU and SiLU: %s", class, elsewhere)
}

// readLayerNorm reads the module LayerNorm.
func readLayerNorm(at string) (step, error) {
	var norm dense.LayerNorm
	err := withWeights(at, func(t transformer.Tensors) error {
		gamma, shape, ok := t.Tensor("norm.weight")
		if !ok || len(shape) != 1 || len(gamma) == 0 {
			return errors.New(`the module LayerNorm has no vector "norm.weight"`)
		}
		n := len(gamma)
		r := transformer.NewReader(t, "norm.weight", "")
		norm = r.Norm("norm", n, layerEpsilon)
		norm.Gamma, norm.Beta = slices.Clone(norm.Gamma), slices.Clone(norm.Beta)
		return r.Err()
	})
	n := len(norm.Gamma)
	return step{in: n, out: n, apply: func(p *dense.Pool, v []float32) []float32 {
		norm.Apply(p, v, v, nil, n, 1)
		return v
	}}, err
}

// readNormalize reads the module Normalize, whose configuration is optional.
func readNormalize(at string) (step, error) {
	path := filepath.Join(at, "config.json")
	var s stepFile
	if _, err := readJSON(path, &s); err != nil {
		return step{}, err
	}
	return step{normalize: true, apply: func(_ *dense.Pool, v []float32) []float32 {
		normalize(v)
		return v
	}}, s.check(path)
}

// withWeights calls use with the weights of a module's folder. use must not keep them.
func withWeights(at string, use func(t transformer.Tensors) error) error {
	tensors, err := weights.Open(at)
	if err != nil {
		return err
	}
	err = use(tensors)
	if closed := tensors.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return nil
}
