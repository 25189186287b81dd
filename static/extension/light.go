package extension

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// The extension's light encoder is the built-in one, cut so that the package keeps its limit: all rows keep their
// first lightDim components (which is all of them), rounded to multiples of lightStep of an int8. README.md has the
// measurement that chose both.
const (
	lightDim  = 256
	lightStep = 42
)

// light returns the files of the first stage's encoder by their paths in the package. They are not gzipped, as those
// of a collection would be: the zip packs them better.
func light(root string) (map[string][]byte, error) {
	cut, err := cutLight(os.DirFS(filepath.Join(root, "internal", "model", "builtin", "english")), lightDim, lightStep)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for name, content := range cut {
		files[path.Join("light", name)] = content
	}
	return files, nil
}

// cutLight returns the files of a static model with the first dim components of its rows, in levels of step.
func cutLight(model fs.FS, dim, step int) (map[string][]byte, error) {
	cut := map[string][]byte{}
	for _, name := range []string{"tokenizer.json", "config.json", "model.safetensors"} {
		content, err := fs.ReadFile(model, name)
		if err != nil {
			return nil, err
		}
		cut[name] = content
	}
	var config map[string]any
	if err := json.Unmarshal(cut["config.json"], &config); err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	config["hidden_dim"] = dim
	var err error
	if cut["config.json"], err = json.Marshal(config); err != nil {
		return nil, err
	}
	cut["model.safetensors"], err = cutWeights(cut["model.safetensors"], dim, step)
	return cut, err
}

// A tensor is an entry of a safetensors header.
type tensor struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// cutWeights cuts a table of int8 rows with a scale each.
func cutWeights(file []byte, dim, step int) ([]byte, error) {
	if len(file) < 8 || binary.LittleEndian.Uint64(file) > uint64(len(file)-8) {
		return nil, fmt.Errorf("model.safetensors has no header")
	}
	length := int(binary.LittleEndian.Uint64(file))
	var header map[string]tensor
	if err := json.Unmarshal(file[8:8+length], &header); err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	data, rows := file[8+length:], header["embeddings"]
	if rows.DType != "I8" || len(rows.Shape) != 2 || rows.Shape[1] < dim || header["scales"].DType != "F32" {
		return nil, fmt.Errorf("model.safetensors is no table of int8 with at least %d components", dim)
	}
	count, width := rows.Shape[0], rows.Shape[1]
	scaled := header["scales"]
	if rows.Offsets != [2]int{0, count * width} || scaled.Offsets != [2]int{count * width, count*width + 4*count} || len(data) != scaled.Offsets[1] {
		return nil, fmt.Errorf("model.safetensors: tensors of %d rows of %d components are not where they should be", count, width)
	}
	table := data[:rows.Offsets[1]]
	cut := make([]byte, 0, count*dim)
	for row := range count {
		for _, value := range table[row*width:][:dim] {
			level := math.Round(float64(int8(value))/float64(step)) * float64(step)
			cut = append(cut, byte(int8(max(-127, min(127, level)))))
		}
	}
	// Scales are positive float32; their upper 16 bits say them to less than a percent.
	scales := slices.Clone(data[scaled.Offsets[0]:])
	for i := range scales {
		if i%4 < 2 {
			scales[i] = 0
		}
	}
	head, err := json.Marshal(map[string]tensor{
		"embeddings": {"I8", []int{count, dim}, [2]int{0, len(cut)}},
		"scales":     {"F32", []int{count}, [2]int{len(cut), len(cut) + len(scales)}},
	})
	if err != nil {
		return nil, err
	}
	for (8+len(head))%8 != 0 {
		head = append(head, ' ')
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	return append(append(append(out, head...), cut...), scales...), nil
}
