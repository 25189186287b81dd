package vectors

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
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/model/npy"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// writer writes a stream of vectors.
type writer interface {
	// begin sets the output's path and the model.
	begin(w io.Writer, output string, m encoder.Info) error
	add(ids []string, embeddings []encoder.Embedding) error
	// finish writes the rest after the last vector.
	finish(texts int64) error
	// end frees the writer's resources, even if it has not finished.
	end() error
}

// lineVectors writes JSON lines.
type lineVectors struct{ e *json.Encoder }

// vectorLine is a line with a vector.
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

// spool is a file without a name for data whose header is only known at the end.
type spool struct {
	file *os.File
	size int64
}

// newSpool makes a spool on the disk of the output, which is a file: only JSON lines are written
// to stdout.
func newSpool(output string) (*spool, error) {
	const prefix = ".vantage-embed-"
	dir := filepath.Dir(output)
	folders.Sweep(dir, prefix) // remove a file of a run that was killed before it removed the name
	f, err := os.CreateTemp(dir, prefix)
	if err != nil {
		return nil, file.Unwritable(output, err)
	}
	os.Remove(f.Name()) // if the system refuses, close removes the name
	return &spool{file: f}, nil
}

func (s *spool) write(b []byte) error {
	n, err := s.file.Write(b)
	s.size += int64(n)
	return err
}

// copyTo copies the spool's data to w.
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
	named bool // whether some text has an id
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
			return fault.Errorf(fault.Input, "the id %.80q has a line break in it, and ids are lines of a safetensors file: write .jsonl", id)
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

// CheckOutput refuses an output whose extension is not a known format. "-" means
// stdout, as JSON lines.
func CheckOutput(output string) error {
	_, err := newWriter(output)
	return err
}

// newWriter makes the writer of the output's format.
func newWriter(output string) (writer, error) {
	switch ext := strings.ToLower(filepath.Ext(output)); {
	case output == "-", ext == ".jsonl", ext == ".ndjson", ext == ".json":
		return &lineVectors{}, nil
	case ext == ".npy":
		return &npyVectors{}, nil
	case ext == ".safetensors":
		return &tensorVectors{}, nil
	}
	return nil, fault.Errorf(fault.Query, "--output %s: its name has to end in .npy, .safetensors or .jsonl", output)
}
