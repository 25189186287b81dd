package pgra

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Template says how a text is presented to a language model, and which words are its answers.
type Template struct {
	File   string   // for messages
	Keys   []string // [labels] the labels as they stand in the data
	Labels []string // [labels] the word for each

	before, middle, after string // around the text and the label
}

// Bounds of templates.
const (
	maxTemplate = 64 << 10 // bytes
	maxLabels   = 100
)

const (
	textPlace  = "{text}"
	labelPlace = "{label}"
)

var (
	place   = regexp.MustCompile(`\{[A-Za-z_ ]*\}`)
	setting = regexp.MustCompile(`^label\s+([^\s=]+)\s*=\s*(.*)$`)
)

// ParseTemplate reads a template: a line "label KEY = WORD" for each label of the data, a
// line of three dashes, and then a demonstration in which {text} and {label} stand for the two.
// Lines before the dashes may also be empty or begin with #. file names the template in errors.
func ParseTemplate(file string, b []byte) (*Template, error) {
	t := &Template{File: file}
	bad := func(format string, args ...any) error { return fmt.Errorf("%s: %w", file, fmt.Errorf(format, args...)) }
	switch {
	case len(b) > maxTemplate:
		return nil, bad("%d bytes, at most %d", len(b), maxTemplate)
	case !utf8.Valid(b):
		return nil, bad("not UTF-8")
	}
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n"), "\n")
	end := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "---" })
	if end < 0 {
		return nil, bad("no line --- between the labels and the text")
	}
	for i, line := range lines[:end] {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := t.label(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	if len(t.Keys) < 2 {
		return nil, bad("%d labels, at least 2 are needed: a line such as \"label 0 = negative\" for each", len(t.Keys))
	}
	body := strings.Trim(strings.Join(lines[end+1:], "\n"), "\n")
	for _, found := range place.FindAllString(body, -1) {
		if found != textPlace && found != labelPlace {
			return nil, bad("the placeholder %s is not known: %s and %s are", found, textPlace, labelPlace)
		}
	}
	for _, name := range []string{textPlace, labelPlace} {
		if n := strings.Count(body, name); n != 1 {
			return nil, bad("the placeholder %s occurs %d times, it must occur once", name, n)
		}
	}
	var ok bool
	t.before, t.middle, _ = strings.Cut(body, textPlace)
	if t.middle, t.after, ok = strings.Cut(t.middle, labelPlace); !ok {
		return nil, bad("%s is before %s: a model must read the text before it answers", labelPlace, textPlace)
	}
	if t.space() == "" {
		return nil, bad("%s must follow a space or a line break", labelPlace)
	}
	return t, nil
}

// label reads the line of a label.
func (t *Template) label(line string) error {
	m := setting.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("%.80q is not a label: write \"label KEY = WORD\"", line)
	}
	key, word := m[1], strings.TrimSpace(m[2])
	switch {
	case word == "" || strings.ContainsAny(word, "{}"):
		return fmt.Errorf("the label %.80q has no word, or a word with braces", key)
	case slices.Contains(t.Keys, key):
		return fmt.Errorf("the label %.80q is given twice", key)
	case slices.Contains(t.Labels, word):
		return fmt.Errorf("two labels have the word %.80q", word)
	case len(t.Keys) == maxLabels:
		return errors.New("more than 100 labels")
	}
	t.Keys, t.Labels = append(t.Keys, key), append(t.Labels, word)
	return nil
}

// space is the white space before {label}.
func (t *Template) space() string {
	return t.middle[len(strings.TrimRightFunc(t.middle, unicode.IsSpace)):]
}

// Demonstration is a text with its label.
func (t *Template) Demonstration(text string, label int) string {
	return t.before + text + t.middle + t.Labels[label] + t.after
}

// Around returns what stands before and after a text whose label the model must find. What
// follows the text ends before the white space that precedes the label.
func (t *Template) Around() (before, after string) {
	return t.before, strings.TrimSuffix(t.middle, t.space())
}

// Endings returns the possible answers after such a text: for each label, its word after that
// white space.
func (t *Template) Endings() []string {
	out := make([]string, len(t.Labels))
	for i, word := range t.Labels {
		out[i] = t.space() + word
	}
	return out
}

// Label returns the number of a label of the data. ok is false if the template does not have it.
func (t *Template) Label(key string) (n int, ok bool) {
	n = slices.Index(t.Keys, key)
	return n, n >= 0
}
