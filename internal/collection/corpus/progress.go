package corpus

import (
	"io"
	"sort"
	"sync"
)

// Marks tell which part of an input the first documents of it take. What has been read says little about that: readers
// are ahead of the documents by their buffers, and documents wait in queues. The methods may be called by several
// goroutines. The zero value is for an input of unknown size.
type Marks struct {
	mu    sync.Mutex
	size  int64
	marks []mark // ascending
}

// mark says that an input has been used up to a place when it has given a number of documents.
type mark struct{ documents, place int64 }

// mostMarks bounds the marks: a percentage needs no more.
const mostMarks = 1000

// Begin begins a reading of an input with a size.
func (m *Marks) Begin(size int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.size, m.marks = size, nil
}

// Mark says where the input's first documents end.
func (m *Marks) Mark(documents, place int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := int64(0)
	if n := len(m.marks); n > 0 {
		last = m.marks[n-1].place
	}
	if place > last && place-last >= m.size/mostMarks && m.size > 0 {
		m.marks = append(m.marks, mark{documents, place})
	}
}

// Of returns the place where the first documents end, as far as it is known, and the size of the input.
func (m *Marks) Of(documents int64) (place, size int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := sort.Search(len(m.marks), func(i int) bool { return m.marks[i].documents > documents }); n > 0 {
		place = m.marks[n-1].place
	}
	return min(place, m.size), m.size
}

// Place is the place in a file of the text that a reader has used. The file may be compressed or in another encoding.
type Place struct{ file, text int64 } // bytes that were read

// File counts what is read of the file, and Text what is read of its text.
func (p *Place) File(r io.Reader) io.Reader { return &countingReader{r, &p.file} }
func (p *Place) Text(r io.Reader) io.Reader { return &countingReader{r, &p.text} }

// At returns the place in the file, if some bytes of the text were read but not used yet. All of the text that was read is
// taken to be equally dense.
func (p *Place) At(unused int) int64 {
	if p.text == 0 {
		return 0
	}
	return int64(float64(p.file) * float64(p.text-int64(unused)) / float64(p.text))
}

type countingReader struct {
	r io.Reader
	n *int64
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	*r.n += int64(n)
	return n, err
}
