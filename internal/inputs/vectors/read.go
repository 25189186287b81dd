// Package vectors reads and writes files of vectors: .npy, .safetensors and JSON
// lines.
package vectors

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model/npy"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// maxFile is the greatest length in bytes of a file of vectors, which is read into
// memory.
const maxFile = 64 << 30

// Read reads the vectors of a corpus from a .npy or .safetensors file. model is the id
// of the encoder that made them, followed by @ and its revision if known. If model is
// empty, the file's name is used.
func Read(path, model string) (*vantage.Vectors, error) {
	dim, data, err := readMatrix(path)
	if err != nil {
		return nil, fault.At(path, err)
	}
	id, revision, _ := strings.Cut(model, "@")
	if id == "" {
		id = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	return &vantage.Vectors{Model: vantage.Model{ID: id, Revision: revision}, Dim: dim, Data: data}, nil
}

func readMatrix(path string) (dim int, data []float32, err error) {
	info, err := os.Stat(path) // checked before opening, because opening a pipe would block
	switch {
	case err != nil:
		return 0, nil, fault.As(fault.Input, fault.Unnamed(err))
	case !info.Mode().IsRegular():
		return 0, nil, fault.Errorf(fault.Input, "not a file: give one that ends in .npy or .safetensors")
	case info.Size() > maxFile:
		return 0, nil, fault.Errorf(fault.Input, "%s, at most %s: split the corpus", human.Bytes(info.Size()), human.Bytes(maxFile))
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, nil, fault.As(fault.Input, fault.Unnamed(err))
	}
	defer f.Close()
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".npy":
		m, err := npy.Read(bufio.NewReaderSize(f, 1<<20), info.Size())
		return m.Dim, m.Data, err
	case ".safetensors":
		content, err := os.ReadFile(path)
		if err != nil {
			return 0, nil, err
		}
		return matrixOf(content)
	default:
		return 0, nil, fault.Errorf(fault.Input, "a file of kind %q: give .npy (numpy.save) or .safetensors", ext)
	}
}

// matrixOf finds the vectors in a safetensors file: the tensor "vectors", otherwise
// "embeddings", otherwise the only matrix of floats in the file.
func matrixOf(content []byte) (dim int, data []float32, err error) {
	file, err := shard.ParseSafetensors(content)
	if err != nil {
		return 0, nil, err
	}
	t, err := vectorsTensor(file)
	if err != nil {
		return 0, nil, err
	}
	n, dim := t.Shape[0], t.Shape[1]
	if n < 1 || dim < 1 || dim > manifest.MaxDim {
		return 0, nil, fault.Errorf(fault.Input, "tensor %q has shape [%d, %d], expected rows of 1 to %d numbers", t.Name, n, dim, manifest.MaxDim)
	}
	data, err = t.Float32()
	if err != nil {
		return 0, nil, err
	}
	at := slices.IndexFunc(data, func(v float32) bool { return !(math.Abs(float64(v)) <= math.MaxFloat32) })
	if at >= 0 {
		return 0, nil, fault.Errorf(fault.Input, "tensor %q: row %d, column %d: %v is not a finite number: mend the encoder's output", t.Name, at/dim, at%dim, data[at])
	}
	return dim, data, nil
}

func vectorsTensor(file *shard.Safetensors) (shard.Tensor, error) {
	usable := func(t shard.Tensor) bool {
		return len(t.Shape) == 2 && (t.DType == shard.F32 || t.DType == shard.F16)
	}
	for _, name := range []string{"vectors", "embeddings"} {
		if t, ok := file.Tensor(name); ok {
			if !usable(t) {
				return t, fault.Errorf(fault.Input, "tensor %q is %s of shape %v, expected F32 or F16 of shape [documents, dimension]: convert it", name, t.DType, t.Shape)
			}
			return t, nil
		}
	}
	var found []shard.Tensor
	var all []string
	for _, name := range file.Names() {
		t, _ := file.Tensor(name)
		if usable(t) {
			found = append(found, t)
		}
		if len(all) < 8 {
			all = append(all, fmt.Sprintf("%.40q %s %v", name, t.DType, t.Shape))
		}
	}
	switch len(found) {
	case 0:
		return shard.Tensor{}, fault.Errorf(fault.Input, "no matrix of F32 or F16 numbers among its tensors (%s): save the vectors as a tensor \"vectors\"", strings.Join(all, ", "))
	case 1:
		return found[0], nil
	}
	return shard.Tensor{}, fault.Errorf(fault.Input, "%d matrices and none is called \"vectors\" or \"embeddings\" (%s): rename the right one", len(found), strings.Join(all, ", "))
}
