package collection

import (
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// fixedCanaries test things that encoders often get wrong: case, accents, punctuation,
// numbers, words that are not tokens.
var fixedCanaries = [...]string{
	"Find a claim that opposes the argument: school uniforms should be compulsory.",
	"Prices in the Café rose by 3.5 % in 2024 - why?",
	"The cathedral's counterrevolutionary photolithographers re-enacted 17th-century micro-finance.",
}

// Greatest lengths of canary texts in bytes.
const (
	cutCanary   = 300  // the beginning of a document, encoded separately
	wholeCanary = 2000 // a whole document, with its given vector
)

// canaryPicker chooses documents as canaries from a stream of documents.
type canaryPicker struct {
	first bool     // choose only the first document
	slots []int    // otherwise choose one whole document at or after each of these rows
	rows  []int    // rows of the chosen documents
	texts []string // texts of the chosen documents
}

func (p *canaryPicker) consider(row int, doc *store.Document) {
	text := doc.EncodedText()
	if strings.TrimSpace(text) == "" {
		return
	}
	if p.first {
		if len(p.texts) == 0 {
			p.texts = append(p.texts, cutRunes(text, cutCanary))
		}
		return
	}
	if len(p.slots) > 0 && row >= p.slots[0] && len(text) <= wholeCanary {
		p.slots = p.slots[1:]
		p.rows, p.texts = append(p.rows, row), append(p.texts, text)
	}
}

// cutRunes returns the beginning of s, at most limit bytes, without cutting a
// character.
func cutRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// encoded returns the canaries of a static encoder. It leaves out texts without known
// tokens, because they would check nothing.
func (p *canaryPicker) encoded(encoder *encode.Static) []manifest.Canary {
	var out []manifest.Canary
	for _, text := range p.chosen() {
		vector := make([]float32, encoder.Dim())
		encoder.Encode(vector, text)
		for _, v := range vector {
			if v != 0 {
				out = append(out, manifest.Canary{Text: text, Vector: vector})
				break
			}
		}
	}
	return out
}

// chosen returns the fixed texts of canaries and those of the chosen documents.
func (p *canaryPicker) chosen() []string { return append(fixedCanaries[:], p.texts...) }

// given returns the canaries of given vectors: documents with their given vectors.
func (p *canaryPicker) given(v *Given) []manifest.Canary {
	var out []manifest.Canary
	for i, row := range p.rows {
		out = append(out, manifest.Canary{Text: p.texts[i], Vector: v.Data[row*v.Dim:][:v.Dim]})
	}
	return out
}
