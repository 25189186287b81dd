package pcas

import (
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/joint"
)

// Depth is the number of documents of an answer that are measured: R@1, R@5 and MAP@5.
const Depth = 5

// Ks and Lambdas are the settings that the validation split chooses from. K is at least
// Depth, because otherwise an answer would have too few documents to measure.
var (
	Ks      = []int{5, 7, 10, 20, 50}
	Lambdas = []float64{.05, .1, .15, .2, .25, .3, .35, .4, .45, .5, .55, .6, .65, .7, .75, .8, .85, .9, .95}
)

// Setting is a choice of K and λ.
type Setting struct {
	K      int     `json:"k"`
	Lambda float64 `json:"lambda"`
}

// Paper is the paper's setting on its test set, for retrievers that give each text one
// vector (appendix A.1).
var Paper = Setting{5, joint.DefaultLambda}

// PaperMaxSim is the same for ColBERT.
var PaperMaxSim = Setting{5, joint.DefaultLambdaMaxSim}

// answer is what a system finds for a question.
type answer struct {
	documents []int // best first, at most Depth
	context   int   // index of the chosen context; -1 if the system chooses none
}

// answers has the systems' answers to the questions of a split, in the order of the questions.
type answers struct {
	or, b1, b2, b3 []answer
	candidates     [][]joint.Candidate // from which PCAS ranks at any setting: for each question, as many as the greatest of Ks
}

// answer asks all systems all questions. progress is called after each question, with the
// number of questions so far.
func (x *space) answer(questions []Question, progress func(done int)) (*answers, error) {
	out := &answers{}
	for i := range questions {
		if err := x.ctx.Err(); err != nil {
			return nil, err
		}
		if err := x.ask(&questions[i], out); err != nil {
			return nil, err
		}
		progress(i + 1)
	}
	return out, nil
}

func (x *space) ask(q *Question, out *answers) error {
	or, err := x.rank(x.query(q.or()), Depth)
	if err != nil {
		return err
	}
	b1, err := x.rank(x.query(joint.Join(q.Text, q.Contexts...)), Depth)
	if err != nil {
		return err
	}
	out.or, out.b1 = append(out.or, answer{or, -1}), append(out.b1, answer{b1, -1})
	question := x.query(q.Text)
	if joint.Zero(question) { // if the encoder knows no word of it, the question finds nothing
		out.b2, out.b3, out.candidates = append(out.b2, answer{nil, -1}), append(out.b3, answer{nil, -1}), append(out.candidates, nil)
		return nil
	}
	contexts := x.all(q.Contexts, encoder.Query)
	candidates, err := x.by.candidates(question, contexts, slices.Max(Ks))
	if err != nil {
		return err
	}
	out.candidates = append(out.candidates, candidates)
	out.b2 = append(out.b2, answerOf(joint.ByDocument(candidates[:min(Depth, len(candidates))])))
	nearest, err := x.by.nearest(question, x.all(q.Contexts, encoder.Document))
	if err != nil {
		return err
	}
	b3, err := x.rank(x.query(joint.Join(q.Text, q.Contexts[nearest])), Depth)
	if err != nil {
		return err
	}
	out.b3 = append(out.b3, answer{b3, nearest})
	return nil
}

// pcas returns the answers of PCAS at a setting. With a smaller K, it ranks only the first
// candidates.
func (a *answers) pcas(s Setting) []answer {
	out := make([]answer, len(a.candidates))
	for i, candidates := range a.candidates {
		out[i] = answerOf(joint.Rank(candidates[:min(s.K, len(candidates))], s.Lambda))
	}
	return out
}

func answerOf(pairs []joint.Pair) answer {
	a := answer{context: -1}
	for _, p := range pairs[:min(Depth, len(pairs))] {
		a.documents = append(a.documents, int(p.Document))
	}
	if len(pairs) > 0 {
		a.context = pairs[0].Context
	}
	return a
}
