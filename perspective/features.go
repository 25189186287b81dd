package perspective

import "strings"

// Most rows of the grammar need a word that a query does not have. features are the words
// of a text and the classes that they may begin, so that these rows need not be tried.
type features map[string]bool

// vocabulary is the classes, with what each word may begin.
type vocabulary struct {
	forms   map[string][][]item // by class
	classes map[string][]string // by word
	parents map[string][]string // by class or by the first word of a form
	open    features            // classes that any word may begin
}

func newVocabulary() vocabulary {
	v := vocabulary{map[string][][]item{}, map[string][]string{}, map[string][]string{}, features{}}
	for _, line := range strings.Split(classes, "\n") {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		parts := strings.Split(rest, ";")
		for _, word := range strings.Fields(parts[0]) {
			v.classes[word] = append(v.classes[word], name)
		}
		for _, part := range parts[1:] {
			form := compile(part)
			v.forms[name] = append(v.forms[name], form)
			for i := range form {
				for _, c := range form[i].choices {
					v.parents[c.feature()] = append(v.parents[c.feature()], name)
				}
				if !form[i].optional {
					break
				}
			}
		}
	}
	for _, name := range wildcards {
		v.spread(name, v.open)
	}
	return v
}

// is reports whether a class lists a word.
func (v *vocabulary) is(word, class string) bool {
	for _, name := range v.classes[word] {
		if name == class {
			return true
		}
	}
	return false
}

// spread adds a word or class and all classes that it may begin.
func (v *vocabulary) spread(name string, to features) {
	if !to[name] {
		to[name] = true
		for _, parent := range v.parents[name] {
			v.spread(parent, to)
		}
	}
}

// of are the features of a text.
func (v *vocabulary) of(t *text) features {
	f := features{}
	for _, k := range t.tokens {
		v.spread(k.word, f)
		for _, name := range v.classes[k.word] {
			v.spread(name, f)
		}
		for _, name := range tested {
			if passes(name, k.word) {
				v.spread(name, f)
			}
		}
	}
	return f
}

// tested are the classes that have a test.
var tested = []string{"NUM", "YEAR", "DECADE"}

// feature is what a text needs for the choice: the first word or the name.
func (c *choice) feature() string {
	if c.name != "" {
		return c.name
	}
	return c.words[0]
}

// needs are the features of which a text must have one for the item, or nil.
func (v *vocabulary) needs(it *item) (list []string) {
	if it.optional || it.neither {
		return nil
	}
	for _, c := range it.choices {
		if v.open[c.feature()] {
			return nil
		}
		list = append(list, c.feature())
	}
	return list
}

// mayFit reports whether a text has what each of the needs names.
func (f features) mayFit(needs [][]string) bool {
	for _, list := range needs {
		found := false
		for _, name := range list {
			found = found || f[name]
		}
		if !found {
			return false
		}
	}
	return true
}
