package retrieve

import (
	"context"
	"strings"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packencoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/reader"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// ParseMethod splits METHOD:MODEL, such as auto:sides. If there is no method, or one that needs
// angles, it returns "" and the whole. auto alone means auto:sides, with the bundled pack.
func ParseMethod(given string) (method, model string) {
	if given == perspective.Auto {
		return perspective.Auto, BundledName
	}
	method, model, ok := strings.Cut(given, ":")
	if !ok {
		return "", given
	}
	if m, err := perspective.Lookup(method); err != nil && method != perspective.Auto || m.Angles > 0 {
		return "", given
	}
	return method, model
}

// byMethod ranks like a search that names a method, or auto. A query has a root, a perspective or
// both, as given; if neither is given, they are read from its wording. If it lacks what the method
// needs, the documents are ranked by the whole query alone.
type byMethod struct {
	*Dense
	method string
	words  Retriever
}

// By returns a retriever that ranks by a method of package perspective, or by auto. auto fuses
// some kinds of queries with the ranking by words, unless words is nil.
func (d *Dense) By(method string, words Retriever) Retriever { return byMethod{d, method, words} }

// Rank implements Retriever.
func (b byMethod) Rank(ctx context.Context, query Query, k int) ([]lexical.Hit, error) {
	read := perspective.Reading{
		Root: query.Root, Perspective: query.Perspective,
		Kind: perspective.KindOf(query.Perspective), Side: perspective.Stance(query.Perspective),
	}
	if read.Root == "" && read.Perspective == "" {
		var err error
		if read, err = b.read(ctx, query.Text); err != nil {
			return nil, err
		}
	}
	choice, err := b.choose(read)
	if err != nil {
		return nil, err
	}
	chosen := asChosen{b.Dense, read.Root, read.Perspective, read.Side, choice}
	if choice.Hybrid {
		return NewHybrid(chosen, b.words, *search.ChosenHybrid(choice)).Rank(ctx, query, k)
	}
	return chosen.Rank(ctx, query, k)
}

// read reads a query as a search of a collection of these documents does: by the encoder if it is a pack with a reader, else
// by the reader that collections in English carry, else by the grammar.
func (d *Dense) read(ctx context.Context, query string) (_ perspective.Reading, err error) {
	stated := ""
	if d.documents != nil {
		stated = d.documents.Info().Language
	}
	if p, is := d.queries.(packencoder.Encoder); is && p.Manifest().Config.Reader != nil || !d.language.IsEnglish(stated) {
		return encoder.Read(d.queries, query)
	}
	d.opening.Lock()
	defer d.opening.Unlock()
	if d.reader == nil {
		if d.reader, err = packmodel.Open(ctx, reader.Files, 1); err != nil {
			return perspective.Reading{}, err
		}
	}
	return d.reader.Read(query)
}

// asChosen ranks a query with a root and a perspective by a method.
type asChosen struct {
	*Dense
	root, side string
	stance     int // that the side names
	choice     perspective.Choice
}

// Rank implements Retriever.
func (b asChosen) Rank(ctx context.Context, query Query, k int) ([]lexical.Hit, error) {
	root, side := b.root, b.side
	m, err := perspective.Lookup(b.choice.Method)
	if err != nil {
		return nil, err
	}
	if m.NeedsRoot && root == "" || m.NeedsPerspective && side == "" && root == "" {
		return b.Dense.Rank(ctx, Query{Text: query.Text}, k)
	}
	texts := []string{query.Text}
	if root != "" {
		texts = append(texts, root)
	}
	if side != "" {
		texts = append(texts, side)
	}
	embeddings, err := encoder.Encode(ctx, b.queries, texts, encoder.Options{Role: encoder.Query})
	if err != nil {
		return nil, err
	}
	q := &perspective.Query{Query: embeddings[0].Vector, Method: m.Name, Lambda: b.choice.Lambda(), Strength: b.choice.Strength}
	if root != "" {
		q.Root = embeddings[1].Vector
	}
	if side != "" {
		q.Perspectives = [][]float32{embeddings[len(texts)-1].Vector}
	}
	if m.NeedsPerspective && side == "" { // as in a search, it is what the query has beyond the root
		difference, err := perspective.Difference(q.Query, q.Root)
		if err != nil {
			return nil, err
		}
		q.Perspectives = [][]float32{difference}
	}
	if m.Angles > 0 {
		if q.Angles, err = b.anglesOf(ctx, m, query.Text, root, b.stance); err != nil {
			return nil, err
		}
	}
	hits, err := b.Dense.Rank(ctx, Query{Vectors: q}, k)
	if fault.Is[*perspective.DegenerateError](err) {
		return nil, nil // as for a text without a direction
	}
	return hits, err
}

// choose returns the method with its strength, and whether the ranking is fused with words.
func (b byMethod) choose(read perspective.Reading) (perspective.Choice, error) {
	if b.method != perspective.Auto {
		return perspective.Choice{Method: b.method, Strength: 1}, nil
	}
	model := b.angleEncoder()
	choices := perspective.DefaultChoices()
	var texts map[string][]string
	if model != nil {
		_, texts = model.Tables()
		own, err := perspective.ParseChoices(texts[perspective.AutoTable])
		if err != nil {
			return perspective.Choice{}, err
		}
		if len(own) > 0 {
			choices = own
		}
	}
	return choices.Choose(read.Kind, b.words != nil, func(m perspective.Method) bool {
		sides := len(texts[search.For]) > 0 && len(texts[search.Against]) > 0 && read.Side != 0
		return (!m.NeedsRoot || read.Root != "") && (!m.NeedsPerspective || read.Root != "" || read.Perspective != "") &&
			(m.Angles == 0 || b.angles && model != nil && (m.Angles == 1 || sides))
	}), nil
}

// angleEncoder returns the encoder if it can give texts angles, and otherwise nil.
func (d *Dense) angleEncoder() encoder.AngleEncoder {
	if e, ok := d.queries.(encoder.AngleEncoder); ok && e.AngleDim() > 0 {
		return e
	}
	return nil
}

// anglesOf returns the angles that a method needs for a query.
func (d *Dense) anglesOf(ctx context.Context, m perspective.Method, query, root string, side int) ([][]float32, error) {
	model := d.angleEncoder()
	texts := []string{query}
	if m.Angles == 2 {
		_, wordings := model.Tables()
		texts = []string{claim.Asking(wordings, stance.For, root), claim.Asking(wordings, stance.Against, root)}
		if side < 0 {
			texts[0], texts[1] = texts[1], texts[0]
		}
	}
	return model.EncodeAngles(ctx, texts, encoder.Options{Role: encoder.Query})
}
