// Package weights reads the tensors of a model folder from safetensors files, whole or
// in parts, and from PyTorch's own files, without executing anything in them.
package weights

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Files with the weights of a model folder, in order of preference.
const (
	safetensorsFile  = "model.safetensors"
	safetensorsIndex = "model.safetensors.index.json"
	torchFile        = "pytorch_model.bin"
	torchIndex       = "pytorch_model.bin.index.json"
)

// Limits of an index of parts. Package hub has them too, so that it downloads what can be read.
const (
	MaxIndexBytes = 64 << 20
	MaxParts      = 2000
)

// Checkpoint holds a model's tensors by name. It keeps its files mapped into memory
// until Close. Tensors must not be used afterwards.
type Checkpoint struct {
	tensors map[string]tensor
	files   []*mapped
	used    map[string]bool
	read    int // bytes of tensors that were read since Forget

	// The last converted tensor is cached, because callers that check whether a tensor
	// exists ask for it again.
	last   string
	values []float32
}

// tensor is a tensor in a file.
type tensor struct {
	file  string // name for errors
	kind  string // safetensors' name: F32, F16, BF16, F64, I64 …
	shape []int
	data  []byte // contiguous, row-major, little-endian
}

// ErrNone is wrapped by Open's error if a folder holds no weights.
var ErrNone = fault.New(fault.Input, "the folder holds no weights")

// Open opens the weights of a model folder: model.safetensors,
// model.safetensors.index.json with its parts, pytorch_model.bin, or
// pytorch_model.bin.index.json with its parts, whichever exists first.
func Open(dir string) (*Checkpoint, error) {
	for _, name := range []string{safetensorsFile, safetensorsIndex, torchFile, torchIndex} {
		_, err := os.Stat(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return openNamed(dir, name)
	}
	return nil, fmt.Errorf("%s: %w: none of %s, %s, %s and %s is there", dir, ErrNone, safetensorsFile, safetensorsIndex, torchFile, torchIndex)
}

// Files lists the names of the files that Open would read in a folder. It lists none if
// the folder has no weights, or no readable index of them.
func Files(dir string) []string {
	for _, name := range []string{safetensorsFile, safetensorsIndex, torchFile, torchIndex} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			continue
		}
		files := []string{name}
		if strings.HasSuffix(name, ".index.json") {
			parts, err := readIndex(filepath.Join(dir, name))
			if err != nil {
				return nil
			}
			files = slices.AppendSeq(files, maps.Values(parts))
		}
		slices.Sort(files)
		return slices.Compact(files)
	}
	return nil
}

// OpenFile opens one file of weights, of either format.
func OpenFile(path string) (*Checkpoint, error) {
	return openNamed(filepath.Dir(path), filepath.Base(path))
}

func openNamed(dir, name string) (_ *Checkpoint, err error) {
	c := &Checkpoint{tensors: map[string]tensor{}, used: map[string]bool{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	files := []string{name}
	var parts map[string]string
	if strings.HasSuffix(name, ".index.json") {
		if parts, err = readIndex(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
		files = files[:0]
		for _, file := range parts {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
		slices.Sort(files)
	}
	for _, file := range files {
		if err := c.add(filepath.Join(dir, file)); err != nil {
			return nil, err
		}
	}
	for tensor, file := range parts {
		if _, ok := c.tensors[tensor]; !ok {
			return nil, fmt.Errorf("%s: %s lacks tensor %q, which the index says it holds: download it again", filepath.Join(dir, name), file, tensor)
		}
	}
	return c, nil
}

// add adds the tensors of a file.
func (c *Checkpoint) add(path string) error {
	var found map[string]tensor
	var file *mapped
	var err error
	if strings.HasSuffix(path, ".bin") || strings.HasSuffix(path, ".pt") || strings.HasSuffix(path, ".pth") {
		found, file, err = openTorch(path)
	} else {
		found, file, err = openSafetensors(path)
	}
	if err != nil {
		return err
	}
	c.files = append(c.files, file)
	for name, t := range found {
		if other, twice := c.tensors[name]; twice {
			return fmt.Errorf("tensor %q is in %s and in %s", name, other.file, path)
		}
		c.tensors[name] = t
	}
	return nil
}

// readIndex reads an index, which says which file of a folder holds each tensor.
func readIndex(path string) (map[string]string, error) {
	text, err := file.Read(path, MaxIndexBytes, "index of weights")
	if err != nil {
		return nil, err
	}
	var index struct {
		Parts map[string]string `json:"weight_map"`
	}
	if err := unpack.JSON(text, &index); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(index.Parts) == 0 {
		return nil, fmt.Errorf(`%s: no "weight_map"`, path)
	}
	files := map[string]bool{}
	for tensor, file := range index.Parts {
		if file != filepath.Base(file) || !filepath.IsLocal(file) {
			return nil, fmt.Errorf("%s: tensor %q is said to be in %q, which is not a file of this folder", path, tensor, file)
		}
		files[file] = true
	}
	if len(files) > MaxParts {
		return nil, fmt.Errorf("%s: %d files, at most %d are read", path, len(files), MaxParts)
	}
	return index.Parts, nil
}

// Tensor returns a tensor of floats as float32, and its shape. F32 values alias the
// file if they are aligned; F16, BF16 and F64 are converted. Tensors of other kinds are
// treated as missing.
func (c *Checkpoint) Tensor(name string) (values []float32, shape []int, ok bool) {
	t, ok := c.tensors[name]
	if !ok || !t.floats() {
		return nil, nil, false
	}
	c.used[name] = true
	if c.read += len(t.data); c.read > maxRead {
		c.Forget()
		c.read = len(t.data)
	}
	if c.values == nil || c.last != name {
		c.last, c.values = name, t.float32s()
	}
	return c.values, t.shape, true
}

// CheckKinds refuses weights and biases of 8 bits, which Tensor would treat as missing.
func (c *Checkpoint) CheckKinds() error {
	for _, name := range c.Names() {
		t := c.tensors[name]
		layer := strings.HasSuffix(name, ".weight") || strings.HasSuffix(name, ".bias")
		if layer && (t.kind == "I8" || t.kind == "U8" || strings.HasPrefix(t.kind, "F8_")) {
			return fault.Errorf(fault.Unsupported, "%s: the tensor %q is quantised to 8 bits (%s), which is not supported: save the model in float16 or float32, or choose another", t.file, name, t.kind)
		}
	}
	return nil
}

// maxRead limits the memory of a model's files while its layers are packed one by one,
// so that the weights are not in memory twice.
const maxRead = 32 << 20

// Names are the names of all tensors, sorted.
func (c *Checkpoint) Names() []string {
	names := make([]string, 0, len(c.tensors))
	for name := range c.tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Unused returns the names of the tensors that Tensor has not returned.
func (c *Checkpoint) Unused() []string {
	return slices.DeleteFunc(c.Names(), func(name string) bool { return c.used[name] })
}

// Forget frees the memory of tensors that have been copied elsewhere, such as into
// packed layers. Values that are still in use are read from the file again.
func (c *Checkpoint) Forget() {
	c.read, c.last, c.values = 0, "", nil
	for _, file := range c.files {
		file.forget()
	}
}

// Close closes the files.
func (c *Checkpoint) Close() error {
	var errs []error
	for _, file := range c.files {
		errs = append(errs, file.Close())
	}
	c.files, c.tensors = nil, nil
	return errors.Join(errs...)
}
