package index

import "slices"

// Mask says which rows an answer may have. It has a byte for each row, which is 0 if the
// answer may not have the row. Rows beyond its end are excluded. A nil Mask allows every
// row.
type Mask []byte

// Mask returns the rows whose values meet every filter, even if their vectors are not
// here; nil if there are no filters.
func (ix *Index) Mask(filters []Filter) (Mask, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if len(filters) == 0 {
		return nil, nil
	}
	m := make(Mask, ix.extent())
	for i := range m {
		m[i] = 1
	}
	for _, f := range filters {
		c, err := ix.compile(f)
		if err != nil {
			return nil, err
		}
		if f.Kind == Codes {
			narrow(m, ix.codes[f.Column], c.code)
		} else {
			narrow(m, ix.numbers[f.Column], c.number)
		}
	}
	return m, nil
}

// narrow removes the rows whose value does not meet a condition, and those beyond the
// column's end.
func narrow[T any](m Mask, column []T, meets func(T) bool) {
	n := min(len(column), len(m))
	for i, value := range column[:n] {
		if m[i] != 0 && !meets(value) {
			m[i] = 0
		}
	}
	clear(m[n:])
}

// Documents says which documents have a row here that the mask allows: it returns a byte
// for each document, 0 if the document has no such row. The numbers of documents must be
// below Extent.
func (ix *Index) Documents(m Mask) []byte {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	documents := make([]byte, ix.extent())
	for _, s := range ix.segments {
		for i, document := range s.rows.IDs {
			if uint64(document) < uint64(len(documents)) && s.allowed(m, i) {
				documents[document] = 1
			}
		}
	}
	return documents
}

// Find returns the row of a document, or -1 if it has none here. It first tries the given
// row.
func (ix *Index) Find(document uint32, row int) int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for _, row := range [2]int{row, int(document)} {
		if s, i := ix.locate(row); s != nil && s.rows.IDs[i] == document {
			return row
		}
	}
	for _, s := range ix.segments {
		if !s.strange {
			continue // so are all segments that Vantage writes
		}
		if i := slices.Index(s.rows.IDs, document); i >= 0 {
			return s.first + i
		}
	}
	return -1
}

// allowed reports whether row i of a segment may be in an answer.
func (s *segment) allowed(m Mask, i int) bool {
	if s.removed != nil && s.removed[i] {
		return false
	}
	row := s.first + i
	return m == nil || row < len(m) && m[row] != 0
}

// apply sets the score of each row lo, lo+1, … of a segment that may not be in an answer
// to absent.
func (m Mask) apply(s *segment, lo int, scores []float32) {
	if m == nil && s.removed == nil {
		return
	}
	for i := range scores {
		if !s.allowed(m, lo+i) {
			scores[i] = absent
		}
	}
}
