package perspective

import (
	"strings"
	"sync"
)

// lexicon is the grammar with its words as numbers.
type lexicon struct {
	symbols  map[string]symbol   // of the words and names in patterns
	meanings map[string][]symbol // of a word in a text: itself and its classes
	forms    [][]pattern         // of a class, by its number
	rows     []row
	openers  []pattern
	idea     pattern // of words before a claim
	about    pattern // of words before the subject of a text
}

// row is a row of the grammar: what a text asks for if it fits the pattern.
type row struct {
	asks    string
	pattern pattern
}

var (
	known lexicon
	once  sync.Once
)

// readGrammar reads classes and grammar with the first query, so that a page need not wait for
// them.
func readGrammar() {
	l := &known
	l.symbols, l.meanings = map[string]symbol{}, map[string][]symbol{}
	for names := special; names != ""; {
		var name string
		name, names = cut(names, ' ')
		l.symbols[name] = symbol(len(l.symbols))
	}
	for lines := classes; lines != ""; { // the numbers of classes come before those of words
		var line string
		line, lines = cut(lines, '\n')
		name, _ := cut(line, ' ')
		l.symbols[name] = symbol(len(l.symbols))
		l.meanings[name] = []symbol{l.symbols[name]}
	}
	l.forms = make([][]pattern, len(l.symbols))
	for lines := classes; lines != ""; {
		var line string
		line, lines = cut(lines, '\n')
		name, list := cut(line, ' ')
		words, forms := cut(list, ';')
		s := l.symbols[name]
		for words != "" {
			var word string
			if word, words = cut(words, ' '); word == "" {
				continue
			}
			l.meanings[word] = append(l.meanings[word], s)
			switch name {
			case "LAND":
				if len(word) > 3 {
					l.meanings["-"+word[:4]] = l.meanings["NATION"]
				}
			case "PERSONS", "SPEAKERS":
				l.add(singular(word), "PERSON")
			case "OPPOSE":
				l.add(gerund(word), "OPPOSING")
				l.add(past(word), name)
			case "DEFEND":
				l.add(gerund(word), "DEFENDING")
				l.add(past(word), name)
			case "TALK":
				l.add(gerund(word), name)
				l.add(past(word), name)
			}
		}
		for forms != "" {
			var form string
			form, forms = cut(forms[1:], ';') // after the space
			l.forms[s] = append(l.forms[s], l.pattern(form))
		}
	}
	for rows := grammar; rows != ""; {
		var line string
		line, rows = cut(rows, '\n')
		asks, p := cut(line, ' ')
		l.rows = append(l.rows, row{asks[:len(asks)-1], l.pattern(p)})
	}
	for list := openers; list != ""; {
		var opener string
		opener, list = cut(list, ';')
		l.openers = append(l.openers, l.pattern(strings.TrimSpace(opener)))
	}
	l.idea = l.pattern("DET? IDEA that?")
	l.about = l.pattern("SUBJECT")
}

// add puts a word into a class.
//
//go:noinline
func (l *lexicon) add(word, class string) {
	l.meanings[word] = append(l.meanings[word], l.symbols[class])
}

// pattern reads a pattern.
func (l *lexicon) pattern(s string) (p pattern) {
	for s != "" {
		var it item
		var text string
		text, s = cut(s, ' ')
		if n := len(text) - 1; text[n] == '?' {
			text, it.optional = text[:n], true
		}
		if text[0] == '[' {
			text, it.joint = text[1:len(text)-1], true
		}
		it.loose = s == "X" && strings.Contains(loosely, " "+text[:strings.IndexByte(text+"|", '|')]+" ")
		for text != "" {
			var choice string
			choice, text = cut(text, '|')
			var phrase []symbol
			for choice != "" {
				var word string
				word, choice = cut(choice, '_')
				n, ok := l.symbols[word]
				if !ok {
					n = symbol(len(l.symbols))
					l.symbols[word] = n
					l.meanings[word] = append(l.meanings[word], n)
				}
				phrase = append(phrase, n)
			}
			it.phrases = append(it.phrases, phrase)
		}
		p = append(p, it)
	}
	return p
}

// nation is the class of an adjective or people that begins like its country: "german". The
// class lists the others, such as "dutch".
func (l *lexicon) nation(word string) []symbol {
	for _, end := range []string{"an", "ese", "ish", "i"} {
		if len(word) > 5 && strings.HasSuffix(word, end) {
			return l.meanings["-"+word[:4]]
		}
	}
	return nil
}

// gerund is a verb with -ing: "criticising" of "criticise".
func gerund(verb string) string {
	if n := len(verb) - 1; verb[n] == 'e' {
		verb = verb[:n]
	}
	return verb + "ing"
}

// past is the past tense of a regular verb: "criticised" of "criticise".
func past(verb string) string {
	switch n := len(verb) - 1; verb[n] {
	case 'e':
		return verb + "d"
	case 'y':
		return verb[:n] + "ied"
	}
	return verb + "ed"
}

// singular is a word without s or 's. Of s' only the apostrophe is removed.
func singular(word string) string {
	n := len(word) - 1
	switch {
	case possessive(word):
		return strings.TrimSuffix(word[:n], "'")
	case n < 3 || word[n] != 's' || word == "news":
		return word
	case word[n-2:] == "ies":
		return word[:n-2] + "y"
	}
	return word[:n]
}

// loosely has words between perspective and root that may be missing if there is no root: "what do
// nurses think (about it)".
const loosely = " ON OF VIEWON STATON of about to with "
