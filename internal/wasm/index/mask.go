package index

import "slices"

// Mask says which rows are allowed in an answer. It has a byte per row, 0 if the row is
// not allowed; rows beyond its end are not allowed either. A nil Mask allows every row.
type Mask []byte

// Mask finds the rows whose values meet every filter, even rows whose vectors are not
// in this index. It returns nil without filters.
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

// Documents returns a byte per document, 0 if the mask allows none of its rows in this
// index. Documents must have numbers below Extent.
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

// Find finds the row of a document, or -1 if it has none in this index. It tries the
// given row first.
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
			continue // as in all files that Vantage writes
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

// apply sets the score to absent for those of the rows lo, lo+1, … of a segment that
// are not allowed.
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
