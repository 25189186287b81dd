package collection

import (
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// addTerms adds the files of the inverted index. It returns nil without one.
func addTerms(s *stage, x *lexical.Index, limit int) (*manifest.Terms, error) {
	if x == nil {
		return nil, nil
	}
	t := &manifest.Terms{}
	var err error
	if t.Lengths, err = s.add(termsDir, x.AppendLengths(nil)); err != nil {
		return nil, err
	}
	for _, file := range x.TermFiles(limit) {
		f, err := s.add(termsDir, file.Data)
		if err != nil {
			return nil, err
		}
		t.Files = append(t.Files, manifest.TermFile{File: f, First: file.First, Last: file.Last})
	}
	return t, nil
}
