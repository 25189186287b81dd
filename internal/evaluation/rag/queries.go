package rag

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
)

// The sources of texts that are no retrievers (Table 5).
const (
	None = "no"
	Gold = "gold"
)

// kind says what is written about a task's queries.
type kind uint8

const (
	none kind = iota
	questions
	essays
)

func (k kind) String() string { return [...]string{"none", "questions", "essays"}[k] }

// depth is how many texts are read (Section 3.3).
func (k kind) depth() int {
	if k == essays {
		return 5
	}
	return 1
}

// kindOf is essays if a task's queries take both sides, questions if some have answers or
// if the task has no perspectives apart from its queries, as AmbigQA.
func kindOf(t *pir.Task, answers Answers) kind {
	pro, con := false, false
	for _, label := range t.Labels {
		side := sideOf(label)
		pro, con = pro || side > 0, con || side < 0
	}
	switch {
	case pro && con:
		return essays
	case !t.OwnPerspectives() || slices.ContainsFunc(t.Queries, func(q string) bool { return answers.Of(q) != nil }):
		return questions
	}
	return none
}

// sideOf is 1 for support, −1 for opposition, and 0 for other labels.
func sideOf(label string) float64 {
	switch label {
	case "support":
		return 1
	case "undermine", "oppose":
		return -1
	}
	return 0
}

// queries are the queries of a task that the chat model is asked about.
type queries struct {
	task       *pir.Task
	kind       kind
	chosen     []int      // queries of the task, ascending
	answers    [][]string // of each, if the queries are questions; nil if there are none
	repeated   int        // queries left out because an earlier one asks the same
	unanswered int        // questions left out because the file has no answer
	golds      map[string][]int
}

// chooseQueries leaves out what repeats, takes no side or has no answer, and draws a sample of the rest.
func chooseQueries(t *pir.Task, answers Answers, sample int, seed uint64) *queries {
	set := &queries{task: t, kind: kindOf(t, answers), golds: map[string][]int{}}
	for i := range t.Queries {
		key := set.key(i)
		if set.kind == essays && sideOf(t.Labels[i]) == 0 {
			continue
		}
		_, known := set.golds[key]
		for _, g := range t.Gold[i] {
			if !slices.Contains(set.golds[key], g) {
				set.golds[key] = append(set.golds[key], g)
			}
		}
		switch {
		case known:
			set.repeated++
		case set.kind == questions && answers != nil && answers.Of(t.Queries[i]) == nil:
			set.unanswered++
		default:
			set.chosen = append(set.chosen, i)
		}
	}
	if sample > 0 && sample < len(set.chosen) {
		drawn := rand.New(rand.NewPCG(seed, 0)).Perm(len(set.chosen))[:sample]
		for i, d := range drawn {
			drawn[i] = set.chosen[d]
		}
		slices.Sort(drawn)
		set.chosen = drawn
	}
	if set.kind == questions && answers != nil {
		for _, i := range set.chosen {
			set.answers = append(set.answers, answers.Of(t.Queries[i]))
		}
	}
	return set
}

// key is equal for queries that ask the same.
func (s *queries) key(i int) string {
	if s.kind == essays {
		return s.stance(i) + "\n" + s.task.Roots[i]
	}
	return strings.Join(strings.Fields(s.task.Queries[i]), " ")
}

func (s *queries) stance(i int) string {
	if sideOf(s.task.Labels[i]) > 0 {
		return "support"
	}
	return "oppose"
}

// gold are the gold texts of all queries that ask the same.
func (s *queries) gold(i int) []int { return s.golds[s.key(i)] }
