package lexical

import (
	"encoding/binary"
	"errors"
	"math"
	"sort"
	"strconv"
	"unicode/utf8"
)

// The files of an index are one lengths file and any number of term files, each with a
// range of the terms in byte order. A page fetches the lengths once, and then only the
// files that a query's words need.
//
//	lengths file:  "VLL1"
//	               uvarint  documents
//	               uvarint  words, of each document
//	term file:     "VLT1"
//	               uvarint  documents, as in the lengths file
//	               uvarint  terms
//	               then for each term, ascending by bytes:
//	               uvarint  how many bytes at its beginning are those of the term before
//	               uvarint  how many bytes follow, and those
//	               uvarint  documents that hold it
//	               uvarint  bytes of its postings, and those: see postings
//
// uvarint is LEB128 in the fewest bytes. Nothing follows the end. The number 1 in the
// magic is the version of the layout and of the definition of words. k1 and b are not
// in the files.
const (
	magicLengths = "VLL1"
	magicTerms   = "VLT1"
)

// leastTerm is the fewest bytes of a term in its file.
const leastTerm = 6

// AppendLengths appends the lengths file of the index.
func (x *Index) AppendLengths(dst []byte) []byte {
	dst = append(dst, magicLengths...)
	dst = binary.AppendUvarint(dst, uint64(len(x.lengths)))
	for _, length := range x.lengths {
		dst = binary.AppendUvarint(dst, uint64(length))
	}
	return dst
}

// TermFile is a term file and the range of its terms.
type TermFile struct {
	First, Last string
	Data        []byte
}

// TermFiles returns the terms of the index in files, ascending. A file has at most limit bytes after a short
// header, unless a single term has more. If the index was opened from files, only the terms that are
// loaded or came with documents added since are written.
func (x *Index) TermFiles(limit int) []TermFile {
	names := make([]string, 0, len(x.terms))
	for name := range x.terms {
		names = append(names, name)
	}
	sort.Strings(names)
	var files []TermFile
	var body []byte
	terms, first := 0, 0
	finish := func(end int) {
		if terms == 0 {
			return
		}
		data := append([]byte(nil), magicTerms...)
		data = binary.AppendUvarint(data, uint64(len(x.lengths)))
		data = binary.AppendUvarint(data, uint64(terms))
		files = append(files, TermFile{First: names[first], Last: names[end-1], Data: append(data, body...)})
		body, terms, first = nil, 0, end
	}
	for i, name := range names {
		p := &x.postings[x.terms[name]]
		before := ""
		if terms > 0 {
			before = names[i-1]
		}
		entry := appendTerm(nil, before, name, p)
		if len(body)+len(entry) > limit {
			finish(i)
			entry = appendTerm(entry[:0], "", name, p)
		}
		body = append(body, entry...)
		terms++
	}
	finish(len(names))
	return files
}

// appendTerm appends an entry of a term file.
func appendTerm(dst []byte, before, name string, p *postings) []byte {
	shared := sharedPrefix(before, name)
	dst = binary.AppendUvarint(dst, uint64(shared))
	dst = binary.AppendUvarint(dst, uint64(len(name)-shared))
	dst = append(dst, name[shared:]...)
	dst = binary.AppendUvarint(dst, uint64(p.documents))
	dst = binary.AppendUvarint(dst, uint64(len(p.data)))
	return append(dst, p.data...)
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Open returns an index with the documents of a lengths file. Their words can be found once the term files are
// loaded. It does not keep lengths. Documents can be added before and after loading.
func Open(p Parameters, lengths []byte) (*Index, error) {
	x, err := New(p)
	if err != nil {
		return nil, err
	}
	r := reader{data: lengths}
	r.magic(magicLengths)
	documents := r.uvarint()
	if documents > mostDocuments || documents > uint64(len(r.data)) {
		r.fail(errShort)
		documents = 0
	}
	x.lengths = make([]uint32, documents)
	for i := range x.lengths {
		length := r.uvarint()
		if length > math.MaxUint32 {
			r.fail(errors.New("document " + strconv.Itoa(i) + " has more than 2^32 words"))
		}
		x.lengths[i] = uint32(length)
		x.words += length
	}
	if err := r.end(); err != nil {
		return nil, errors.New("lengths file: " + err.Error() + ": index the collection again")
	}
	x.filed, x.live = uint32(documents), int(documents)
	return x, nil
}

// Load adds the terms of a file to an index that was opened from the same collection's
// lengths file, in any order. The index keeps data, which must not change. Load
// allocates at most about 60 times the file's size, and 10 to 20 times for files that we
// write. After an error the index is unchanged.
func (x *Index) Load(data []byte) error {
	names, lists, err := x.parseTerms(data)
	if err != nil {
		return errors.New("term file: " + err.Error() + ": index the collection again")
	}
	for _, name := range names {
		if term, known := x.terms[name]; known && x.postings[term].first() < x.filed {
			return errors.New("term file: term " + strconv.Quote(name) + " has been loaded before: load each file once")
		}
	}
	if n := len(x.postings) + len(lists); n > cap(x.postings) { // grow in one step, because append would leave as much garbage
		x.postings = append(make([]postings, 0, n+n/8), x.postings...)
	}
	for i, name := range names {
		term, known := x.terms[name]
		if !known {
			x.terms[name] = uint32(len(x.postings))
			x.postings = append(x.postings, lists[i])
			continue
		}
		lists[i].join(&x.postings[term])
		x.postings[term] = lists[i]
	}
	return nil
}

// parseTerms checks a term file and returns its terms.
func (x *Index) parseTerms(data []byte) (names []string, lists []postings, err error) {
	r := reader{data: data}
	r.magic(magicTerms)
	if documents := r.uvarint(); r.err == nil && documents != uint64(x.filed) {
		return nil, nil, errors.New("it is of a collection of " + strconv.FormatUint(documents, 10) + " documents, the lengths file of one of " + strconv.Itoa(int(x.filed)))
	}
	before := ""
	terms := r.uvarint()
	room := min(terms, uint64(len(r.data)/leastTerm))
	names, lists = make([]string, 0, room), make([]postings, 0, room)
	for ; terms > 0 && r.err == nil; terms-- {
		shared := r.uvarint()
		suffix := r.bytes(r.uvarint())
		documents := r.uvarint()
		list := r.bytes(r.uvarint())
		if r.err != nil {
			break
		}
		if shared > uint64(len(before)) || shared+uint64(len(suffix)) > mostWordBytes {
			return nil, nil, errors.New("the term after " + strconv.Quote(before) + " is too long, or the part that they share is")
		}
		name := before[:shared] + string(suffix)
		if name <= before || sharedPrefix(before, name) != int(shared) || !utf8.ValidString(name) {
			return nil, nil, errors.New("term " + strconv.Quote(name) + " is out of order, or is not written as it should be")
		}
		p, err := readPostings(list, documents, x.lengths[:x.filed])
		if err != nil {
			return nil, nil, errors.New("term " + strconv.Quote(name) + ": " + err.Error())
		}
		names, lists = append(names, name), append(lists, p)
		before = name
	}
	return names, lists, r.end()
}

// FileOf returns the index of the file that would hold a term, given the first term of
// each file in ascending order, or -1.
func FileOf(firsts []string, term string) int {
	return sort.Search(len(firsts), func(i int) bool { return firsts[i] > term }) - 1
}
