package child

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/encoder"
)

// work is the content of a request: texts with options, or token ids.
type work struct {
	texts   []string
	options encoder.Options
	ids     [][]uint32 // replaces texts, unless nil
}

// size is the number of texts.
func (w *work) size() int { return max(len(w.texts), len(w.ids)) }

// frame returns the frame of a request.
func (w *work) frame(id uint64) ([]byte, error) {
	if w.ids != nil {
		b := binary.LittleEndian.AppendUint32(beginFrame(kindIDs, id), uint32(len(w.ids)))
		for _, ids := range w.ids {
			b = binary.LittleEndian.AppendUint32(b, uint32(len(ids)))
			for _, id := range ids {
				b = binary.LittleEndian.AppendUint32(b, id)
			}
		}
		return endFrame(b)
	}
	b := appendText(beginFrame(kindTexts, id), string(w.options.Role))
	switch {
	case w.options.Prompts != nil: // prompt before each text
		b = append(b, 2)
	case w.options.Prompt != nil:
		b = appendText(append(b, 1), *w.options.Prompt)
	default:
		b = append(b, 0)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.texts)))
	for i, text := range w.texts {
		if w.options.Prompts != nil {
			b = appendText(b, w.options.Prompts[i])
		}
		b = appendText(b, text)
	}
	return endFrame(b)
}

// parseWork parses a request.
func parseWork(f frame) (w work, err error) {
	c := cursor{b: f.content}
	if f.kind == kindIDs {
		w.ids = make([][]uint32, c.count(4))
		for i := range w.ids {
			w.ids[i] = make([]uint32, c.count(4))
			for j := range w.ids[i] {
				w.ids[i][j] = c.uint32()
			}
		}
		return w, c.end()
	}
	w.options.Role = encoder.Role(c.text())
	least := 4 // least number of bytes per text
	switch c.byte() {
	case 0:
	case 2:
		least = 8
	case 1:
		prompt := c.text()
		w.options.Prompt = &prompt
	default:
		c.bad = true
	}
	w.texts = make([]string, c.count(least))
	if least == 8 {
		w.options.Prompts = make([]string, len(w.texts))
	}
	for i := range w.texts {
		if w.options.Prompts != nil {
			w.options.Prompts[i] = c.text()
		}
		w.texts[i] = c.text()
	}
	return w, c.end()
}

// split splits work into requests of at most the given number of texts and about requestBytes bytes.
func (w *work) split(texts int) (parts []work) {
	size := func(i int) int {
		if w.ids != nil {
			return 4 * len(w.ids[i])
		}
		if w.options.Prompts != nil {
			return len(w.options.Prompts[i]) + len(w.texts[i])
		}
		return len(w.texts[i])
	}
	for first, n := 0, w.size(); first < n; {
		last, bytes := first+1, size(first)
		for ; last < n && last-first < texts && bytes+size(last) <= requestBytes; last++ {
			bytes += size(last)
		}
		part := work{options: w.options}
		if w.ids != nil {
			part.ids = w.ids[first:last]
		} else {
			part.texts = w.texts[first:last]
			if w.options.Prompts != nil {
				part.options.Prompts = w.options.Prompts[first:last]
			}
		}
		parts = append(parts, part)
		first = last
	}
	return parts
}

// vectorsFrame returns the frame of embeddings.
func vectorsFrame(id uint64, embeddings []encoder.Embedding, dim int) ([]byte, error) {
	b := beginFrame(kindVectors, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(embeddings)))
	for _, e := range embeddings {
		if len(e.Vector) != dim {
			return nil, fmt.Errorf("a vector of %d components from a model of %d", len(e.Vector), dim)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(e.Tokens))
		if e.Truncated {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
		for _, v := range e.Vector {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
	}
	return endFrame(b)
}

// parseVectors parses the embeddings of a number of texts.
func parseVectors(content []byte, texts, dim int) ([]encoder.Embedding, error) {
	c := cursor{b: content}
	if n := c.count(5 + 4*dim); n != texts {
		return nil, fmt.Errorf("%w: %d vectors of %d components for %d texts, in %d bytes", errFrame, n, dim, texts, len(content))
	}
	embeddings := make([]encoder.Embedding, texts)
	for i := range embeddings {
		tokens, truncated := c.uint32(), c.byte()
		if tokens > math.MaxInt32 || truncated > 1 {
			return nil, fmt.Errorf("%w: text %d is said to have %d tokens", errFrame, i, tokens)
		}
		v := make([]float32, dim)
		for j := range v {
			v[j] = math.Float32frombits(c.uint32())
		}
		embeddings[i] = encoder.Embedding{Vector: v, Tokens: int(tokens), Truncated: truncated == 1}
	}
	return embeddings, c.end()
}
