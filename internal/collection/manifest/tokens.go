package manifest

import "fmt"

// MaxCentroids is that of internal/wasm/tokens.
const MaxCentroids = 1 << 16

// All are the files of token vectors, the codebook first; of nil, none.
func (t *Tokens) All() (files []File) {
	if t == nil {
		return nil
	}
	files = append(files, t.Codebook)
	for _, f := range t.Files {
		files = append(files, f.File)
	}
	return files
}

// Vectors is the number of token vectors.
func (t *Tokens) Vectors() (n int64) {
	for _, f := range t.Files {
		n += f.Vectors
	}
	return n
}

// checkTokens checks the vectors of tokens, which a collection has if and only if it is
// compared by them.
func (m *Manifest) checkTokens(files fileSet) error {
	t := m.Tokens
	switch {
	case t == nil && m.Score == ScoreMaxSim:
		return invalid("tokens", "missing, but score is %q", ScoreMaxSim)
	case t == nil:
		return nil
	case m.Score != ScoreMaxSim:
		return invalid("score", "%.64q, but there are vectors of tokens: must be %q", m.Score, ScoreMaxSim)
	case t.Bits != 8 && t.Bits != 4 && t.Bits != 2:
		return invalid("tokens.bits", "%d, must be 8, 4 or 2", t.Bits)
	case t.Centroids < 1 || t.Centroids > MaxCentroids:
		return invalid("tokens.centroids", "%d, must be 1 to %d", t.Centroids, MaxCentroids)
	}
	if err := files.add("tokens.codebook", t.Codebook); err != nil {
		return err
	}
	if least := 2 * int64(t.Centroids) * int64(m.Dim); t.Codebook.Bytes < least {
		return invalid("tokens.codebook.bytes", "%d, but %d centroids of %d dimensions take at least %d", t.Codebook.Bytes, t.Centroids, m.Dim, least)
	}
	next := 0
	width := int64(m.Dim*t.Bits+7)/8 + 4 // of a vector: codes, centroid, scale
	for i, f := range t.Files {
		field := fmt.Sprintf("tokens.files[%d]", i)
		if err := files.add(field, f.File); err != nil {
			return err
		}
		switch {
		case f.First != next:
			return invalid(field+".first", "%d, must be %d: the files follow each other without gaps", f.First, next)
		case f.Count < 1 || f.Count > m.Documents-next:
			return invalid(field+".count", "%d, must be 1 to the %d that are left of %d", f.Count, m.Documents-next, m.Documents)
		case f.Vectors < 0 || f.Vectors > f.Bytes/width || f.Bytes < f.Vectors*width+4*int64(f.Count):
			return invalid(field+".vectors", "%d of %d bits for %d documents, which do not fit into its %d bytes", f.Vectors, t.Bits, f.Count, f.Bytes)
		}
		next += f.Count
	}
	if next != m.Documents {
		return invalid("tokens.files", "%d documents in all, the collection has %d", next, m.Documents)
	}
	return nil
}
