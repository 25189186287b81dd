package berds

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/records"
)

// Judgement is one row of BERDS' test of perspective detection: the authors' judgement
// whether a document contains a perspective.
type Judgement struct {
	Question, ID, Document, Perspective string
	Contains                            bool
}

var detectionHeader = []string{"question", "id", "document", "perspective", "label"}

// ReadDetection reads pers_det.test.tsv. Its fields are separated by tabs and quoted as
// in CSV; it has a header, labels 0 and 1, and unique ids.
func ReadDetection(r io.Reader, name string) ([]Judgement, error) {
	b, err := records.ReadAll(r, name)
	if err != nil {
		return nil, err
	}
	rows := csv.NewReader(bytes.NewReader(b))
	rows.Comma, rows.ReuseRecord = '\t', true // every row has as many fields as the header
	header, err := rows.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: empty: a header %q is expected", name, detectionHeader)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, records.Located(err))
	}
	if !slices.Equal(header, detectionHeader) {
		return nil, fmt.Errorf("%s:1: the header is %.200q, not %q", name, header, detectionHeader)
	}
	var judgements []Judgement
	lines := map[string]int{} // line of each id
	for {
		fields, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%w", name, records.Located(err))
		}
		line, _ := rows.FieldPos(0)
		for i, field := range fields {
			if err := records.CheckText(detectionHeader[i], field); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, line, err)
			}
		}
		j := Judgement{fields[0], fields[1], fields[2], fields[3], fields[4] == "1"}
		if !j.Contains && fields[4] != "0" {
			return nil, fmt.Errorf("%s:%d: the label is %.40q, must be 0 or 1", name, line, fields[4])
		}
		if earlier := lines[j.ID]; earlier > 0 {
			return nil, fmt.Errorf("%s:%d: the id %.80q is already taken by line %d", name, line, j.ID, earlier)
		}
		lines[j.ID] = line
		judgements = append(judgements, j)
	}
	if len(judgements) == 0 {
		return nil, fmt.Errorf("%s: no rows after the header", name)
	}
	return judgements, nil
}

// DetectionStatistics describe a test of perspective detection.
type DetectionStatistics struct {
	File         string `json:"file"`
	Rows         int    `json:"rows"`
	Positive     int    `json:"positive"`
	Questions    int    `json:"questions"`
	Perspectives int    `json:"perspectives"`
	Documents    int    `json:"documents"`
	Repeated     int    `json:"repeated"`        // rows that repeat an earlier row's question, document and perspective
	Pairs        int    `json:"pairs"`           // distinct (question, document) pairs
	Supporting   int    `json:"supporting"`      // pairs that contain one perspective
	ContainMany  int    `json:"containing_more"` // pairs that contain more than one
	// Random is the expected result of guessing positive as often as the data is
	// positive.
	Random Detection `json:"random"`
	// Detector has the results of the detector that was asked for.
	Detector *DetectorResult `json:"detector,omitempty"`
	// Also has those of the other detectors that were asked for.
	Also []*DetectorResult `json:"also,omitempty"`
}

// DescribeDetection computes the statistics of a test of perspective detection.
func DescribeDetection(file string, judgements []Judgement) DetectionStatistics {
	type pair struct{ question, document string }
	type triple struct {
		pair
		perspective string
	}
	s := DetectionStatistics{File: file, Rows: len(judgements)}
	questions, documents, perspectives := map[string]bool{}, map[string]bool{}, map[string]bool{}
	seen, contained := map[triple]bool{}, map[pair]map[string]bool{}
	for _, j := range judgements {
		questions[j.Question], documents[j.Document], perspectives[j.Perspective] = true, true, true
		p := pair{j.Question, j.Document}
		if seen[triple{p, j.Perspective}] {
			s.Repeated++
		}
		seen[triple{p, j.Perspective}] = true
		if contained[p] == nil {
			contained[p] = map[string]bool{}
		}
		if j.Contains {
			s.Positive++
			contained[p][j.Perspective] = true
		}
	}
	for _, perspectives := range contained {
		switch len(perspectives) {
		case 0:
		case 1:
			s.Supporting++
		default:
			s.ContainMany++
		}
	}
	s.Questions, s.Documents, s.Perspectives, s.Pairs = len(questions), len(documents), len(perspectives), len(contained)
	s.Random = random(ratio(s.Positive, s.Rows))
	return s
}

// random is the expected accuracy and F1 of guessing positive with probability p, the
// share of positives: p² of the rows are true positives, (1−p)² true negatives, and
// precision and recall are both p.
func random(p float64) Detection {
	return Detection{Positive: p, Accuracy: p*p + (1-p)*(1-p), F1: p}
}
