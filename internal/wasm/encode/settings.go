package encode

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Settings are a tokenizer.json of WordPiece kind without its vocabulary, which
// travels beside it.
type Settings struct{ file *tokenizerFile }

// ReadSettings reads the settings that come next in a JSON text, an object as
// ParseTokenizer reads it. A vocabulary in it is an error. What is wrong with the
// settings is the reader's error.
func ReadSettings(r *jsonlite.Reader) *Settings {
	f := newTokenizerFile()
	f.read(r, (*tokenizerFile).readEnds)
	if len(f.ids) > 0 {
		r.Fail("the settings of a tokenizer have a vocabulary of their own")
	}
	return &Settings{f}
}

// WordPiece makes the tokenizer for a vocabulary of the given number of pieces: a
// text that has the pieces in the order of their ids, each ended by a line feed.
// It does not keep the text.
func (s *Settings) WordPiece(vocabulary []byte, pieces int) (*WordPiece, error) {
	f := *s.file
	if pieces > maxVocabulary {
		return nil, errors.New("the vocabulary has more than " + strconv.Itoa(maxVocabulary) + " pieces")
	}
	if n := bytes.Count(vocabulary, []byte("\n")); n != pieces || len(vocabulary) > 0 && vocabulary[len(vocabulary)-1] != '\n' {
		return nil, errors.New("the vocabulary has " + strconv.Itoa(n) + " lines for " + strconv.Itoa(pieces) + " pieces, each of which ends with a line feed")
	}
	f.text = make([]byte, 0, len(vocabulary))
	f.ends, f.ids = make([]int, 0, pieces), make([]uint32, 0, pieces)
	for id := range pieces {
		end := bytes.IndexByte(vocabulary, '\n')
		if end == 0 {
			return nil, errors.New("the vocabulary has no piece with id " + strconv.Itoa(id))
		}
		f.text = append(f.text, vocabulary[:end]...)
		f.ends, f.ids = append(f.ends, len(f.text)), append(f.ids, uint32(id))
		vocabulary = vocabulary[end+1:]
	}
	w, err := f.build()
	if err == nil && w.size != pieces {
		return nil, errors.New("an added token has id " + strconv.Itoa(w.size-1) + ", the vocabulary ends at " + strconv.Itoa(pieces-1))
	}
	return w, err
}
