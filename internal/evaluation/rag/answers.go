package rag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/vantage-search/vantage/internal/evaluation/records"
)

// Answers are the right answers to questions. The key is the question as keyOf writes it.
type Answers map[string][]string

// Of are the answers to a question, nil if there are none.
func (a Answers) Of(question string) []string { return a[keyOf(question)] }

func keyOf(question string) string {
	return strings.Join(strings.Fields(strings.ToLower(question)), " ")
}

// ReadAnswers reads JSON lines with "question" and "answers", a list of texts, or a file of
// AmbigNQ: a JSON array of questions with their annotations, whose readings ("qaPairs") are
// questions of their own. Several answers to a question are alternatives.
func ReadAnswers(r io.Reader, name string) (Answers, error) {
	b, err := records.ReadAll(r, name)
	if err != nil {
		return nil, err
	}
	a := Answers{}
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		err = records.Array(bytes.NewReader(b), name, func(_ int, entry *ambiguous) error { return entry.addTo(a) })
	} else {
		err = records.Lines(bytes.NewReader(b), name, func(_ int, row *struct {
			Question string   `json:"question"`
			Answers  []string `json:"answers"`
		}) error {
			return a.add(row.Question, row.Answers)
		})
	}
	if err == nil && len(a) == 0 {
		err = fmt.Errorf("%s: no answers: JSON lines with question and answers are expected, or a file of AmbigNQ", name)
	}
	return a, err
}

func (a Answers) add(question string, answers []string) error {
	if err := records.CheckText("question", question); err != nil {
		return err
	}
	if len(answers) == 0 {
		return errors.New("the question has no answers: leave it out")
	}
	for _, answer := range answers {
		if normal(answer) == "" {
			return fmt.Errorf("the answer %.40q has no words besides English articles", answer)
		}
	}
	key := keyOf(question)
	a[key] = append(a[key], answers...)
	return nil
}

// ambiguous is an entry of AmbigNQ (Min et al., 2020).
type ambiguous struct {
	Question    string `json:"question"`
	Annotations []struct {
		Answer json.RawMessage `json:"answer"` // of a question with a single reading
		Pairs  []struct {
			Question string   `json:"question"`
			Answer   []string `json:"answer"`
		} `json:"qaPairs"`
	} `json:"annotations"`
}

// addTo adds the answers that have words besides English articles; the published file has some without.
func (e *ambiguous) addTo(a Answers) error {
	add := func(question string, answers []string) error {
		answers = slices.DeleteFunc(answers, func(answer string) bool { return normal(answer) == "" })
		if len(answers) == 0 {
			return nil
		}
		return a.add(question, answers)
	}
	for _, annotation := range e.Annotations {
		for _, pair := range annotation.Pairs {
			if err := add(pair.Question, pair.Answer); err != nil {
				return err
			}
		}
		if annotation.Answer == nil {
			continue
		}
		var answers []string
		if err := json.Unmarshal(annotation.Answer, &answers); err != nil {
			return errors.New(`"answer" is no list of texts`)
		}
		if err := add(e.Question, answers); err != nil {
			return err
		}
	}
	return nil
}

// normal is a text as answers are compared: its words in lower case, without punctuation
// and English articles (Rajpurkar et al., 2016).
func normal(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), unicode.IsSpace)
	kept := words[:0]
	for _, word := range words {
		word = strings.Map(func(r rune) rune {
			if unicode.IsPunct(r) || unicode.IsSymbol(r) {
				return -1
			}
			return r
		}, word)
		if word != "" && word != "a" && word != "an" && word != "the" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// exact reports whether a text is one of the answers.
func exact(text string, answers []string) bool {
	for _, answer := range answers {
		if normal(text) == normal(answer) {
			return true
		}
	}
	return false
}

// within reports whether the words of an answer follow each other in one of the texts.
func within(texts, answers []string) bool {
	for _, text := range texts {
		words := " " + normal(text) + " "
		for _, answer := range answers {
			if strings.Contains(words, " "+normal(answer)+" ") {
				return true
			}
		}
	}
	return false
}
