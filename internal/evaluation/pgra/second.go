package pgra

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
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
	return &reranker{name: m.Spec.Name, opened: opened, decoder: retrieve.Decoder(opened), shown: info.Architecture == "opt", score: score, most: info.MaxLength}
}

// prompt is how a task's texts are put to a model.
type prompt struct {
	lead, after string // before and after a text
	endings     []string
	bytes       int // of a text that surely fits, if a decoder reads it
}

// prompt of a task. Other models than language models read a text without demonstrations:
// many have no room for them, and their vectors would be of the demonstrations.
func (r *reranker) prompt(ctx context.Context, s *Set) (*prompt, error) {
	before, after := s.template.Around()
	p := &prompt{lead: before, after: after, endings: s.template.Endings()}
	if !r.shown {
		return p, nil
	}
	p.lead = s.prefix() + before
	least := strings.Repeat("a ", leastRoom) // a short text, which must fit
	if fits, err := r.fits(ctx, p, least); err != nil || fits {
		if r.decoder != nil {
			p.bytes = r.most - r.count(p, "") // a token has a byte at least
		}
		return p, err
	}
	return nil, fault.Errorf(fault.Query, "%s: %d demonstrations and the template leave no room for a text in the %d tokens that %s reads: ask for fewer with --shots", s.task.name, len(s.Demonstrations), r.most, r.name)
}

// leastRoom is about the least number of tokens that a text must have room for.
const leastRoom = 8

// count is the number of tokens of a text with what stands around it and the longest answer.
func (r *reranker) count(p *prompt, text string) (longest int) {
	for _, ending := range p.endings {
		longest = max(longest, r.decoder.Count(p.lead+text+p.after+ending))
	}
	return longest
}

// fits reports whether the model reads a text to its end. One on a device answers nothing,
// and can only be asked to read it.
func (r *reranker) fits(ctx context.Context, p *prompt, text string) (bool, error) {
	if r.decoder != nil {
		return r.count(p, text) <= r.most, nil
	}
	read, err := encoder.Encode(ctx, r.opened, []string{text + p.after}, encoder.Options{Prompt: &p.lead})
	return err == nil && !read[0].Truncated, err
}

// shorten is the first part of a text that does not fit, as long as possible.
func (r *reranker) shorten(ctx context.Context, p *prompt, text string) (string, error) {
	low, high := 0, len(text) // text[:low] fits, text[:high] does not
	for {
		middle := (low + high) / 2
		for middle > low && !utf8.RuneStart(text[middle]) {
			middle--
		}
		if middle == low {
			return text[:low], nil
		}
		fits, err := r.fits(ctx, p, text[:middle])
		switch {
		case err != nil:
			return "", err
		case fits:
			low = middle
		default:
			high = middle
		}
	}
}

// put are rows as the model reads them behind the prompt, and how many were shortened for
// that. A model on a device is asked later, by states.
func (r *reranker) put(ctx context.Context, p *prompt, rows []Row) (items []string, cut int, err error) {
	for i := range rows {
		text := rows[i].Text
		if r.decoder != nil && len(text) > p.bytes && r.count(p, text) > r.most {
			if text, err = r.shorten(ctx, p, text); err != nil {
				return nil, 0, err
			}
			cut++
		}
		items = append(items, text+p.after)
	}
	return items, cut, nil
}

// states are what the model makes of rows: the last hidden state at the last token, or an
// encoder's vector. Prompts that were cut off before their end are shortened and counted.
func (r *reranker) states(ctx context.Context, p *prompt, items []string, told func(n int)) (vectors [][]float32, cut int, err error) {
	o := encoder.Options{Prompt: &p.lead}
	if !r.shown {
		o.Prompt = nil // the model's own prompt, if it has one, stands before the template
		items = slices.Clone(items)
		for i := range items {
			items[i] = p.lead + items[i]
		}
	}
	err = portions(items, func(some []string) error {
		found, err := encoder.Encode(ctx, r.opened, some, o)
		for i := range found {
			if found[i].Truncated && r.shown {
				text, err := r.shorten(ctx, p, strings.TrimSuffix(some[i], p.after))
				if err != nil {
					return err
				}
				short, err := encoder.Encode(ctx, r.opened, []string{text + p.after}, o)
				if err != nil {
					return err
				}
				found[i], cut = short[0], cut+1
			}
			vectors = append(vectors, found[i].Vector)
		}
		told(len(some))
		return err
	})
	return vectors, cut, err
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
