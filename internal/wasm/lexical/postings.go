package lexical

import (
	"encoding/binary"
)

// postings are the documents that contain a term, ascending, with its number of
// occurrences in each. In memory and in files they are bytes, for each document
//
//	uvarint  2·gap + 1 if the term occurs once, 2·gap if it occurs more often
//	uvarint  occurrences − 2, in the latter case
//
// with gap the number of documents skipped since the previous one, or since the
// beginning. Most postings take one or two bytes.
type postings struct {
	data      []byte
	documents uint32
	next      uint32 // the last document plus 1
	pending   uint32 // occurrences in the document that is being added
}

// add appends a document, which is not below p.next.
func (p *postings) add(document, frequency uint32) {
	head := uint64(document-p.next) << 1
	if frequency == 1 {
		head |= 1
	}
	p.data = binary.AppendUvarint(p.data, head)
	if frequency > 1 {
		p.data = binary.AppendUvarint(p.data, uint64(frequency-2))
	}
	p.documents++
	p.next = document + 1
}

// nextPosting decodes the first posting of checked data.
func nextPosting(data []byte) (gap, frequency uint32, rest []byte) {
	head, n := uint64(data[0]), 1
	if head >= 0x80 {
		head, n = binary.Uvarint(data)
	}
	data = data[n:]
	if head&1 == 1 {
		return uint32(head >> 1), 1, data
	}
	more, n := binary.Uvarint(data)
	return uint32(head >> 1), uint32(more) + 2, data[n:]
}

// first is the first document.
func (p *postings) first() uint32 {
	gap, _, _ := nextPosting(p.data)
	return gap
}

// join appends the postings of later documents.
func (p *postings) join(later *postings) {
	gap, frequency, rest := nextPosting(later.data)
	p.add(gap, frequency)
	p.data = append(p.data, rest...)
	p.documents += later.documents - 1
	p.next = later.next
}
