package encode

import (
	"errors"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/wasm/jsonlite"
)

// postProcessor is what is put around a single text.
type postProcessor struct {
	template []string // names of special tokens, and sequence in their midst
	special  map[string][]uint32
}

// sequence stands for the text in a template; no token is empty.
const sequence = ""

// readEnds reads the parts that say what happens at the ends of a text.
func (f *tokenizerFile) readEnds(r *jsonlite.Reader, key string) {
	switch key {
	case "post_processor":
		f.readPostProcessor(r)
	case "truncation":
		f.readTruncation(r)
	}
}

// readTruncation reads the side that truncation cuts; its length is the caller's affair.
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

// readPostProcessor reads the "post_processor": TemplateProcessing,
// BertProcessing or RobertaProcessing, or null.
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
			p.readTemplate(r)
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
		if p.template == nil {
			r.Fail("the post-processor lacks its template for single texts")
		}
	case "BertProcessing", "RobertaProcessing":
		p.template = []string{"cls", sequence, "sep"}
	default:
		unsupported(r, "a post-processor", kind, "TemplateProcessing, BertProcessing and RobertaProcessing")
	}
}

// readTemplate reads [{"SpecialToken":{"id":"[CLS]"}}, {"Sequence":{"id":"A"}}, ...].
func (p *postProcessor) readTemplate(r *jsonlite.Reader) {
	array(r, "pieces in the post-processor's template", 64, func(int) {
		object(r, func(piece string) {
			special, name := piece == "SpecialToken", ""
			object(r, func(key string) {
				if key == "id" {
					name = clone(r)
				}
			})
			if special && name == sequence || !special && name != "A" {
				r.Fail("the post-processor's template for single texts has a piece that is neither a special token nor sequence A")
			}
			if !special {
				name = sequence
			}
			p.template = append(p.template, name)
		})
	})
}

// fill resolves the special tokens and gives them to w.
func (p *postProcessor) fill(w *WordPiece) error {
	texts := 0
	for _, name := range p.template {
		if name == sequence {
			texts++
			continue
		}
		ids := p.special[name]
		if ids == nil {
			return errors.New("the post-processor does not say which ids special token " + strconv.Quote(name) + " has")
		}
		for _, id := range ids {
			if int(id) >= w.size {
				return errors.New("the post-processor's special token " + strconv.Quote(name) + " has id " +
					strconv.Itoa(int(id)) + ", the vocabulary ends at " + strconv.Itoa(w.size-1))
			}
		}
		if texts == 0 {
			w.before = append(w.before, ids...)
		} else {
			w.after = append(w.after, ids...)
		}
	}
	if p.template != nil && texts != 1 {
		return errors.New("the post-processor's template for single texts has the text, sequence A, " + strconv.Itoa(texts) + " times")
	}
	return nil
}
