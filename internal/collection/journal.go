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
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// journal keeps the encoded vectors until the collection is complete, so that the run
// after an interrupted one need not encode them again. The format of the file is
//
//	"VNTGENC2", SHA-256 of the model's description [32], CRC-32C of both [4],
//	and for each text: key [16], flags [4], n [4], numbers [4·n], CRC-32C of these four [4]
//
// in little-endian order. The numbers are the text's vector, or the vectors of its tokens. A
// truncated or damaged record, and everything after it, is ignored. Vectors are stored
// exactly, so the collection does not depend on when a run was interrupted.
type journal struct {
	path  string
	file  *os.File
	held  io.Closer // the lock
	dim   int       // of a vector; a text has one, or with tokens any number
	many  bool
	known map[key]int64 // place of the record of each text of earlier runs
	end   int64         // of the last record
	Notes []string
}

const (
	journalMagic     = "VNTGENC2"
	journalHeader    = len(journalMagic) + sha256.Size + 4
	journalTruncated = 1 // flag: the text was longer than the model's limit
	journalHead      = len(key{}) + 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openJournal opens the journal. It keeps the vectors of an earlier run with the same
// model, and replaces the journal of another model. With many, texts have any number of
// vectors.
func openJournal(path string, m manifest.Model, many bool) (_ *journal, err error) {
	description, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(description)
	header := append([]byte(journalMagic), sum[:]...)
	header = binary.LittleEndian.AppendUint32(header, crc32.Checksum(header, castagnoli))
	j := &journal{path: path, dim: m.Dim, many: many, known: map[key]int64{}, end: int64(journalHeader)}
	j.file, err = file.Own(path, 0o666)
	if errors.Is(err, file.ErrNotRegular) {
		return nil, &TargetError{Dir: path, Problem: "exists but is not a file of Vantage's: encoded texts are to be kept there during the run", Remedy: "move it away", Err: err}
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
	case !bytes.HasPrefix(found, []byte(journalMagic)[:min(n, len(journalMagic)-1)]): // without the version
		return nil, &TargetError{Dir: path, Problem: "exists but is not a file of Vantage's: encoded texts are to be kept there during the run", Remedy: "move it away"}
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

// load reads the keys of the complete records and cuts off the rest.
func (j *journal) load() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(j.file, 1<<20)
	var record []byte
	for len(j.known) < manifest.MaxRows {
		head, err := r.Peek(journalHead)
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		size := j.size(head)
		if size == 0 || j.end+size > info.Size() {
			break
		}
		record = slices.Grow(record[:0], int(size))[:size]
		if _, err := io.ReadFull(r, record); err != nil {
			return err
		}
		if _, ok := checked(record); !ok {
			break
		}
		j.known[key(record)] = j.end
		j.end += size
	}
	return j.file.Truncate(j.end)
}

// size is the length of the record with a head, or 0 if there is no such record.
func (j *journal) size(head []byte) int64 {
	n := int64(binary.LittleEndian.Uint32(head[journalHead-4:]))
	if n%int64(j.dim) != 0 || !j.many && n != int64(j.dim) {
		return 0
	}
	return int64(journalHead) + 4*n + 4
}

// checked returns a record without its checksum, if this is right.
func checked(record []byte) (body []byte, ok bool) {
	body = record[:len(record)-4]
	return body, crc32.Checksum(body, castagnoli) == binary.LittleEndian.Uint32(record[len(body):])
}

// add appends the vectors of texts and returns the places of their records.
func (j *journal) add(texts []string, embeddings []encoder.Embedding) (places []int64, err error) {
	var out []byte
	for i, e := range embeddings {
		start := len(out)
		places = append(places, j.end+int64(start))
		k := keyOf(texts[i])
		out = append(out, k[:]...)
		flags := uint32(0)
		if e.Truncated {
			flags |= journalTruncated
		}
		out = binary.LittleEndian.AppendUint32(out, flags)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(e.Vector)))
		for _, v := range e.Vector {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
		out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out[start:], castagnoli))
	}
	if _, err := j.file.WriteAt(out, j.end); err != nil {
		return nil, j.explain(err)
	}
	j.end += int64(len(out))
	return places, nil
}

// take returns the vector of a text from an earlier run, and the place of its record.
func (j *journal) take(text string) (vector []float32, truncated bool, place int64, ok bool, err error) {
	place, ok = j.known[keyOf(text)]
	if !ok {
		return nil, false, 0, false, nil
	}
	vector, truncated, err = j.read(place)
	return vector, truncated, place, true, err
}

// read returns the vector or vectors of the record at a place. Several goroutines may call
// it.
func (j *journal) read(place int64) (vector []float32, truncated bool, err error) {
	head := make([]byte, journalHead)
	if _, err := j.file.ReadAt(head, place); err != nil {
		return nil, false, j.explain(err)
	}
	size := j.size(head)
	if size == 0 || place+size > j.end {
		return nil, false, j.explain(errors.New("it has changed meanwhile"))
	}
	record := make([]byte, size)
	if _, err := j.file.ReadAt(record, place); err != nil {
		return nil, false, j.explain(err)
	}
	body, ok := checked(record)
	if !ok {
		return nil, false, j.explain(errors.New("it has changed meanwhile"))
	}
	numbers := body[journalHead:]
	vector = make([]float32, len(numbers)/4)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*i:]))
	}
	if found := encoder.NonFinite(vector); found != "" {
		return nil, false, fault.Errorf(fault.Input, "the journal %s holds a vector with %s: remove it", j.path, found)
	}
	return vector, binary.LittleEndian.Uint32(body[len(key{}):])&journalTruncated != 0, nil
}

// finish closes the journal, and removes the file if the collection is complete or the
// journal is empty.
func (j *journal) finish(stands bool) error {
	empty := j.end == int64(journalHeader)
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
