package encode

import (
	"errors"
	"math"
	"strconv"
	"unsafe"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Limits of a Unigram vocabulary.
const (
	maxPieceBytes = 512  // bytes of one piece
	maxScore      = 1e30 // greatest score, so that no sum overflows
)

// Parts makes the steps of a pipeline from their descriptions in a tokenizer.json,
// which may be any JSON value but null.
type Parts struct {
	Normalizer func(description []byte) (Rewrite, error)
	// PreTokenizer also reports whether its last step leaves bytes to the model.
	PreTokenizer func(description []byte) (cut Cut, bytes bool, err error)
}

// pipelineFile is the content of a tokenizer.json, before it is checked as a whole.
type pipelineFile struct {
	bpeFile
	rewrite      Rewrite
	cut          Cut
	pieces       []string
	scores       []float64
	unknownPiece int64
	byteFallback bool
}

// ParsePipeline reads a tokenizer.json of any kind: Unigram, WordPiece, WordLevel or
// byte-level BPE, after the normalizers and pre-tokenizers that parts supports. It does
// not keep json.
func ParsePipeline(json []byte, parts Parts) (*Pipeline, error) {
	kind, err := Kind(json)
	if err != nil {
		return nil, err
	}
	f := pipelineFile{unknownPiece: -1}
	f.tokenizerFile = tokenizerFile{unknown: "[UNK]", prefix: "##", maxRunes: 100}
	r := jsonlite.NewReader(json).Strict()
	object(r, func(key string) {
		switch key {
		case "model":
			f.readAnyModel(r, kind)
		case "normalizer":
			f.step(r, func(description []byte) (err error) {
				f.rewrite, err = parts.Normalizer(description)
				return err
			})
		case "pre_tokenizer":
			f.step(r, func(description []byte) (err error) {
				f.cut, f.byteLevel, err = parts.PreTokenizer(description)
				return err
			})
		case "added_tokens":
			f.readAddedTokens(r)
		default:
			f.readEnds(r, key)
		}
	})
	err = r.End()
	var p *Pipeline
	if err == nil {
		p, err = f.buildPipeline()
	}
	if err != nil {
		return nil, errors.New("tokenizer.json: " + err.Error())
	}
	return p, nil
}

// step reads the description of a step, unless it is null.
func (f *pipelineFile) step(r *jsonlite.Reader, read func(description []byte) error) {
	if r.Null() {
		return
	}
	raw := r.Raw()
	if r.Err() != nil {
		return
	}
	if err := read(raw); err != nil {
		r.Fail(err.Error())
	}
}

func (f *pipelineFile) readAnyModel(r *jsonlite.Reader, kind string) {
	switch kind {
	case "WordPiece":
		f.readModel(r)
	case "BPE":
		f.readBPEModel(r)
	case "Unigram":
		f.readUnigram(r)
	case "WordLevel":
		f.unknown = ""
		f.readWordLevel(r)
	default:
		r.Fail("a model of type " + strconv.Quote(kind) + " is not supported, only WordPiece, BPE, Unigram and WordLevel")
	}
	f.kind = kind
}

func (f *pipelineFile) readWordLevel(r *jsonlite.Reader) {
	object(r, func(key string) {
		switch key {
		case "unk_token":
			f.unknown = clone(r)
		case "vocab":
			f.readVocabulary(r)
		}
	})
}

func (f *pipelineFile) readUnigram(r *jsonlite.Reader) {
	object(r, func(key string) {
		switch key {
		case "unk_id":
			if !r.Null() {
				f.unknownPiece = integer(r, key, 0, maxVocabulary-1)
			}
		case "byte_fallback":
			f.byteFallback = r.Bool()
		case "alpha", "nbest_size":
			if !r.Null() && r.Float64() != 0 {
				r.Fail("Unigram with " + key + " is not supported: it gives other ids each time")
			}
		case "vocab":
			array(r, "pieces", maxVocabulary, func(int) { f.readPiece(r) })
		}
	})
}

// readPiece reads ["▁the", -3.2].
func (f *pipelineFile) readPiece(r *jsonlite.Reader) {
	parts := 0
	array(r, "parts of a piece", 2, func(i int) {
		if parts++; i == 0 {
			f.pieces = append(f.pieces, clone(r))
			return
		}
		score := r.Float64()
		if !(math.Abs(score) <= maxScore) {
			r.Fail("a piece's score is no number of a reasonable size")
		}
		f.scores = append(f.scores, score)
	})
	if parts != 2 {
		r.Fail("a piece of the vocabulary is not its spelling and its score")
		return
	}
	if n := len(f.pieces[len(f.pieces)-1]); n > maxPieceBytes {
		r.Fail("a piece of the vocabulary has " + strconv.Itoa(n) + " bytes, more than " + strconv.Itoa(maxPieceBytes))
	}
}

func (f *pipelineFile) buildPipeline() (*Pipeline, error) {
	p := &Pipeline{rewrite: f.rewrite, cut: f.cut}
	p.cutLeft = f.cutLeft
	if f.byteLevel != (f.kind == "BPE") {
		return nil, errors.New("the pre-tokenizer ByteLevel is supported with BPE alone, and BPE with ByteLevel alone")
	}
	var err error
	if p.model, err = f.buildModel(); err != nil {
		return nil, err
	}
	if p.size, err = p.declare(f.added, p.model.vocabulary(), p.model.id, func(s string) string {
		if f.rewrite == nil {
			return s
		}
		return f.rewrite(Span{s, true}).Text
	}); err != nil {
		return nil, err
	}
	if f.fill != nil {
		return p, f.fill(&p.Ends, p.size)
	}
	return p, nil
}

func (f *pipelineFile) buildModel() (pieceModel, error) {
	switch f.kind {
	case "":
		return nil, errors.New(`no "model"`)
	case "WordPiece":
		w := &WordPiece{maxRunes: int(f.maxRunes)}
		return wordPieces{w}, f.fillVocabulary(w)
	case "BPE":
		bpe := f.bpeFile
		bpe.added, bpe.fill = nil, nil // the pipeline handles it
		b, err := bpe.buildBPE()
		return bytePairs{b}, err
	case "WordLevel":
		return f.buildWordLevel()
	}
	if f.unknownPiece < 0 || f.unknownPiece >= int64(len(f.pieces)) {
		return nil, errors.New("the vocabulary of " + strconv.Itoa(len(f.pieces)) + " pieces lacks the unknown one, unk_id")
	}
	return newUnigram(f.pieces, f.scores, uint32(f.unknownPiece), f.byteFallback), nil
}

// wordPieces, bytePairs and words are the models of the other kinds.
type wordPieces struct{ *WordPiece }

func (w wordPieces) appendPiece(dst []uint32, piece string) []uint32 {
	return w.appendWord(dst, unsafe.Slice(unsafe.StringData(piece), len(piece)))
}
func (w wordPieces) id(token string) (uint32, bool) { return w.ID(token) }
func (w wordPieces) vocabulary() int                { return w.size }

type bytePairs struct{ *BPE }

func (b bytePairs) appendPiece(dst []uint32, piece string) []uint32 {
	return b.encodePiece(dst, piece)
}
func (b bytePairs) id(token string) (uint32, bool) { return b.ID(token) }
func (b bytePairs) vocabulary() int                { return b.size }

// words is the model of tokenizers whose tokens are whole words.
type words struct {
	ids     map[string]uint32
	unknown uint32
	size    int
}

func (f *pipelineFile) buildWordLevel() (pieceModel, error) {
	w := &words{ids: make(map[string]uint32, len(f.ids))}
	for i, id := range f.ids {
		start := 0
		if i > 0 {
			start = f.ends[i-1]
		}
		w.ids[string(f.text[start:f.ends[i]])] = id
		w.size = max(w.size, int(id)+1)
	}
	unknown, ok := w.ids[f.unknown]
	if !ok {
		return nil, errors.New("the vocabulary lacks the unknown token " + strconv.Quote(f.unknown))
	}
	w.unknown = unknown
	return w, nil
}

func (w *words) appendPiece(dst []uint32, piece string) []uint32 {
	if id, ok := w.ids[piece]; ok {
		return append(dst, id)
	}
	return append(dst, w.unknown)
}

func (w *words) id(token string) (uint32, bool) {
	id, ok := w.ids[token]
	return id, ok
}

func (w *words) vocabulary() int { return w.size }
