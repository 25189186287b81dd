package collection

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/file"
)

// journal keeps the encoded vectors until the collection is complete, so that the run
// after an interrupted one need not encode them again. The format of the file is
//
//	"VNTGENC1", SHA-256 of the model's description [32], CRC-32C of both [4],
//	and for each text: key [16], flags [4], vector [4·dim], CRC-32C of these [4]
//
// in little-endian order. A truncated or damaged record, and everything after it, is
// ignored. Vectors are stored exactly, so the collection does not depend on when a run
// was interrupted.
type journal struct {
	path   string
	file   *os.File
	held   io.Closer // the lock
	dim    int
	known  map[key]uint32 // number of the record of each text of earlier runs
	count  int64          // number of records in the file
	record []byte
	Notes  []string
}

const (
	journalMagic     = "VNTGENC1"
	journalHeader    = len(journalMagic) + sha256.Size + 4
	journalTruncated = 1 // flag: the text was longer than the model's limit
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openJournal opens the journal. It keeps the vectors of an earlier run with the same
// model, and replaces the journal of another model.
func openJournal(path string, m manifest.Model) (_ *journal, err error) {
	description, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(description)
	header := append([]byte(journalMagic), sum[:]...)
	header = binary.LittleEndian.AppendUint32(header, crc32.Checksum(header, castagnoli))
	j := &journal{path: path, dim: m.Dim, known: map[key]uint32{}}
	j.file, err = file.Own(path, 0o666)
	if errors.Is(err, file.ErrNotRegular) {
		return nil, &TargetError{Dir: path, Problem: "is something else's, where encoded texts are to be kept meanwhile", Remedy: "move it away", Err: err}
	}
	if err != nil {
		return nil, j.explain(err)
	}
	defer func() {
		if err != nil {
			j.close()
		}
	}()
	if j.held, err = Lock(path); err != nil {
		return nil, err
	}
	found := make([]byte, journalHeader)
	n, err := io.ReadFull(j.file, found)
	switch found = found[:n]; {
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return nil, j.explain(err)
	case bytes.Equal(found, header):
		if err := j.load(); err != nil {
			return nil, j.explain(err)
		}
	case !bytes.HasPrefix(found, []byte(journalMagic)[:min(n, len(journalMagic))]):
		return nil, &TargetError{Dir: path, Problem: "is something else's, where encoded texts are to be kept meanwhile", Remedy: "move it away"}
	default:
		if n == journalHeader {
			j.Notes = append(j.Notes, "an interrupted run used another model or version, or other settings: everything is encoded again")
		}
		if err := j.file.Truncate(0); err != nil {
			return nil, j.explain(err)
		}
		if _, err := j.file.WriteAt(header, 0); err != nil {
			return nil, j.explain(err)
		}
	}
	return j, nil
}

func (j *journal) size() int { return len(key{}) + 4 + 4*j.dim + 4 }

// place is the offset of a record.
func (j *journal) place(record int64) int64 { return int64(journalHeader) + record*int64(j.size()) }

// load reads the keys of the complete records and cuts off the rest.
func (j *journal) load() error {
	r := bufio.NewReaderSize(j.file, 1<<20)
	record := make([]byte, j.size())
	for j.count < manifest.MaxRows {
		if _, err := io.ReadFull(r, record); err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			return err
		}
		body := record[:len(record)-4]
		if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(record[len(body):]) {
			break
		}
		j.known[key(record)] = uint32(j.count)
		j.count++
	}
	return j.file.Truncate(j.place(j.count))
}

// add appends the vectors of texts.
func (j *journal) add(texts []string, embeddings []encoder.Embedding) error {
	var out []byte
	for i, e := range embeddings {
		start := len(out)
		k := keyOf(texts[i])
		out = append(out, k[:]...)
		flags := uint32(0)
		if e.Truncated {
			flags |= journalTruncated
		}
		out = binary.LittleEndian.AppendUint32(out, flags)
		for _, v := range e.Vector {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
		out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out[start:], castagnoli))
	}
	if _, err := j.file.WriteAt(out, j.place(j.count)); err != nil {
		return j.explain(err)
	}
	j.count += int64(len(texts))
	return nil
}

// take returns the vector of a text from an earlier run.
func (j *journal) take(text string) (vector []float32, truncated, ok bool, err error) {
	n, ok := j.known[keyOf(text)]
	if !ok {
		return nil, false, false, nil
	}
	if j.record == nil {
		j.record = make([]byte, j.size())
	}
	if _, err := j.file.ReadAt(j.record, j.place(int64(n))); err != nil {
		return nil, false, false, j.explain(err)
	}
	body := j.record[len(key{}):]
	vector = make([]float32, j.dim)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4+4*i:]))
	}
	return vector, binary.LittleEndian.Uint32(body)&journalTruncated != 0, true, checkFinite(vector)
}

// end closes the journal, and removes the file if the collection is complete or the
// journal is empty.
func (j *journal) end(stands bool) error {
	empty := j.count == 0
	err := j.close()
	if stands || empty {
		if removing := os.Remove(j.path); !errors.Is(removing, fs.ErrNotExist) {
			err = errors.Join(err, removing)
		}
	}
	return err
}

func (j *journal) close() error {
	err := j.file.Close()
	if j.held != nil {
		err = errors.Join(err, j.held.Close())
	}
	return err
}

func (j *journal) explain(err error) error {
	return &TargetError{Dir: j.path, Problem: fmt.Sprintf("encoded texts cannot be kept there: %v", err), Remedy: "free space or check permissions, and run again", Err: err}
}
