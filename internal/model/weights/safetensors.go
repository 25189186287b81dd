package weights

import (
	"errors"
	"fmt"
	"os"

	"github.com/edsrzf/mmap-go"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// mapped is a memory-mapped file.
type mapped struct {
	file *os.File
	data mmap.MMap // nil for an empty file
}

// mapFile maps a file for reading. Programs that download weights never write to them
// in place, so the mapping stays valid.
func mapFile(path string) (*mapped, error) {
	f, size, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	m := &mapped{file: f}
	if size > 0 {
		m.data, err = mmap.Map(f, mmap.RDONLY, 0)
	}
	if err == nil {
		err = file.CheckPointer(path, m.data)
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

func (m *mapped) Close() error {
	var err error
	if m.data != nil {
		err = m.data.Unmap()
	}
	if closed := m.file.Close(); err == nil {
		err = closed
	}
	return err
}

func openSafetensors(path string) (map[string]tensor, *mapped, error) {
	m, err := mapFile(path)
	if err != nil {
		return nil, nil, err
	}
	file, err := shard.ParseSafetensors(m.data)
	if err != nil {
		err = fmt.Errorf("%s: %s", path, err) // the error's text may lie in the mapped file
		m.Close()
		return nil, nil, err
	}
	tensors := map[string]tensor{}
	for _, name := range file.Names() {
		t, _ := file.Tensor(name)
		tensors[name] = tensor{path, string(t.DType), t.Shape, t.Data}
	}
	return tensors, m, nil
}
