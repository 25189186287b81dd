package encode

import (
	"errors"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// postProcessor has the special tokens around a text, and around a pair of texts.
type postProcessor struct {
	single, pair []templatePiece
	special      map[string][]uint32
}

// templatePiece is a special token by its name, or a text.
type templatePiece struct {
	special string // empty for a text; tokens are not empty
	second  bool   // the text is the second of a pair
	kind    uint32 // token type
}

// readEnds reads the post-processor and the side of truncation.
func (f *tokenizerFile) readEnds(r *jsonlite.Reader, key string) {
	switch key {
	case "post_processor":
		f.readPostProcessor(r)
	case "truncation":
		f.readTruncation(r)
	}
}

// readTruncation reads the side that truncation cuts. The caller chooses the length.
func (f *tokenizerFile) readTruncation(r *jsonlite.Reader) {
	if r.Null() {
		return
	}
	object(r, func(key string) {
		if key == "direction" {
			f.cutLeft = r.Text() == "Left"
		}
	})
}

// readPostProcessor reads the "post_processor": TemplateProcessing, BertProcessing,
// RobertaProcessing or ByteLevel, or null.
func (f *tokenizerFile) readPostProcessor(r *jsonlite.Reader) {
	if r.Null() {
		return
	}
	p := postProcessor{special: map[string][]uint32{}}
	f.fill = p.fill
	kind := ""
	object(r, func(key string) {
		switch key {
		case "type":
			kind = clone(r)
		case "single":
			p.single = readTemplate(r)
		case "pair":
			p.pair = readTemplate(r)
		case "special_tokens":
			object(r, func(name string) {
				name = strings.Clone(name)
				object(r, func(key string) {
					if key == "ids" {
						array(r, "ids of a special token", 64, func(int) { p.special[name] = append(p.special[name], readID(r)) })
					}
				})
			})
		case "cls", "sep": // of BertProcessing and RobertaProcessing: ["[CLS]", 101]
			name := strings.Clone(key)
			array(r, "parts of a special token", 2, func(i int) {
				if i == 1 {
					p.special[name] = []uint32{readID(r)}
				}
			})
		}
	})
	switch kind {
	case "TemplateProcessing":
		if p.single == nil {
			r.Fail("the post-processor lacks its template for single texts")
		}
	case "BertProcessing":
		p.single = []templatePiece{{special: "cls"}, {}, {special: "sep"}}
		p.pair = append(p.single, templatePiece{second: true, kind: 1}, templatePiece{special: "sep", kind: 1})
	case "RobertaProcessing":
		p.single = []templatePiece{{special: "cls"}, {}, {special: "sep"}}
		p.pair = append(p.single, templatePiece{special: "sep"}, templatePiece{second: true}, templatePiece{special: "sep"})
	case "ByteLevel": // only affects offsets
		p.single = []templatePiece{{}}
		p.pair = []templatePiece{{}, {second: true}}
	default:
		unsupported(r, "a post-processor", kind, "TemplateProcessing, BertProcessing, RobertaProcessing and ByteLevel")
	}
}

// readTemplate reads [{"SpecialToken":{"id":"[CLS]","type_id":0}}, {"Sequence":{"id":"A","type_id":0}}, ...].
func readTemplate(r *jsonlite.Reader) []templatePiece {
	template := []templatePiece{}
	array(r, "pieces in a template of the post-processor", 64, func(int) {
		object(r, func(piece string) {
			special, t, name := piece == "SpecialToken", templatePiece{}, ""
			object(r, func(key string) {
				switch key {
				case "id":
					name = clone(r)
				case "type_id":
					t.kind = uint32(integer(r, key, 0, 1<<16))
				}
			})
			switch {
			case special && name != "":
				t.special = name
			case !special && (name == "A" || name == "B"):
				t.second = name == "B"
			default:
				r.Fail("a template of the post-processor has a piece that is neither a special token nor sequence A or B")
			}
			template = append(template, t)
		})
	})
	return template
}

// fill resolves the special tokens for a vocabulary of some size.
func (p *postProcessor) fill(e *Ends, size int) error {
	pieces, texts, err := p.resolve(p.single, size)
	if err != nil {
		return err
	}
	if texts != [2]int{1, 0} {
		return errors.New("the post-processor's template for single texts has the text, sequence A, " + strconv.Itoa(texts[0]) +
			" times and sequence B " + strconv.Itoa(texts[1]) + " times")
	}
	to := &e.before
	for _, piece := range pieces {
		if piece.ids == nil {
			to = &e.after
		}
		*to = append(*to, piece.ids...)
	}
	if len(p.pair) == 0 {
		return nil
	}
	if e.pair, texts, err = p.resolve(p.pair, size); err == nil && texts != [2]int{1, 1} {
		err = errors.New("the post-processor's template for pairs does not have sequences A and B once each")
	}
	return err
}

// resolve looks up a template's special tokens, and counts its texts.
func (p *postProcessor) resolve(template []templatePiece, size int) (pieces []endPiece, texts [2]int, err error) {
	for _, t := range template {
		piece := endPiece{second: t.second, kind: t.kind}
		if t.special == "" {
			i := 0
			if t.second {
				i = 1
			}
			texts[i]++
			pieces = append(pieces, piece)
			continue
		}
		if piece.ids = p.special[t.special]; piece.ids == nil {
			return nil, texts, errors.New("the post-processor does not say which ids special token " + strconv.Quote(t.special) + " has")
		}
		for _, id := range piece.ids {
			if int(id) >= size {
				return nil, texts, errors.New("the post-processor's special token " + strconv.Quote(t.special) + " has id " +
					strconv.Itoa(int(id)) + ", the vocabulary ends at " + strconv.Itoa(size-1))
			}
		}
		pieces = append(pieces, piece)
	}
	return pieces, texts, nil
}
