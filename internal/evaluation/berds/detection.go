package berds

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Judgement is one row of BERDS' test of perspective detection: whether a
// document contains a perspective, as its authors judged.
type Judgement struct {
	Question, ID, Document, Perspective string
	Contains                            bool
}

var detectionHeader = []string{"question", "id", "document", "perspective", "label"}

// ReadDetection reads pers_det.test.tsv: tabs between fields quoted as in CSV,
// a header, labels 0 and 1, every id once.
func ReadDetection(r io.Reader, name string) ([]Judgement, error) {
	b, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	rows := csv.NewReader(bytes.NewReader(b))
	rows.Comma, rows.FieldsPerRecord, rows.ReuseRecord = '\t', len(detectionHeader), true
	header, err := rows.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: empty: a header %q is expected", name, detectionHeader)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, located(err))
	}
	if !slices.Equal(header, detectionHeader) {
		return nil, fmt.Errorf("%s:1: the header is %.200q, not %q", name, header, detectionHeader)
	}
	var judgements []Judgement
	lines := map[string]int{} // by id
	for {
		fields, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%w", name, located(err))
		}
		line, _ := rows.FieldPos(0)
		for i, field := range fields {
			if err := checkText(detectionHeader[i], field); err != nil {
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
		return nil, fmt.Errorf("%s: no rows behind the header", name)
	}
	return judgements, nil
}

// located is an error of the CSV reader that starts with its line.
func located(err error) error {
	var e *csv.ParseError
	if errors.As(err, &e) {
		return fmt.Errorf("%d:%d: %w", e.Line, e.Column, e.Err)
	}
	return err
}

// DetectionStatistics describe a test of perspective detection.
type DetectionStatistics struct {
	File         string `json:"file"`
	Rows         int    `json:"rows"`
	Positive     int    `json:"positive"`
	Questions    int    `json:"questions"`
	Perspectives int    `json:"perspectives"`
	Documents    int    `json:"documents"`
	Repeated     int    `json:"repeated"`        // rows whose question, document and perspective an earlier row has
	Pairs        int    `json:"pairs"`           // different (question, document)
	Supporting   int    `json:"supporting"`      // of these, those that contain one perspective
	ContainMany  int    `json:"containing_more"` // and more than one
	// Random is the expected result of guessing positive with the share of
	// positives.
	Random Detection `json:"random"`
}

// Detection is the result of a detector (paper, Table 7).
type Detection struct {
	Positive float64 `json:"positive"` // share of what it calls positive
	Accuracy float64 `json:"accuracy"`
	F1       float64 `json:"f1"`
}

// DescribeDetection counts what a test of perspective detection has.
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

// random is the accuracy and F1 of the table of confusion that is expected of
// guessing positive with the share p of positives: p² are rightly called positive,
// (1−p)² rightly negative, and precision and recall are both p.
func random(p float64) Detection {
	return Detection{Positive: p, Accuracy: p*p + (1-p)*(1-p), F1: p}
}
