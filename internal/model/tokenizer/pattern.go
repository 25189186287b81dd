package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

type jsonObject = json.RawMessage

// maxPattern is the greatest length of a pattern in bytes.
const maxPattern = 1000

// finder returns a function that finds all matches in a text from left to right, as
// pairs of start and end. There are no empty matches.
func (p *pattern) finder() (func(text string) [][]int, error) {
	switch {
	case p.String != nil && *p.String != "" && p.Regex == nil:
		literal := *p.String
		return func(text string) (matches [][]int) {
			for at := 0; ; {
				i := strings.Index(text[at:], literal)
				if i < 0 {
					return matches
				}
				matches = append(matches, []int{at + i, at + i + len(literal)})
				at += i + len(literal)
			}
		}, nil
	case p.Regex != nil && p.String == nil:
		r, err := simpleRegexp(*p.Regex)
		if err != nil {
			return nil, err
		}
		return func(text string) [][]int { return r.FindAllStringIndex(text, -1) }, nil
	}
	return nil, errors.New(`a pattern that is neither {"String": …} nor {"Regex": …}, or is empty`)
}

// white is the meaning of \s in Oniguruma: Unicode's White_Space. It begins with a class, so that
// a hyphen before it is refused, and ends with a range, so that a hyphen after it makes no other.
const white = `\s\v\x{85}\x{a0}\x{1680}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{2000}-\x{200a}`

// otherRepetition begins a repetition in Oniguruma that Go takes for literal text: {,2} or {02}.
var otherRepetition = regexp.MustCompile(`^\{(,[0-9]+|0[0-9]+(,[0-9]*)?|[0-9]+,0[0-9]+)\}`)

// otherProperty begins \p with another meaning in Oniguruma: there, \pL is the letters p and L,
// and Punct holds symbols too.
var otherProperty = regexp.MustCompile(`^p([^{]|$|\{\^?(?i:[ _-]*p[ _-]*u[ _-]*n[ _-]*c[ _-]*t[ _-]*)\})`)

// simpleRegexp compiles a regular expression of Oniguruma, which the tokenizers
// library uses, if it means the same in Go: literals, classes, \s, \p{L} and the
// like, alternatives and greedy repetitions that match something.
func simpleRegexp(text string) (*regexp.Regexp, error) {
	refuse := func(why string) error {
		return fmt.Errorf("the regular expression %q %s: only simple ones are supported", text, why)
	}
	if len(text) > maxPattern {
		return nil, refuse("is too long")
	}
	translated, inClass := strings.Builder{}, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			switch e := text[i]; {
			case otherProperty.MatchString(text[i:]):
				return nil, refuse(`has a \p that means something else in Go`)
			case e == 's' && inClass:
				translated.WriteString(white)
			case e == 's':
				translated.WriteString("[" + white + "]")
			case e == 'n' || e == 'r' || e == 't' || e == 'p' || e < 0x80 && strings.IndexByte(`.-+*?()[]{}|/\'"^$!#&`, e) >= 0:
				translated.WriteString(text[i-1 : i+1])
			default:
				return nil, refuse("has \\" + string(rune(e)))
			}
			continue
		case c == '[' && inClass, c == '&' && inClass:
			return nil, refuse("has classes within classes")
		case c == '[':
			inClass = true
			translated.WriteByte('[')
			if strings.HasPrefix(text[i+1:], "^") {
				i++
				translated.WriteByte('^')
			}
			if strings.HasPrefix(text[i+1:], "]") { // the first one does not end the class
				i++
				translated.WriteString(`\]`)
			}
			continue
		case c == ']':
			inClass = false
		case !inClass && otherRepetition.MatchString(text[i:]):
			return nil, refuse("has a repetition without a lower limit or with a leading zero")
		case !inClass && (c == '^' || c == '$' || c == '.' || c == '('):
			return nil, refuse("has " + string(rune(c)))
		}
		translated.WriteByte(c)
	}
	parsed, err := syntax.Parse(translated.String(), syntax.PerlX|syntax.UnicodeGroups|syntax.OneLine)
	if err != nil {
		return nil, refuse("is not read: " + err.Error())
	}
	if lazy(parsed) {
		return nil, refuse("has a lazy repetition")
	}
	r, err := regexp.Compile(translated.String())
	if err != nil {
		return nil, refuse("is not read: " + err.Error())
	}
	if r.MatchString("") {
		return nil, refuse("matches an empty text")
	}
	return r, nil
}

// lazy reports whether a repetition is not greedy.
func lazy(r *syntax.Regexp) bool {
	if r.Flags&syntax.NonGreedy != 0 {
		return true
	}
	for _, sub := range r.Sub {
		if lazy(sub) {
			return true
		}
	}
	return false
}
