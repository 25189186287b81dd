package pcas

import (
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/wasm/significance"
)

// Figure is a mean over questions, from 0 to 1, with its bootstrap interval of 95 %.
type Figure struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// System has the figures of a system on a split.
type System struct {
	Name     string   `json:"name"`
	Setting  *Setting `json:"setting,omitempty"` // only of PCAS
	R1       Figure   `json:"r1"`
	R5       Figure   `json:"r5"`
	MAP5     Figure   `json:"map5"`
	Contexts *Figure  `json:"contexts_r1"` // R@1 of contexts, over the questions with a right context; null if there are none, or if the system chooses no context
}

// Split has the figures of all systems on one split.
type Split struct {
	Name        string   `json:"name"`
	Questions   int      `json:"questions"`
	WithContext int      `json:"with_context"` // questions that have a right context
	Systems     []System `json:"systems"`
}

// Tried has the figures of PCAS at one setting on the validation split, without intervals.
type Tried struct {
	Setting
	R1       float64  `json:"r1"`
	R5       float64  `json:"r5"`
	MAP5     float64  `json:"map5"`
	Contexts *float64 `json:"contexts_r1"` // null if no question has a right context
}

// better reports whether a setting has a higher MAP@5 than another. Equal means may differ by rounding, because the
// same values are added up in another order.
func (t *Tried) better(than *Tried) bool { return t.MAP5 > than.MAP5+1e-12 }

// measures has a system's values for each question, in their order.
type measures struct{ r1, r5, map5, contexts []float64 }

// measure measures answers. m.contexts has values only for questions with a right context.
func measure(questions []Question, answers []answer) (m measures) {
	for i := range questions {
		q, a := &questions[i], &answers[i]
		m.r1, m.r5 = append(m.r1, recall(q, a, 1)), append(m.r5, recall(q, a, Depth))
		m.map5 = append(m.map5, averagePrecision(q, a))
		if q.Right >= 0 {
			m.contexts = append(m.contexts, one(a.context == q.Right))
		}
	}
	return m
}

// recall is the share of the relevant documents that are among the first k.
func recall(q *Question, a *answer, k int) float64 {
	found := 0
	for _, d := range a.documents[:min(k, len(a.documents))] {
		if slices.Contains(q.Gold, d) {
			found++
		}
	}
	return float64(found) / float64(len(q.Gold))
}

// averagePrecision is trec_eval's map_cut.5.
func averagePrecision(q *Question, a *answer) float64 {
	found, sum := 0, 0.0
	for i, d := range a.documents[:min(Depth, len(a.documents))] {
		if slices.Contains(q.Gold, d) {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(len(q.Gold))
}

func one(right bool) float64 {
	if right {
		return 1
	}
	return 0
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 {
		return 0
	}
	return sum / float64(len(values))
}

// system returns the means of a system's answers, with their intervals.
func system(name string, questions []Question, a []answer, tests compare.Tests) (s System, err error) {
	m := measure(questions, a)
	s.Name = name
	for _, part := range []struct {
		to     *Figure
		values []float64
	}{{&s.R1, m.r1}, {&s.R5, m.r5}, {&s.MAP5, m.map5}} {
		if *part.to, err = figure(part.values, tests); err != nil {
			return s, err
		}
	}
	chooses := slices.ContainsFunc(a, func(a answer) bool { return a.context >= 0 })
	if chooses && len(m.contexts) > 0 {
		f, err := figure(m.contexts, tests)
		if err != nil {
			return s, err
		}
		s.Contexts = &f
	}
	return s, nil
}

func figure(values []float64, tests compare.Tests) (Figure, error) {
	interval, err := significance.Bootstrap(values, 0.95, tests.Rounds, tests.Seed)
	return Figure{mean(values), interval.Low, interval.High}, err
}

// split measures all systems on a split, PCAS at the given settings.
func split(name string, questions []Question, a *answers, settings []Setting, tests compare.Tests) (*Split, error) {
	out := &Split{Name: name, Questions: len(questions)}
	for i := range questions {
		if questions[i].Right >= 0 {
			out.WithContext++
		}
	}
	add := func(name string, a []answer, setting *Setting) error {
		s, err := system(name, questions, a, tests)
		s.Setting = setting
		out.Systems = append(out.Systems, s)
		return err
	}
	for _, s := range []struct {
		name string
		of   []answer
	}{{"OR", a.or}, {"B1", a.b1}, {"B2", a.b2}, {"B3", a.b3}} {
		if err := add(s.name, s.of, nil); err != nil {
			return nil, err
		}
	}
	for _, setting := range settings {
		if err := add("PCAS", a.pcas(setting), &setting); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sweep tries all settings on the validation split. The best one has the highest MAP@5. If
// several have, it is the first of them.
func sweep(questions []Question, a *answers) (tried []Tried, best Setting) {
	highest := 0
	for _, k := range Ks {
		for _, lambda := range Lambdas {
			s := Setting{k, lambda}
			m := measure(questions, a.pcas(s))
			t := Tried{Setting: s, R1: mean(m.r1), R5: mean(m.r5), MAP5: mean(m.map5)}
			if len(m.contexts) > 0 {
				share := mean(m.contexts)
				t.Contexts = &share
			}
			if tried = append(tried, t); t.better(&tried[highest]) {
				highest = len(tried) - 1
			}
		}
	}
	return tried, tried[highest].Setting
}
