package packer

import (
	"cmp"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// maxReader bounds the file of a reader.
const maxReader = 64 << 20

// readReader reads a reader of queries from a safetensors file, whose metadata "reader" are the JSON of
// pack.Reader. Its tensors are named as in a pack. Errors name the file.
func (o *original) readReader(path string) error {
	b, err := file.Read(path, maxReader, "file of a reader")
	if err != nil {
		return fault.As(fault.Input, err)
	}
	return fault.At(path, o.parseReader(b))
}

func (o *original) parseReader(b []byte) error {
	if o.manifest.Kind != pack.Encoder || o.manifest.Config.Tokens != nil {
		return fault.New(fault.Unsupported, "a reader needs an encoder with one vector for a whole text")
	}
	s, err := shard.ParseSafetensors(b)
	if err != nil {
		return err
	}
	described, ok := s.Metadata["reader"]
	if !ok {
		return fault.New(fault.Input, `its metadata have no "reader": make it with internal/recipes/reader`)
	}
	r := &pack.Reader{}
	if err := unpack.JSON([]byte(described), r); err != nil {
		return fault.Errorf(fault.Input, `its metadata "reader": %w`, err)
	}
	if err := o.addReader(r); err != nil {
		return fault.At(`its metadata "reader"`, err)
	}
	var other error // a tensor of another type
	err = o.readTensors(func(name string) ([]float32, []int, bool) {
		t, ok := s.Tensor(name)
		if !ok {
			return nil, nil, false
		}
		values, err := t.Float32()
		if err != nil && other == nil {
			other = err
		}
		return values, t.Shape, err == nil
	}, pack.ReaderSection)
	if err := cmp.Or(other, err); err != nil {
		return err
	}
	for _, name := range s.Names() {
		if o.values[name] == nil || !strings.HasPrefix(name, "reader.") {
			return fault.Errorf(fault.Input, "it has a tensor %.80q, which is not of a reader", name)
		}
	}
	return nil
}

// addReader checks the sizes of a reader before tensors are read and layers rounded, which takes minutes.
func (o *original) addReader(r *pack.Reader) error {
	c := &o.manifest.Config
	if r.Width < 1 || len(r.States) == 0 || len(r.Labels) == 0 {
		return fault.Errorf(fault.Input, "width %d, %d states and %d labels: a reader has one of each at least", r.Width, len(r.States), len(r.Labels))
	}
	for i, layer := range r.States {
		if layer < 1 || layer > c.Layers || i > 0 && layer <= r.States[i-1] {
			return fault.Errorf(fault.Input, "its states are those after the layers %d, but the model has the layers 1 to %d, and states rise: was it trained on this model?", r.States, c.Layers)
		}
	}
	c.Reader = r
	if err := packed.CheckReader(&o.manifest); err != nil {
		return err
	}
	// The engine has bounds of its own.
	config := packed.Config(&o.manifest)
	return config.Check()
}
