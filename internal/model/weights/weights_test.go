package weights

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

type expected map[string]struct {
	Shape  []int
	Values []float64
}

func readExpected(t *testing.T) expected {
	t.Helper()
	var want expected
	if jsonfile.Read(t, "testdata/values.json", &want); len(want) == 0 {
		t.Fatal("testdata/values.json has no values")
	}
	return want
}

// PyTorch wrote the same tensors in each of its formats.
func TestTorch(t *testing.T) {
	want := readExpected(t)
	for _, name := range []string{"zip.bin", "legacy.bin", "nested.bin"} {
		c, err := OpenFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Names()) != len(want) {
			t.Errorf("%s: %q", name, c.Names())
		}
		for tensor, w := range want {
			values, shape, ok := c.Tensor(tensor)
			if tensor == "ids" {
				if ok {
					t.Errorf("%s: integers came as floats", name)
				}
				continue
			}
			if !ok || !slices.Equal(shape, w.Shape) || len(values) != len(w.Values) {
				t.Fatalf("%s: %s is %d, %v, %v; want %d", name, tensor, shape, values, ok, w.Shape)
			}
			for i, v := range values {
				if v != float32(w.Values[i]) {
					t.Errorf("%s: %s[%d] is %v, want %v", name, tensor, i, v, w.Values[i])
				}
			}
		}
		if got := c.Unused(); !slices.Equal(got, []string{"ids"}) {
			t.Errorf("%s: unused are %q", name, got)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A pickle that calls an unknown function is refused with the function's name.
func TestTorchExecutesNothing(t *testing.T) {
	_, err := OpenFile("testdata/harm.bin")
	if err == nil || !strings.Contains(err.Error(), "system") || !strings.Contains(err.Error(), "not executed") {
		t.Errorf("%v", err)
	}
}

// Every prefix of a file is an error. Damage may go unnoticed, but nothing panics.
func TestTorchDamaged(t *testing.T) {
	for _, name := range []string{"zip.bin", "legacy.bin", "nested.bin"} {
		whole, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(whole) {
			if _, err := readTorch(name, whole[:n]); err == nil {
				t.Errorf("%s: its first %d of %d bytes are taken for all", name, n, len(whole))
			}
			damaged := bytes.Clone(whole)
			damaged[n] ^= 0x55
			readTorch(name, damaged)
		}
	}
}

func FuzzTorch(f *testing.F) {
	for _, name := range []string{"zip.bin", "legacy.bin", "nested.bin", "harm.bin"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkTensors(t, b) })
}

// Errors can be printed after the mapping has ended.
func FuzzFile(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.safetensors")
	whole, err := shard.AppendSafetensors(nil, []shard.Tensor{{Name: "a", DType: "F16", Shape: []int{2}, Data: make([]byte, 4)}, {Name: "b", DType: "I64", Shape: []int{1}, Data: make([]byte, 8)}}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := OpenFile(path)
		if err != nil {
			if !strings.HasPrefix(strings.Clone(err.Error()), path) {
				t.Errorf("%v", err)
			}
			return
		}
		defer c.Close()
		for _, name := range c.Names() {
			c.Tensor(name)
		}
	})
}

// An instruction of one byte makes a value of many bytes, and tensors may share a
// storage.
func TestTorchBounds(t *testing.T) {
	for name, program := range map[string]string{
		"lists":        strings.Repeat("]", jsonlite.MaxValues+1) + ".",
		"remembered":   "]" + strings.Repeat("\x94", jsonlite.MaxValues+1) + ".",
		"pushed again": "]q\x01" + strings.Repeat("h\x01", jsonlite.MaxValues) + ".",
		"dictionaries of the same pairs": "ccollections\nOrderedDict\nq\x00]q\x01(" + strings.Repeat("NN\x86", 1000) + "e" +
			strings.Repeat("h\x00h\x01\x85R0", 1000) + ".",
	} {
		if _, _, err := unpickle([]byte(program)); err == nil || !strings.Contains(err.Error(), "1000000 values") || !strings.Contains(err.Error(), "safetensors") {
			t.Errorf("%s: %v", name, err)
		}
	}
	const n = 100
	state := &dict{}
	for i := range 3 {
		state.keys = append(state.keys, string(rune('a'+i)))
		state.values = append(state.values, &view{storage: &storage{"F32", "0", n * n}, shape: []int64{n, n}, stride: []int64{1, n}})
	}
	data := make([]byte, 4*n*n)
	for tensors, fits := range map[int]bool{1: true, 2: false, 3: false} {
		some := &dict{state.keys[:tensors], state.values[:tensors]}
		_, err := views("x", some, len(data)+1000, func(*storage) ([]byte, error) { return data, nil })
		if (err == nil) != fits || err != nil && !strings.Contains(err.Error(), "larger than the file") {
			t.Errorf("%d transposed tensors of one storage: %v", tensors, err)
		}
	}
}

// ownState is a dictionary that is its own "state_dict".
const ownState = "\x80\x02}q\x00X\x0a\x00\x00\x00state_dicth\x00s."

// Reading a value that holds itself comes to an end, and errors do not print values that repeat
// their parts.
func TestTorchRepeats(t *testing.T) {
	value, _, err := unpickle([]byte(ownState))
	if err != nil {
		t.Fatal(err)
	}
	if err := eachView(value, func(string, *view) error { return nil }); err == nil || !strings.Contains(err.Error(), "no tensors") {
		t.Errorf("its own state: %v", err)
	}
	whole, err := os.ReadFile("testdata/legacy.bin")
	if err != nil {
		t.Fatal(err)
	}
	var pickles [5][]byte // magic number, version, system, the value, the storages' keys
	rest := whole
	for i := range pickles {
		before := rest
		if _, rest, err = unpickle(before); err != nil {
			t.Fatal(err)
		}
		pickles[i] = before[:len(before)-len(rest)]
	}
	doubled := "K\x01" + strings.Repeat("q\x01h\x01\x86", 40)
	for i, c := range map[int]struct{ program, want string }{
		1: {doubled + ".", "format is neither a number nor a text, only 1001"},
		4: {"]" + doubled + "a.", "storages has neither a number nor a text"},
	} {
		damaged := pickles
		damaged[i] = []byte(c.program)
		if _, err := readTorch("x", bytes.Join(damaged[:], nil)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %.200v", c.want, err)
		}
	}
}

// FuzzPickle replaces an archive's pickle by the bytes.
func FuzzPickle(f *testing.F) {
	b, err := os.ReadFile("testdata/zip.bin")
	if err != nil {
		f.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		f.Fatal(err)
	}
	part := func(file *zip.File) []byte {
		at, err := file.DataOffset()
		if err != nil {
			f.Fatal(err)
		}
		return b[at : at+int64(file.UncompressedSize64)]
	}
	for _, file := range archive.File {
		if file.Name == "zip/data.pkl" {
			f.Add(part(file))
		}
	}
	for _, program := range []string{"]]]]a.", "N\x94\x94.", "Nq\x01h\x01h\x01t.", ownState} {
		f.Add([]byte(program))
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for _, file := range archive.File {
			content := program
			if file.Name != "zip/data.pkl" {
				content = part(file)
			}
			to, err := w.CreateHeader(&zip.FileHeader{Name: file.Name, Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			to.Write(content)
		}
		w.Close()
		checkTensors(t, out.Bytes())
	})
}

// checkTensors reads all tensors and checks that none is larger than its file.
func checkTensors(t *testing.T, b []byte) {
	tensors, err := readTorch("x", b)
	if err != nil {
		return
	}
	for name, tensor := range tensors {
		n := sizes[tensor.kind]
		for _, d := range tensor.shape {
			n *= d
		}
		if n != len(tensor.data) || n > len(b) {
			t.Errorf("tensor %q of shape %d has %d bytes of %d", name, tensor.shape, len(tensor.data), len(b))
		}
		if tensor.floats() {
			tensor.float32s()
		}
	}
}

// save writes F32 tensors of shape [n] as safetensors.
func save(t *testing.T, path string, tensors map[string][]float32) {
	t.Helper()
	var list []shard.Tensor
	for name, values := range tensors {
		data := make([]byte, 0, 4*len(values))
		for _, v := range values {
			b := math.Float32bits(v)
			data = append(data, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
		}
		list = append(list, shard.Tensor{Name: name, DType: "F32", Shape: []int{len(values)}, Data: data})
	}
	b, err := shard.AppendSafetensors(nil, list, nil)
	if err == nil {
		err = os.WriteFile(path, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// An index may have as many parts as package hub downloads.
func TestPartsLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), safetensorsIndex)
	for _, parts := range []int{MaxParts, MaxParts + 1} {
		of := map[string]string{}
		for i := range parts {
			of[fmt.Sprint(i)] = fmt.Sprintf("%d.safetensors", i)
		}
		text, err := json.Marshal(map[string]any{"weight_map": of})
		if err == nil {
			err = os.WriteFile(path, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readIndex(path); (err == nil) != (parts == MaxParts) {
			t.Errorf("%d parts: %v", parts, err)
		}
	}
}

func TestParts(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, ErrNone) {
		t.Errorf("an empty folder: %v", err)
	}
	save(t, filepath.Join(dir, "a.safetensors"), map[string][]float32{"one": {1, 2}})
	save(t, filepath.Join(dir, "b.safetensors"), map[string][]float32{"two": {3}})
	index := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, safetensorsIndex), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	index(`{"metadata": {"total_size": 12}, "weight_map": {"one": "a.safetensors", "two": "b.safetensors"}}`)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	values, shape, ok := c.Tensor("two")
	if !ok || !slices.Equal(values, []float32{3}) || !slices.Equal(shape, []int{1}) || !slices.Equal(c.Names(), []string{"one", "two"}) {
		t.Errorf("%v %v %v", values, shape, ok)
	}
	if c.Forget(); !slices.Equal(values, []float32{3}) {
		t.Errorf("forgotten, it reads %v", values)
	}
	if _, _, ok := c.Tensor("three"); ok {
		t.Error("there is a third")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	// Errors outlive the mapped file that they quote.
	header := `{"a": {"dtype": "F32", "shape": [1099511627776, 1099511627776], "data_offsets": [0, 4]}}`
	if err := os.WriteFile(filepath.Join(dir, "large.safetensors"), append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+"1234"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(filepath.Join(dir, "large.safetensors")); err == nil || !strings.Contains(err.Error(), `"a": its shape is too large`) {
		t.Errorf("a large shape: %v", err)
	}
	for text, want := range map[string]string{
		`{}`:                                       "weight_map",
		`{"weight_map": {"one": "../x"}}`:          "not a file of this folder",
		`{"weight_map": {"one": "/etc/passwd"}}`:   "not a file of this folder",
		`{"weight_map": {"one": "c.safetensors"}}`: "c.safetensors",
		`{"weight_map": {"two": "a.safetensors"}}`: `lacks tensor "two"`,
		`[`: "unexpected end",
	} {
		index(text)
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	save(t, filepath.Join(dir, "b.safetensors"), map[string][]float32{"one": {3}})
	index(`{"weight_map": {"one": "a.safetensors", "two": "b.safetensors"}}`)
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), `tensor "one" is in`) {
		t.Errorf("a tensor twice: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, safetensorsFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "too few for a header") {
		t.Errorf("an empty file: %v", err)
	}
}
