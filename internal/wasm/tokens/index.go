package tokens

import (
	"sort"
	"strconv"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Index holds the files of a collection that have been loaded so far. Files may be loaded in
// any order, and a search covers those that are there. Methods may be called from several
// goroutines.
type Index struct {
	mu        sync.RWMutex
	book      *Codebook
	documents int
	segments  segments
}

// segment is a file with its inverted lists: for each centroid, the documents of the file
// that have a vector whose nearest centroid it is.
type segment struct {
	*File
	first  int      // number of its first document
	begins []uint32 // [centroids+1] where the list of each centroid begins in lists
	lists  []uint32 // documents of the segment, ascending, each once per centroid
}

// New returns an empty index for a collection with documents 0 to documents-1.
func New(book *Codebook, documents int) (*Index, error) {
	if documents < 0 || uint64(documents) > 1<<31 {
		return nil, fault.New(fault.Limit, "tokens: "+strconv.Itoa(documents)+" documents, must be 0 to 2147483648")
	}
	return &Index{book: book, documents: documents}, nil
}

// Codebook is the codebook that the index was made for.
func (ix *Index) Codebook() *Codebook { return ix.book }

// Len is the number of documents whose vectors are loaded.
func (ix *Index) Len() (n int) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for _, s := range ix.segments {
		n += s.Documents()
	}
	return n
}

// Load adds a file that EncodeFile wrote; its first document has the number first. The index
// keeps the bytes, which must not change. A file that is not valid, that overlaps with a loaded
// one, or that goes beyond the collection is an error (fault.Input).
func (ix *Index) Load(first int, file []byte) error {
	f, err := ix.book.DecodeFile(file)
	if err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	end := first + f.Documents()
	if first < 0 || end < first || end > ix.documents {
		return formatError("tokens", "documents "+strconv.Itoa(first)+" to "+strconv.Itoa(end-1)+" of a collection of "+strconv.Itoa(ix.documents))
	}
	for _, s := range ix.segments {
		if first < s.first+s.Documents() && s.first < end {
			return formatError("tokens", "document "+strconv.Itoa(max(first, s.first))+" is loaded already")
		}
	}
	ix.segments = append(ix.segments, newSegment(f, first, ix.book.Len()))
	sort.Sort(ix.segments)
	return nil
}

// newSegment sorts the documents of a file by the centroids of their vectors.
func newSegment(f *File, first, centroids int) *segment {
	s := &segment{File: f, first: first, begins: make([]uint32, centroids+1)}
	last := make([]uint32, centroids) // one more than the last document seen with a centroid
	each := func(visit func(centroid int, document uint32)) {
		clear(last)
		for d := range f.Documents() {
			for i := f.starts[d]; i < f.starts[d+1]; i++ {
				if c := f.centroid(int(i)); last[c] != uint32(d)+1 {
					last[c] = uint32(d) + 1
					visit(c, uint32(d))
				}
			}
		}
	}
	each(func(c int, _ uint32) { s.begins[c+1]++ })
	for c := range centroids {
		s.begins[c+1] += s.begins[c]
	}
	s.lists = make([]uint32, s.begins[centroids])
	next := append([]uint32(nil), s.begins...)
	each(func(c int, d uint32) {
		s.lists[next[c]] = d
		next[c]++
	})
	return s
}

// list has the documents of the segment with a vector whose nearest centroid is the given one.
func (s *segment) list(centroid int) []uint32 {
	return s.lists[s.begins[centroid]:s.begins[centroid+1]]
}

// segments are sorted by their first documents. They implement sort.Interface, because each
// instance of a generic sort adds 10 KB to core.wasm.
type segments []*segment

func (s segments) Len() int           { return len(s) }
func (s segments) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s segments) Less(i, j int) bool { return s[i].first < s[j].first }

// locate returns the segment of a document and the document's number in it, or nil if its file
// is not loaded.
func (s segments) locate(document int) (*segment, int) {
	i := sort.Search(len(s), func(i int) bool { return s[i].first > document }) - 1
	if i < 0 || document-s[i].first >= s[i].Documents() {
		return nil, 0
	}
	return s[i], document - s[i].first
}
