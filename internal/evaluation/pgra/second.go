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
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// reranker is the model of stage 2.
type reranker struct {
	name    string // as the user gave it
	opened  model.Encoder
	decoder model.Decoder // nil if the model cannot give probabilities of words
	shown   bool          // whether it reads demonstrations; only language models do
	score   perspective.Score
	most    int // the most tokens that it reads
}

func newReranker(m *retrieve.Model, opened model.Encoder) *reranker {
	info := opened.Info()
	score, _ := m.Score() // Try has checked it
	return &reranker{name: m.Spec.Name, opened: opened, decoder: retrieve.Decoder(opened), shown: info.Architecture == "opt", score: score, most: info.MaxLength}
}

// prompt is what a model reads before and after each text of a task.
type prompt struct {
	lead, after string // before and after a text
	endings     []string
	bytes       int // of a text that surely fits, if a decoder reads it
}

// prompt returns a task's prompt. Only language models get demonstrations: many encoders have no
// room for them, and an encoder's vector would mostly represent the demonstrations.
func (r *reranker) prompt(ctx context.Context, s *Set) (*prompt, error) {
	before, after := s.template.Around()
	p := &prompt{lead: before, after: after, endings: s.template.Endings()}
	if !r.shown {
		return p, nil
	}
	p.lead = s.prefix() + before
	least := strings.Repeat("a ", leastRoom) // a short text that must fit
	if fits, err := r.fits(ctx, p, least); err != nil || fits {
		if r.decoder != nil {
			p.bytes = r.most - r.count(p, "") // a token has a byte at least
		}
		return p, err
	}
	return nil, fault.Errorf(fault.Query, "%s: %s and the template leave no room for a text in the %d tokens that %s reads: ask for fewer with --shots", s.task.name, human.Count(len(s.Demonstrations), "demonstration"), r.most, r.name)
}

// leastRoom is the least number of tokens, roughly, that the prompt must leave for a text.
const leastRoom = 8

// count returns the number of tokens of a text with its prompt and the longest answer.
func (r *reranker) count(p *prompt, text string) (longest int) {
	for _, ending := range p.endings {
		longest = max(longest, r.decoder.Count(p.lead+text+p.after+ending))
	}
	return longest
}

// fits reports whether the model reads a text to its end. A model on a device does not count
// tokens; it has to encode the text to find out.
func (r *reranker) fits(ctx context.Context, p *prompt, text string) (bool, error) {
	if r.decoder != nil {
		return r.count(p, text) <= r.most, nil
	}
	read, err := encoder.Encode(ctx, r.opened, []string{text + p.after}, encoder.Options{Prompt: &p.lead})
	return err == nil && !read[0].Truncated, err
}

// shorten returns the longest beginning of a text that fits, or one that is a few bytes shorter.
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

// put returns the rows as they follow the prompt, and the number of those that were shortened
// to fit. For a model on a device, states shortens them.
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

// states returns a vector for each row: the last hidden state at the last token, or the vector
// of an encoder. If a language model did not read a row to its end, the row is shortened; cut counts
// these rows. What another encoder cuts off is not counted.
func (r *reranker) states(ctx context.Context, p *prompt, items []string, told func(n int)) (vectors [][]float32, cut int, err error) {
	o := encoder.Options{Prompt: &p.lead}
	if !r.shown {
		o.Prompt = nil // the model's own prompt, if it has one, precedes the template
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

// rerank sorts candidates by how similar their states are to own, the state of the text. If two
// are equal, the lower row comes first.
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

// of returns the reranked hits that were among the first k of stage 1.
func of(reranked []hit, k int) (out []hit) {
	for _, h := range reranked {
		if int(h.rank) < k {
			out = append(out, h)
		}
	}
	return out
}

// similarity returns the inner product of two vectors (equation 3) or their cosine, and 0 instead
// of NaN.
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
