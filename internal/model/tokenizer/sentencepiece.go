package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// sentencePieces is the content of a SentencePiece model file
// (sentencepiece_model.proto).
type sentencePieces struct {
	pieces   []pieceEntry
	model    uint64 // 1 means unigram
	unknown  uint64
	bytes    bool
	charsmap []byte
	prefix   bool // add_dummy_prefix
	squeeze  bool // remove_extra_whitespaces
}

// pieceEntry is an entry of a Unigram vocabulary.
type pieceEntry struct {
	name  string
	score float64
	kind  uint64
}

// MarshalJSON writes the form of tokenizer.json, such as ["▁the", -3.2].
func (p pieceEntry) MarshalJSON() ([]byte, error) { return json.Marshal([]any{p.name, p.score}) }

// Kinds of pieces, and of models.
const (
	normalPiece      = 1
	controlPiece     = 3
	userDefinedPiece = 4
	unigramModel     = 1
)

// parseSentencePieces parses a spiece.model or sentencepiece.bpe.model.
func parseSentencePieces(file []byte) (*sentencePieces, error) {
	m := &sentencePieces{model: unigramModel, prefix: true, squeeze: true}
	err := eachField(file, func(number protowire.Number, value []byte, _ uint64) error {
		switch number {
		case 1:
			return m.readPiece(value)
		case 2: // trainer_spec
			return eachField(value, func(number protowire.Number, _ []byte, v uint64) error {
				switch number {
				case 3:
					m.model = v
				case 35:
					m.bytes = v != 0
				case 40:
					m.unknown = v
				}
				return nil
			})
		case 3: // normalizer_spec
			return eachField(value, func(number protowire.Number, value []byte, v uint64) error {
				switch number {
				case 2:
					m.charsmap = value
				case 3:
					m.prefix = v != 0
				case 4:
					m.squeeze = v != 0
				}
				return nil
			})
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("not a SentencePiece model: %w", err)
	case m.model != unigramModel:
		return nil, errors.New("a SentencePiece model of another kind than unigram: use a folder with tokenizer.json")
	case m.unknown >= uint64(len(m.pieces)):
		return nil, fmt.Errorf("a SentencePiece model of %d pieces whose unknown one is number %d", len(m.pieces), m.unknown)
	case !m.prefix || !m.squeeze:
		return nil, errors.New("a SentencePiece model that leaves spaces as they are: use a folder with tokenizer.json")
	}
	return m, nil
}

func (m *sentencePieces) readPiece(message []byte) error {
	p, score := pieceEntry{kind: normalPiece}, float32(0)
	err := eachField(message, func(number protowire.Number, value []byte, v uint64) error {
		switch number {
		case 1:
			p.name = string(value)
		case 2:
			score = math.Float32frombits(uint32(v))
		case 3:
			p.kind = v
		}
		return nil
	})
	if err == nil && (p.name == "" || !utf8.ValidString(p.name) || score != score || math.IsInf(float64(score), 0)) {
		err = fmt.Errorf("piece %d has no spelling, or no score", len(m.pieces))
	}
	if err == nil && len(m.pieces) == jsonlite.MaxValues {
		err = fmt.Errorf("more than %d pieces: this is not a tokenizer", jsonlite.MaxValues)
	}
	p.score = float64(score)
	m.pieces = append(m.pieces, p)
	return err
}

// eachField calls f for the fields of a message, with value for fields of variable
// length and number for others.
func eachField(message []byte, f func(field protowire.Number, value []byte, number uint64) error) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		var value []byte
		var number uint64
		switch kind {
		case protowire.VarintType:
			number, n = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(message)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(message)
			number = uint64(v)
		case protowire.Fixed64Type:
			number, n = protowire.ConsumeFixed64(message)
		default:
			return fmt.Errorf("a field of wire type %d", kind)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		if err := f(field, value, number); err != nil {
			return err
		}
	}
	return nil
}

// fromT5 makes T5's tokenizer from spiece.model. It adds </s> after the text, and the
// sentinels <extra_id_99> to <extra_id_0> after the model's pieces.
func fromT5(dir string, s *settings) ([]byte, error) {
	m, err := readSentencePieces(dir, "spiece.model")
	if err != nil {
		return nil, err
	}
	sentinels := 100
	if s.Sentinels != nil {
		sentinels = *s.Sentinels
	}
	if sentinels < 0 || sentinels > maxSentinels {
		return nil, fmt.Errorf("%s: %d extra_ids", filepath.Join(dir, "tokenizer_config.json"), sentinels)
	}
	eos := s.EOS.or("</s>")
	special := []token{s.PAD.or("<pad>"), eos, s.Unknown.or("<unk>")}
	for i := sentinels - 1; i >= 0; i-- {
		name := "<extra_id_" + strconv.Itoa(i) + ">"
		m.pieces = append(m.pieces, pieceEntry{name: name, kind: controlPiece})
	}
	return m.file(s, special, nil, []string{eos.Content}, []string{eos.Content})
}

// fromXLMR makes the tokenizer of XLM-R or CamemBERT from sentencepiece.bpe.model. Both
// put their own special tokens before the model's pieces.
func fromXLMR(dir string, s *settings) ([]byte, error) {
	m, err := readSentencePieces(dir, "sentencepiece.bpe.model")
	if err != nil {
		return nil, err
	}
	if len(m.pieces) < 3 {
		return nil, fmt.Errorf("%s: %d pieces", dir, len(m.pieces))
	}
	bos, eos, pad, unknown, mask := s.CLS.or("<s>"), s.SEP.or("</s>"), s.PAD.or("<pad>"), s.Unknown.or("<unk>"), s.Mask.or("<mask>")
	own, from := []pieceEntry{{name: bos.Content}, {name: pad.Content}, {name: eos.Content}, {name: unknown.Content}}, 3
	if s.class == "CamembertTokenizer" {
		mask = mask.stripping()
		own, from = []pieceEntry{{name: "<s>NOTUSED"}, {name: pad.Content}, {name: "</s>NOTUSED"}, {name: unknown.Content}, {name: "<unk>NOTUSED", score: -100}}, 1
	}
	m.pieces = append(append(own, m.pieces[from:]...), pieceEntry{name: mask.Content})
	m.unknown = 3
	first, last := bos.Content, eos.Content
	return m.file(s, []token{bos, pad, eos, unknown, mask}, []string{first}, []string{last}, []string{last, last})
}

// maxSentinels is the greatest number of T5's extra_ids.
const maxSentinels = 10_000

func readSentencePieces(dir, name string) (*sentencePieces, error) {
	path := filepath.Join(dir, name)
	b, err := read(path)
	if err != nil {
		return nil, err
	}
	m, err := parseSentencePieces(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// file writes the tokenizer.json that the transformers library makes from such a model,
// with the special tokens before, after and between texts.
func (m *sentencePieces) file(s *settings, special []token, before, after, between []string) ([]byte, error) {
	vocabulary := make(object, len(m.pieces))
	var pieces []token
	for id, p := range m.pieces {
		vocabulary[p.name] = id
		if p.kind == controlPiece || p.kind == userDefinedPiece {
			pieces = append(pieces, token{Content: p.name})
		}
	}
	tokens := added(vocabulary, append(pieces, special...)...)
	around := func(names []string) (list []any) {
		for _, name := range names {
			list = append(list, object{"SpecialToken": object{"id": name}})
		}
		return list
	}
	text := func(name string) any { return object{"Sequence": object{"id": name}} }
	ids := object{}
	for _, name := range slices.Concat(before, after) {
		ids[name] = object{"ids": []any{vocabulary[name]}}
	}
	normalizers := []object{{"type": "Strip", "strip_right": true}, {"type": "Replace", "pattern": object{"Regex": " {2,}"}, "content": "▁"}}
	if len(m.charsmap) > 0 {
		normalizers = append([]object{{"type": "Precompiled", "precompiled_charsmap": m.charsmap}}, normalizers...)
	}
	prepend := "always"
	if s.Legacy != nil && !*s.Legacy {
		prepend = "first"
	}
	return json.Marshal(object{
		"added_tokens":  tokens,
		"normalizer":    object{"type": "Sequence", "normalizers": normalizers},
		"pre_tokenizer": object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": prepend},
		"post_processor": object{"type": "TemplateProcessing", "special_tokens": ids,
			"single": slices.Concat(around(before), []any{text("A")}, around(after)),
			"pair":   slices.Concat(around(before), []any{text("A")}, around(between), []any{text("B")}, around(after))},
		"model": object{"type": "Unigram", "unk_id": m.unknown, "byte_fallback": m.bytes, "vocab": m.pieces},
	})
}
