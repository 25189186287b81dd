package berds

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/lru"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// sidesDetector judges by the topics and angles of a pack: whether a document is on the subject
// of a text, and how probable it is that the document is for it, against it, or neither. The
// constants are those of the pack.
type sidesDetector struct {
	info      DetectorInfo
	model     *packmodel.Encoder
	constants stance.Calibration
	strength  float64 // of the slant in scores
	wordings  map[string][]string
	roots     *lru.Cache[string, *textVectors]
	documents *lru.Cache[string, []textVectors] // windows of each
}

// contrast is the scoring method of searches that ask for a side.
const contrast = "contrast"

// cacheBytes bounds the memory of the vectors of documents that a detector caches, in bytes.
// Those of roots may take a quarter of that in addition.
const cacheBytes = 64 << 20

func newSidesDetector(name string, model *packmodel.Encoder) (*sidesDetector, error) {
	numbers, wordings := model.Tables()
	about := model.Info()
	if model.BranchDim() == 0 || len(wordings[search.For]) == 0 || len(wordings[search.Against]) == 0 {
		return nil, fault.Errorf(fault.Unsupported, "the pack %s cannot tell sides apart: use one with an angle branch and wordings of for and against", about.ID)
	}
	constants, err := stance.Of(numbers)
	if err != nil {
		return nil, err
	}
	method, err := perspective.Lookup(contrast)
	strength := method.Strength
	if own := numbers[contrast]; len(own) == 1 {
		strength = own[0]
	}
	info := DetectorInfo{Name: name, Model: retrieve.Title(about), Decides: true, Opposes: true, identity: []any{about, constants, strength, wordings},
		Score: fmt.Sprintf("that of a search by %s: the cosine of topics plus %g times the slant", contrast, strength)}
	return &sidesDetector{info: info, model: model, constants: constants, strength: strength, wordings: wordings,
		roots: lru.New[string, *textVectors](cacheBytes / 4), documents: lru.New[string, []textVectors](cacheBytes)}, err
}

func (d *sidesDetector) about() *DetectorInfo { return &d.info }

func (d *sidesDetector) Close() error { return d.model.Close() }

// textVectors has the vectors of a text: its topic and its angle. For a root, the angle is the
// difference between the angles of its wordings for and against.
type textVectors struct {
	topic, angle []float32
}

func (v *textVectors) bytes() int64 { return int64(4*(len(v.topic)+len(v.angle)) + 64) }

// judgedAtOnce is the number of pairs that are judged between two reports of progress.
const judgedAtOnce = 64

// judge implements detector. A document that is not on the subject is on neither side.
func (d *sidesDetector) judge(ctx context.Context, pairs []pair, done func(pairs int)) ([]verdict, error) {
	threshold := d.constants.Threshold()
	out := make([]verdict, 0, len(pairs))
	for len(pairs) > 0 {
		some := pairs[:min(judgedAtOnce, len(pairs))]
		pairs = pairs[len(some):]
		var roots, documents []string
		for _, p := range some {
			roots, documents = append(roots, p.perspective), append(documents, p.document)
		}
		asked, err := d.encodeRoots(ctx, roots)
		if err != nil {
			return nil, err
		}
		told, err := d.encodeDocuments(ctx, documents)
		if err != nil {
			return nil, err
		}
		for i := range some {
			var s said
			for _, window := range told[i] {
				topic, slant := cosine(asked[i].topic, window.topic), dot(asked[i].angle, window.angle)
				score := topic + float64(d.strength*slant)
				if topic < d.constants.Subject {
					s.add(score, stance.Neither)
					continue
				}
				s.add(score, d.constants.Side(slant, threshold))
			}
			out = append(out, s.verdict)
		}
		done(len(out))
	}
	return out, nil
}

// encodeRoots returns the vectors of roots.
func (d *sidesDetector) encodeRoots(ctx context.Context, roots []string) ([]*textVectors, error) {
	fresh := missing(d.roots, roots)
	topics, err := d.encode(ctx, fresh, encoder.Query, encoder.Trunk)
	if err != nil {
		return nil, err
	}
	pro, err := d.encode(ctx, d.asking(stance.For, fresh), encoder.Query, encoder.Branch)
	if err != nil {
		return nil, err
	}
	con, err := d.encode(ctx, d.asking(stance.Against, fresh), encoder.Query, encoder.Branch)
	if err != nil {
		return nil, err
	}
	found := map[string]*textVectors{}
	for i, root := range fresh {
		difference := make([]float32, len(pro[i].angle))
		for j, u := range pro[i].angle {
			difference[j] = u - con[i].angle[j]
		}
		found[root] = &textVectors{topics[i].topic, difference}
	}
	return remembered(d.roots, roots, found, (*textVectors).bytes), nil
}

// encodeDocuments returns the vectors of each document's windows.
func (d *sidesDetector) encodeDocuments(ctx context.Context, documents []string) ([][]textVectors, error) {
	fresh := missing(d.documents, documents)
	var windows []string
	counts := make([]int, len(fresh))
	for i, document := range fresh {
		parts := d.windows(document)
		counts[i], windows = len(parts), append(windows, parts...)
	}
	vectors, err := d.encode(ctx, windows, encoder.Document, encoder.Trunk|encoder.Branch)
	if err != nil {
		return nil, err
	}
	found := map[string][]textVectors{}
	for i, document := range fresh {
		found[document], vectors = vectors[:counts[i]:counts[i]], vectors[counts[i]:]
	}
	return remembered(d.documents, documents, found, func(windows []textVectors) (sum int64) {
		for i := range windows {
			sum += windows[i].bytes()
		}
		return sum
	}), nil
}

// windows divides a document that is longer than the model reads, between words.
func (d *sidesDetector) windows(document string) []string {
	tokenizer := d.model.Tokenizer()
	framed, _ := tokenizer.Frame(nil, 0)
	limit := d.model.Info().MaxLength - len(framed)
	if len(tokenizer.Encode(nil, document)) <= limit {
		return []string{document}
	}
	words := strings.Fields(document)
	sizes := make([]int, len(words))
	for i, word := range words {
		sizes[i] = len(tokenizer.Encode(nil, word))
	}
	var out []string
	for _, w := range encoder.Windows(sizes, limit) {
		out = append(out, strings.Join(words[w[0]:w[1]], " "))
	}
	return out
}

// missing returns the texts that are not in a cache, each once.
func missing[V any](c *lru.Cache[string, V], texts []string) (out []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		if _, ok := c.Get(text); !ok && !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// remembered returns the values of texts, from the cache or from found, and caches the latter.
func remembered[V any](c *lru.Cache[string, V], texts []string, found map[string]V, bytes func(V) int64) []V {
	out := make([]V, len(texts))
	for i, text := range texts {
		value, fresh := found[text]
		if !fresh {
			value, _ = c.Get(text)
		}
		out[i] = value
	}
	for text, value := range found {
		c.Put(text, value, bytes(value)+int64(len(text)))
	}
	return out
}

// asking returns the queries for one side of roots.
func (d *sidesDetector) asking(side stance.Side, roots []string) []string {
	out := make([]string, len(roots))
	for i, root := range roots {
		out[i] = claim.Asking(d.wordings, side, root)
	}
	return out
}

func (d *sidesDetector) encode(ctx context.Context, texts []string, role encoder.Role, parts encoder.Parts) ([]textVectors, error) {
	out := make([]textVectors, 0, len(texts))
	const portion = 64
	for first := 0; first < len(texts); first += portion {
		found, err := d.model.EncodeParts(ctx, texts[first:min(first+portion, len(texts))], encoder.Options{Role: role}, parts)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			out = append(out, textVectors{v.Trunk, v.Branch})
		}
	}
	return out, nil
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i]) // the product is exact
	}
	return sum
}

func cosine(a, b []float32) float64 {
	if lengths := dot(a, a) * dot(b, b); lengths > 0 {
		return dot(a, b) / math.Sqrt(lengths)
	}
	return 0
}
