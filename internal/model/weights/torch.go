package weights

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxPickle is the greatest length of the pickle in a zip archive, in bytes. It contains only names
// and shapes; the numbers are elsewhere.
const maxPickle = 256 << 20

// torchMagic identifies files that PyTorch wrote before version 1.6. It is the lowest
// 64 bits of the number in their first pickle.
const torchMagic = int64(-6311195672802689940) // the number is 0x1950a86a20f9469cfc6c

// openTorch opens a file of torch.save: a zip archive since PyTorch 1.6, a sequence of
// pickles before.
func openTorch(path string) (map[string]tensor, *mapped, error) {
	m, err := mapFile(path)
	if err != nil {
		return nil, nil, err
	}
	tensors, err := readTorch(path, m.data)
	if err != nil {
		m.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return tensors, m, nil
}

func readTorch(path string, b []byte) (map[string]tensor, error) {
	if bytes.HasPrefix(b, []byte("PK")) {
		return readTorchZip(path, b)
	}
	return readTorchLegacy(path, b)
}

// readTorchZip reads an archive with NAME/data.pkl and the storages NAME/data/KEY.
func readTorchZip(path string, b []byte) (map[string]tensor, error) {
	archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("%w: the file is cut off, or not by PyTorch", err)
	}
	stored := map[string][]byte{}
	prefix := ""
	for _, f := range archive.File {
		if f.Method != zip.Store {
			return nil, fmt.Errorf("%s in the archive is compressed, which PyTorch does not do: write the file again", f.Name)
		}
		at, err := f.DataOffset()
		if err != nil {
			return nil, err
		}
		if n := f.UncompressedSize64; at < 0 || at > int64(len(b)) || n > uint64(int64(len(b))-at) {
			return nil, fmt.Errorf("%s goes beyond the archive: the file is cut off", f.Name)
		}
		stored[f.Name] = b[at : at+int64(f.UncompressedSize64)]
		if name, ok := strings.CutSuffix(f.Name, "data.pkl"); ok && (name == "" || strings.HasSuffix(name, "/")) {
			prefix = name
		}
	}
	program, ok := stored[prefix+"data.pkl"]
	if !ok {
		return nil, errors.New("the archive has no data.pkl: it was not written by torch.save")
	}
	if order, ok := stored[prefix+"byteorder"]; ok && string(order) != "little" {
		return nil, fmt.Errorf("numbers in byte order %q, only little is read", order)
	}
	if len(program) > maxPickle {
		return nil, fmt.Errorf("the pickle has %d bytes, at most %d are read", len(program), maxPickle)
	}
	value, _, err := unpickle(program)
	if err != nil {
		return nil, err
	}
	return views(path, value, len(b), func(s *storage) ([]byte, error) {
		data, ok := stored[prefix+"data/"+s.key]
		if !ok {
			return nil, fmt.Errorf("the archive lacks the storage %q", s.key)
		}
		return data, nil
	})
}

// readTorchLegacy reads five pickles (magic number, version, system, the value, the
// storages' keys) and the storages, each with its number of elements before it.
func readTorchLegacy(path string, b []byte) (map[string]tensor, error) {
	length := len(b)
	magic, b, err := unpickle(b)
	if err == nil && magic != any(torchMagic) {
		err = errors.New("the file does not begin as PyTorch's do")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: no file of torch.save", err)
	}
	var values [4]any
	for i := range values {
		if values[i], b, err = unpickle(b); err != nil {
			return nil, err
		}
	}
	if values[0] != any(int64(1001)) {
		return nil, fmt.Errorf("the version of PyTorch's file format is %s, only 1001 is read", brief(values[0]))
	}
	keys, ok := values[3].(*list)
	if !ok {
		return nil, errors.New("the file has no list of storages")
	}
	kinds := map[string]string{}
	if err := eachView(values[2], func(_ string, v *view) error {
		kinds[v.storage.key] = v.storage.kind
		return nil
	}); err != nil {
		return nil, err
	}
	stored := map[string][]byte{}
	for _, item := range keys.items {
		key, ok := item.(string)
		kind := kinds[key]
		if !ok || kind == "" {
			return nil, fmt.Errorf("the list of storages has %s, which no tensor uses: the file is damaged, or holds more than tensors", brief(item))
		}
		if len(b) < 8 {
			return nil, errCut
		}
		n := binary.LittleEndian.Uint64(b)
		b = b[8:]
		if n > uint64(len(b)/sizes[kind]) {
			return nil, fmt.Errorf("storage %s has %d numbers, but only %d bytes follow: the file is cut off", key, n, len(b))
		}
		stored[key] = b[:int(n)*sizes[kind]]
		b = b[len(stored[key]):]
	}
	return views(path, values[2], length, func(s *storage) ([]byte, error) {
		data, ok := stored[s.key]
		if !ok {
			return nil, fmt.Errorf("the file lacks the storage %q", s.key)
		}
		return data, nil
	})
}

// brief is a value in an error. It prints no lists, because a short pickle can make one that
// repeats its parts without end.
func brief(value any) string {
	switch v := value.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return fmt.Sprintf("%.60q", v)
	}
	return "neither a number nor a text"
}

// eachView calls f for every tensor of a state dictionary, by its name. The
// dictionary may be the value of "state_dict" in another.
func eachView(value any, f func(name string, v *view) error) error {
	d, ok := value.(*dict)
	if !ok {
		return errors.New("the file holds no dictionary of tensors")
	}
	if i := slices.Index(d.keys, any("state_dict")); i >= 0 {
		if inner, ok := d.values[i].(*dict); ok {
			d = inner
		}
	}
	found := false
	for i, key := range d.keys {
		name, ok := key.(string)
		if !ok {
			continue
		}
		if v, ok := d.values[i].(*view); ok {
			found = true
			if err := f(name, v); err != nil {
				return fmt.Errorf("tensor %q: %w", name, err)
			}
		}
	}
	if !found {
		return errors.New("the file's dictionary holds no tensors")
	}
	return nil
}

// views resolves the tensors of a state dictionary in a file of a given size.
func views(path string, value any, length int, storageOf func(*storage) ([]byte, error)) (map[string]tensor, error) {
	tensors := map[string]tensor{}
	room := int64(length) // limit of the bytes of copies, because any number of tensors may share a storage
	err := eachView(value, func(name string, v *view) error {
		data, err := storageOf(v.storage)
		if err != nil {
			return err
		}
		size := int64(sizes[v.storage.kind])
		if v.storage.n > int64(len(data))/size {
			return fmt.Errorf("its storage has %d bytes, not %d numbers of %s: the file is cut off", len(data), v.storage.n, v.storage.kind)
		}
		t := tensor{file: path, kind: v.storage.kind}
		if t.data, err = v.gather(data[:v.storage.n*size], size, &room); err != nil {
			return err
		}
		for _, n := range v.shape {
			t.shape = append(t.shape, int(n))
		}
		tensors[name] = t
		return nil
	})
	return tensors, err
}

// gather returns the elements of a view in row-major order: a part of the
// storage if possible, otherwise a copy, which counts against the room.
func (v *view) gather(data []byte, size int64, room *int64) ([]byte, error) {
	available := int64(len(data)) / size
	if slices.Contains(v.shape, 0) {
		return nil, nil
	}
	count, contiguous := int64(1), true
	last := v.offset // index of the last element
	for i := len(v.shape) - 1; i >= 0; i-- {
		n := v.shape[i]
		if count > available/n {
			return nil, fmt.Errorf("its shape %d has more elements than its storage, which has %d", v.shape, available)
		}
		if n > 1 {
			contiguous = contiguous && v.stride[i] == count
			if v.stride[i] > (available-last)/(n-1) {
				return nil, fmt.Errorf("it goes beyond its storage of %d elements", available)
			}
			last += (n - 1) * v.stride[i]
		}
		count *= n
	}
	if last >= available {
		return nil, fmt.Errorf("it goes beyond its storage of %d elements", available)
	}
	if contiguous {
		return data[v.offset*size : (v.offset+count)*size], nil
	}
	if *room -= count * size; *room < 0 {
		return nil, errors.New("it and the tensors before it lie scattered in their storages, and together are larger than the file: save the model with tensors that are contiguous")
	}
	out := make([]byte, 0, count*size)
	index := make([]int64, len(v.shape))
	for range count {
		at := v.offset
		for i, n := range index {
			at += n * v.stride[i]
		}
		out = append(out, data[at*size:(at+1)*size]...)
		for i := len(index) - 1; i >= 0; i-- {
			if index[i]++; index[i] < v.shape[i] {
				break
			}
			index[i] = 0
		}
	}
	return out, nil
}
