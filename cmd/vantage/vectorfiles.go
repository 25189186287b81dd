package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/model/npy"
)

// vectorWriter writes vectors as they come.
type vectorWriter interface {
	// begin sets the path of the output and the model.
	begin(w io.Writer, output string, m encoder.Info) error
	add(ids []string, embeddings []encoder.Embedding) error
	// finish writes what is left when all is added.
	finish(texts int64) error
	// end frees the writer's resources, whether it has finished or not.
	end() error
}

// lineVectors writes JSON lines.
type lineVectors struct{ e *json.Encoder }

// vectorLine is one of them.
type vectorLine struct {
	ID        string    `json:"_id,omitempty"`
	Vector    []float32 `json:"vector"`
	Tokens    int       `json:"tokens"`
	Truncated bool      `json:"truncated"`
}

func (l *lineVectors) begin(w io.Writer, _ string, _ encoder.Info) error {
	l.e = json.NewEncoder(w)
	l.e.SetEscapeHTML(false)
	return nil
}

func (l *lineVectors) add(ids []string, embeddings []encoder.Embedding) error {
	for i, v := range embeddings {
		if err := l.e.Encode(vectorLine{ids[i], v.Vector, v.Tokens, v.Truncated}); err != nil {
			return err
		}
	}
	return nil
}

func (l *lineVectors) finish(int64) error { return nil }
func (l *lineVectors) end() error         { return nil }

// spool is a file without a name for data whose header is not known before its
// end.
type spool struct {
	file *os.File
	size int64
}

// newSpool makes a spool on the disk of the output.
func newSpool(output string) (*spool, error) {
	dir := ""
	if output != "-" {
		dir = filepath.Dir(output)
	}
	const prefix = ".vantage-embed-"
	if dir != "" {
		folders.Sweep(dir, prefix) // of a run that was killed before it removed the name
	}
	file, err := os.CreateTemp(dir, prefix)
	if err != nil {
		return nil, unwritable(output, err)
	}
	os.Remove(file.Name()) // if a system refuses, close removes it
	return &spool{file: file}, nil
}

func (s *spool) write(b []byte) error {
	n, err := s.file.Write(b)
	s.size += int64(n)
	return err
}

// copyTo writes out what was written.
func (s *spool) copyTo(w io.Writer) error {
	_, err := io.Copy(w, io.NewSectionReader(s.file, 0, s.size))
	return err
}

func (s *spool) close() error {
	err := s.file.Close()
	os.Remove(s.file.Name())
	return err
}

// rowVectors spools rows of float32 in little-endian order.
type rowVectors struct {
	w    io.Writer
	m    encoder.Info
	rows *spool
	b    []byte
}

func (r *rowVectors) begin(w io.Writer, output string, m encoder.Info) (err error) {
	r.w, r.m = w, m
	r.rows, err = newSpool(output)
	return err
}

func (r *rowVectors) add(_ []string, embeddings []encoder.Embedding) error {
	r.b = r.b[:0]
	for _, v := range embeddings {
		for _, x := range v.Vector {
			r.b = binary.LittleEndian.AppendUint32(r.b, math.Float32bits(x))
		}
	}
	return r.rows.write(r.b)
}

func (r *rowVectors) end() error { return r.rows.close() }

// npyVectors writes a .npy file.
type npyVectors struct{ rowVectors }

func (n *npyVectors) finish(texts int64) error {
	if _, err := n.w.Write(npy.Header(texts, int64(n.m.Dim))); err != nil {
		return err
	}
	return n.rows.copyTo(n.w)
}

// tensorVectors writes a .safetensors file.
type tensorVectors struct {
	rowVectors
	ids   *spool
	named bool // some text has an id
}

func (t *tensorVectors) begin(w io.Writer, output string, m encoder.Info) (err error) {
	if err = t.rowVectors.begin(w, output, m); err == nil {
		if t.ids, err = newSpool(output); err != nil {
			err = errors.Join(err, t.rows.close())
		}
	}
	return err
}

func (t *tensorVectors) add(ids []string, embeddings []encoder.Embedding) error {
	for _, id := range ids {
		if strings.ContainsAny(id, "\n\r") {
			return inputf("the id %.80q has a line break in it, and ids are lines of a safetensors file: write .jsonl", id)
		}
		t.named = t.named || id != ""
	}
	if err := t.ids.write([]byte(strings.Join(ids, "\n") + "\n")); err != nil {
		return err
	}
	return t.rowVectors.add(ids, embeddings)
}

func (t *tensorVectors) finish(texts int64) error {
	type tensor struct {
		DType   string  `json:"dtype"`
		Shape   []int64 `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	header := map[string]any{
		"__metadata__": map[string]string{"model": t.m.ID, "revision": t.m.Revision},
		"vectors":      tensor{"F32", []int64{texts, int64(t.m.Dim)}, []int64{0, t.rows.size}},
	}
	if t.named {
		header["id_text"] = tensor{"U8", []int64{t.ids.size}, []int64{t.rows.size, t.rows.size + t.ids.size}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	text = fmt.Appendf(text, "%*s", (8-len(text)%8)%8, "")
	if _, err := t.w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)); err != nil {
		return err
	}
	if err := t.rows.copyTo(t.w); err != nil || !t.named {
		return err
	}
	return t.ids.copyTo(t.w)
}

func (t *tensorVectors) end() error { return errors.Join(t.rowVectors.end(), t.ids.close()) }
