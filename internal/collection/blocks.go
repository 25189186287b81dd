package collection

import (
	"strings"

	"github.com/vantage-search/vantage/internal/collection/store"
)

// growth is the number of documents from which small files may be twice as long. At each doubling of the number, they may
// be twice as long again. So small collections have small files, and large ones do not have too many files.
const growth = 8192

// grown returns the limit of a small file. documents is the number of documents before the batch that the file is made
// from, or the number of documents of the whole collection for a file that is about all of them.
func grown(limit, documents int) int {
	for ; documents >= growth; documents /= 2 {
		limit *= 2
	}
	return limit
}

// termBytes returns the limit of the files of terms of a collection.
func (o *Options) termBytes(documents int) int {
	if o.BlockBytes == 0 || o.TermBytes >= DefaultTermBytes {
		return o.TermBytes
	}
	return min(DefaultTermBytes, grown(o.TermBytes, documents))
}

// pageOf returns the page that a document is on: its address without a fragment, or "".
func pageOf(doc *store.Document) string {
	address, _ := doc.Metadata["url"].(string)
	page, _, _ := strings.Cut(address, "#")
	return page
}

// samePage reports whether a document is on the same page as the one before it.
func samePage(before, doc *store.Document) bool {
	page := pageOf(doc)
	return page != "" && page == pageOf(before)
}

// blocks divides the lines of a batch into blocks that take at most Options.BlockBytes when they are stored, unless a
// single document takes more. ends are the ends of the documents' lines. The result has the number of documents of each
// block. If a page fits into a block, all its documents are in the same one.
func (o *Options) blocks(b *batch, lines []byte, ends []int) (counts []int) {
	if o.BlockBytes == 0 {
		return []int{len(b.docs)}
	}
	limit := grown(o.BlockBytes, b.first)
	text := func(first, end int) []byte { // of documents
		begin := 0
		if first > 0 {
			begin = ends[first-1]
		}
		return lines[begin:ends[end-1]]
	}
	stored := func(first, end int) int { return len(compress(text(first, end), docsDir)) }
	fits := func(first, end int) bool {
		// Deflate adds some bytes at most.
		return end-first <= o.BlockDocuments && (len(text(first, end))+64 <= limit || stored(first, end) <= limit)
	}
	// Units are not divided among blocks. A unit is a page, if it fits into a block, or otherwise a document.
	units := []int{0}
	for first := 0; first < len(b.docs); {
		end := first + 1
		for end < len(b.docs) && samePage(&b.docs[end-1], &b.docs[end]) {
			end++
		}
		if end == first+1 || fits(first, end) {
			units = append(units, end)
		} else {
			for ; first < end; first++ {
				units = append(units, first+1)
			}
		}
		first = end
	}
	ratio := 2.0 // how many times smaller texts become, from the texts before
	for first := 0; first+1 < len(units); {
		end := first + 1
		for done := false; !done; { // each time with a lower ratio
			room := int(0.97 * ratio * float64(limit))
			for end = first + 1; end+1 < len(units); end++ {
				if units[end+1]-units[first] > o.BlockDocuments || len(text(units[first], units[end+1])) > room {
					break
				}
			}
			size := stored(units[first], units[end])
			ratio = float64(len(text(units[first], units[end]))) / float64(size)
			done = size <= limit || end == first+1
		}
		counts = append(counts, units[end]-units[first])
		first = end
	}
	return counts
}
