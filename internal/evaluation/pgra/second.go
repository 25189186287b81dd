package pgra

import (
	"cmp"
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// reranker is the model of stage 2.
type reranker struct {
	name    string // as given by the user
	opened  model.Encoder
	decoder model.Decoder // nil if it cannot score words
	shown   bool          // it reads demonstrations, as language models do
	score   perspective.Score
	most    int // tokens that it reads
}

func newReranker(m *retrieve.Model, opened model.Encoder) *reranker {
	info := opened.Info()
	score, _ := m.Score() // which Try has checked
	r := &reranker{name: m.Spec.Name, opened: opened, decoder: retrieve.Decoder(opened), shown: info.Architecture == "opt", score: score, most: info.MaxLength}
	if r.shown {
		r.opened = whole{opened}
	}
	return r
}

// prompt is how a task's texts are put to a model.
type prompt struct {
	lead, after string // before and after a text
	endings     []string
	bytes       int // of a text that surely fits
}

// prompt of a task. Other models than language models read a text without demonstrations:
// many have no room for them, and their vectors would be of the demonstrations.
func (r *reranker) prompt(s *Set) (*prompt, error) {
	before, after := s.template.Around()
	p := &prompt{lead: before, after: after, endings: s.template.Endings(), bytes: math.MaxInt}
	if r.shown {
		p.lead = s.prefix() + before
	}
	if r.decoder == nil {
		return p, nil
	}
	longest := 0
	for _, ending := range p.endings {
		longest = max(longest, r.decoder.Count(p.lead+p.after+ending))
	}
	p.bytes = r.most - longest // a token has a byte at least
	if p.bytes < leastRoom {
		return nil, fault.Errorf(fault.Query, "%s: %d demonstrations and the template take %d tokens, and %s reads %d: ask for fewer with --shots", s.task.name, len(s.Demonstrations), longest, r.name, r.most)
	}
	return p, nil
}

// leastRoom is the least number of tokens for a text.
const leastRoom = 8

// fit shortens a text until it fits between its demonstrations and its answer.
func (r *reranker) fit(p *prompt, text string) (fitting string, cut bool) {
	fits := func(text string) bool {
		for _, ending := range p.endings {
			if r.decoder.Count(p.lead+text+p.after+ending) > r.most {
				return false
			}
		}
		return true
	}
	if r.decoder == nil || len(text) <= p.bytes || fits(text) {
		return text, false
	}
	low, high := 0, len(text) // text[:low] fits, text[:high] does not
	for {
		middle := (low + high) / 2
		for middle > low && !utf8.RuneStart(text[middle]) {
			middle--
		}
		if middle == low {
			return text[:low], true
		}
		if fits(text[:middle]) {
			low = middle
		} else {
			high = middle
		}
	}
}

// put are rows as the model reads them behind the prompt, and how many were shortened.
func (r *reranker) put(p *prompt, rows []Row) (items []string, cut int) {
	for i := range rows {
		text, short := r.fit(p, rows[i].Text)
		if short {
			cut++
		}
		items = append(items, text+p.after)
	}
	return items, cut
}

// states are what the model makes of rows: the last hidden state at the last token, or an
// encoder's vector.
func (r *reranker) states(ctx context.Context, p *prompt, items []string, told func(n int)) ([][]float32, error) {
	if r.shown {
		return encode(ctx, r.opened, items, encoder.Options{Prompt: &p.lead}, told)
	}
	put := make([]string, len(items))
	for i := range items {
		put[i] = p.lead + items[i] // behind the model's own prompt, if it has one
	}
	return encode(ctx, r.opened, put, encoder.Options{}, told)
}

// whole is a language model that refuses to cut prompts off before their end, where the
// state is.
type whole struct{ model.Encoder }

// Encode implements encoder.Encoder.
func (w whole) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	out, err := w.Encoder.Encode(ctx, texts, o)
	for i := range out {
		if out[i].Truncated {
			info := w.Info()
			return nil, fault.Errorf(fault.Limit, "a prompt is longer than the %d tokens that %s reads: ask for fewer demonstrations with --shots", info.MaxLength, info.ID)
		}
	}
	return out, err
}

// rerank orders candidates by how similar their states are to that of the text; of equal
// ones, the lower row is first.
func (r *reranker) rerank(own []float32, candidates []hit, states map[int32][]float32) []hit {
	scores := make([]float64, len(candidates))
	order := make([]int, len(candidates))
	for i, c := range candidates {
		scores[i], order[i] = similarity(own, states[c.row], r.score), i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(candidates[a].row, candidates[b].row))
	})
	out := make([]hit, len(candidates))
	for i, at := range order {
		out[i] = hit{candidates[at].row, candidates[at].rank, float32(scores[at])}
	}
	return out
}

// of are reranked hits if stage 1 had given only its first k.
func of(reranked []hit, k int) (out []hit) {
	for _, h := range reranked {
		if int(h.rank) < k {
			out = append(out, h)
		}
	}
	return out
}

// similarity is the inner product of two vectors (equation 3) or their cosine; 0 if it is
// not a number.
func similarity(a, b []float32, score perspective.Score) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if score != perspective.Dot {
		ab /= math.Sqrt(aa * bb)
	}
	if math.IsNaN(ab) {
		return 0
	}
	return ab
}
