package pgra

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/records"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Row is a text with its label, which is an index into the template's labels.
type Row struct {
	ID    string // the split and the line
	Text  string
	Label int
}

// Set is a task's rows.
type Set struct {
	task     *task
	template *Template

	Demonstrations []Row
	Evidence       []Row // the training split without demonstrations, texts of test rows, and repeated texts
	Test           []Row
	Train          int // rows of the training split
	Empty          int // rows without a text, which are left out
	Tested         int // rows of the training split with the text of a test row
	Repeated       int // rows of the training split with the text of an earlier row
}

// drawing has the options of readSet.
type drawing struct {
	seed  uint64
	shots int // number of demonstrations
	rows  int // the most rows that are tested; 0: all
}

// readSet reads a task's files. It draws the test rows, if they have no file, and the
// demonstrations. Every task has its own random stream, so its draw does not depend on which
// other tasks are chosen.
func readSet(ctx context.Context, dir string, number int, t *Template, d drawing) (*Set, error) {
	s := &Set{task: &tasks[number], template: t}
	train, err := s.read(ctx, dir, s.task.train, "train")
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(d.seed, uint64(number)))
	if s.task.test == "" {
		n := drawnRows
		if len(train) < leastRows {
			n = len(train) / 2
		}
		s.Test, train = draw(train, n, rng)
	} else if s.Test, err = s.read(ctx, dir, s.task.test, "test"); err != nil {
		return nil, err
	}
	s.Train = len(train)
	s.clean(train)
	if s.Demonstrations, err = s.demonstrate(d.shots, rng); err != nil {
		return nil, fault.As(fault.Input, fmt.Errorf("%s: %w", s.task.train, err))
	}
	if d.rows > 0 && d.rows < len(s.Test) { // last, so that nothing else depends on it
		s.Test, _ = draw(s.Test, d.rows, rng)
	}
	if len(s.Evidence) == 0 || len(s.Test) == 0 {
		return nil, fault.Errorf(fault.Input, "%s: %s has %d rows of evidence and %d test rows: at least one of each is needed", dir, s.task.name, len(s.Evidence), len(s.Test))
	}
	return s, nil
}

// read reads a file of a task.
func (s *Set) read(ctx context.Context, dir, name, split string) ([]Row, error) {
	return inputs.Read(ctx, filepath.Join(dir, name), func(r io.Reader, file string) ([]Row, error) {
		b, err := records.ReadAll(r, file)
		if err != nil {
			return nil, err
		}
		var rows []Row
		for number := 1; len(b) > 0; number++ {
			var line []byte
			line, b, _ = bytes.Cut(b, []byte("\n"))
			row, err := s.row(strings.TrimSuffix(string(line), "\r"))
			switch {
			case err != nil:
				return nil, fault.As(fault.Input, fmt.Errorf("%s:%d: %w", file, number, err))
			case row.Text == "":
				s.Empty++
				continue
			}
			row.ID = fmt.Sprintf("%s-%d", split, number)
			rows = append(rows, row)
		}
		if len(rows) == 0 {
			return nil, fault.Errorf(fault.Input, "%s: has no rows", file)
		}
		return rows, nil
	})
}

// row parses a line: "label text", or CoLA's four columns, source, label, mark and sentence.
func (s *Set) row(line string) (Row, error) {
	key, text, ok := strings.Cut(line, " ")
	if s.task.columns {
		columns := strings.Split(line, "\t")
		if len(columns) != 4 {
			return Row{}, fmt.Errorf("%d columns, must be 4: source, label, mark and sentence", len(columns))
		}
		key, text, ok = columns[1], columns[3], true
	}
	if !ok {
		return Row{}, fmt.Errorf("%.80q is not a label, a space and a text", line)
	}
	label, ok := s.template.Label(key)
	if !ok {
		return Row{}, fmt.Errorf("the label %.80q is not known: %s has %s", key, s.template.File, strings.Join(s.template.Keys, ", "))
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return Row{}, nil
	}
	return Row{Text: text, Label: label}, records.CheckText("text", text)
}

// draw draws n rows at random, and returns them and the rest, both in the order of rows.
func draw(rows []Row, n int, rng *rand.Rand) (drawn, rest []Row) {
	chosen := make([]bool, len(rows))
	for _, i := range rng.Perm(len(rows))[:n] {
		chosen[i] = true
	}
	for i, row := range rows {
		if chosen[i] {
			drawn = append(drawn, row)
		} else {
			rest = append(rest, row)
		}
	}
	return drawn, rest
}

// clean makes the evidence from the training split. It leaves out texts of test rows, because
// such a row would find itself, and its label.
func (s *Set) clean(train []Row) {
	tested, seen := map[string]bool{}, map[string]bool{}
	for _, row := range s.Test {
		tested[row.Text] = true
	}
	for _, row := range train {
		switch {
		case tested[row.Text]:
			s.Tested++
		case seen[row.Text]:
			s.Repeated++
		default:
			seen[row.Text] = true
			s.Evidence = append(s.Evidence, row)
		}
	}
}

// demonstrate takes n demonstrations out of the evidence, in a random order. Their labels are as
// evenly distributed as possible, which those of the paper are not (§2.2: "randomly sampled"):
// eight of them would often lack one of six labels.
func (s *Set) demonstrate(n int, rng *rand.Rand) (out []Row, err error) {
	if n >= len(s.Evidence) {
		return nil, fmt.Errorf("%d rows, and %d demonstrations are asked for: leave some to be retrieved, with a smaller --shots", len(s.Evidence), n)
	}
	order := rng.Perm(len(s.Evidence))
	labels := rng.Perm(len(s.template.Labels)) // if n is not divisible, the first labels get one more
	var taken []int
	for at := 0; len(taken) < n; at++ {
		label := labels[at%len(labels)]
		next := slices.IndexFunc(order, func(i int) bool { return s.Evidence[i].Label == label })
		if next < 0 {
			continue // no more of this label
		}
		taken = append(taken, order[next])
		order = slices.Delete(order, next, next+1)
	}
	rng.Shuffle(len(taken), func(i, j int) { taken[i], taken[j] = taken[j], taken[i] })
	for _, i := range taken {
		out = append(out, s.Evidence[i])
	}
	slices.Sort(taken)
	for _, i := range slices.Backward(taken) {
		s.Evidence = slices.Delete(s.Evidence, i, i+1)
	}
	return out, nil
}

// prefix returns the demonstrations as they precede every text.
func (s *Set) prefix() string {
	var b strings.Builder
	for _, d := range s.Demonstrations {
		b.WriteString(s.template.Demonstration(d.Text, d.Label) + "\n\n")
	}
	return b.String()
}

// about describes a set for the report.
func (s *Set) about() Task {
	t := Task{Name: s.task.name, Metric: s.task.metric(), Labels: s.template.Labels, Train: s.Train, Test: len(s.Test), Evidence: len(s.Evidence),
		Empty: s.Empty, Tested: s.Tested, Repeated: s.Repeated, Shown: []string{}}
	for _, d := range s.Demonstrations {
		t.Shown = append(t.Shown, d.ID)
	}
	guesses := make([]int, len(s.Test))
	for i := range guesses {
		guesses[i] = s.majority()
		t.Words += float64(len(strings.Fields(s.Test[i].Text))) / float64(len(s.Test))
	}
	t.Majority = s.score(guesses)
	return t
}
