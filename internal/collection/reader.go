package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// readerPack is the pack that reads queries.
type readerPack struct {
	json     []byte
	manifest *pack.Manifest
	payload  map[string][]byte // by path
}

// openReader reads the pack before a run begins, which may take hours.
func openReader(files fs.FS) (*readerPack, error) {
	unread := func(err error) error {
		return fault.Errorf(fault.Input, "the pack that is to read queries: %v: give a whole pack with a reader, such as that of package english", err)
	}
	json, err := fs.ReadFile(files, pack.FileName)
	if err != nil {
		return nil, unread(err)
	}
	p := &readerPack{json: json, payload: map[string][]byte{}}
	if p.manifest, err = pack.Parse(json); err != nil {
		return nil, unread(err)
	}
	if p.manifest.Config.Reader == nil {
		return nil, unread(errors.New("it has no reader"))
	}
	for _, f := range packfile.Payload(p.manifest) {
		if p.payload[f.Path], err = fs.ReadFile(files, f.Path); err != nil {
			return nil, unread(err)
		}
		if digest(p.payload[f.Path]) != f.SHA256 {
			return nil, unread(fmt.Errorf("%s is not the file that %s names", f.Path, pack.FileName))
		}
	}
	return p, nil
}

// add adds the pack to the files of the encoder.
func (p *readerPack) add(s *stage) (*manifest.PackFiles, error) {
	files, err := addPackFiles(s, p.json, p.manifest, func(f pack.File) ([]byte, error) { return p.payload[f.Path], nil })
	return &files, err
}

// language tells whether a corpus is English, by the beginnings of its first documents.
type language struct{ documents, words, frequent int }

const (
	languageDocuments = 1000
	languageBytes     = 1000

	// One word of how many is in frequentWords, at least. In English prose it is every third. Of the languages that have some
	// of these words, too, such as Danish ("for", "at", "have"), it is one of ten.
	englishWords = 5
)

// frequentWords are the most frequent words of English that are letters only.
var frequentWords = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq("the of and to in a is that for it as with was on be by this are at from or an have not but which you they " +
		"we can has their more will what if there about how") {
		words[word] = true
	}
	return words
}()

// see counts the words of a document.
func (l *language) see(doc *store.Document) {
	if l.documents == languageDocuments {
		return
	}
	l.documents++
	text := strings.ToLower(cutRunes(doc.EncodedText(), languageBytes))
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		l.words++
		if frequentWords[word] {
			l.frequent++
		}
	}
}

// isEnglish reports whether the encoder is for English or, if it does not say, whether the documents are English.
func (l *language) isEnglish(encoder string) bool {
	if encoder != "" {
		return encoder == "en" || strings.HasPrefix(encoder, "en-")
	}
	return l.words > 0 && englishWords*l.frequent >= l.words
}
