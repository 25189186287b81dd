package tokenizer

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// preTokenizerKinds are the supported kinds.
var preTokenizerKinds = []string{"BertPreTokenizer", "ByteLevel", "Digits", "Metaspace", "Punctuation", "Sequence", "Split", "Whitespace", "WhitespaceSplit"}

// preTokenizer makes a pre-tokenizer from its description in a tokenizer.json, and
// reports whether ByteLevel is its last step.
func preTokenizer(description []byte) (cut encode.Cut, bytes bool, err error) {
	var all []encode.Cut
	if err := preTokenizers(&all, &bytes, new(bool), description, 0); err != nil {
		return nil, false, err
	}
	if len(all) == 0 {
		return nil, false, nil
	}
	return encode.Sequence(all), bytes, nil
}

// preTokenizers appends the steps of a description.
func preTokenizers(all *[]encode.Cut, bytes, spaced *bool, description []byte, depth int) error {
	kind, err := kindOf(description)
	if err != nil {
		return err
	}
	if len(*all) >= maxSteps || depth > maxDepth {
		return errors.New("the pre-tokenizer has too many steps")
	}
	if kind == "Sequence" {
		var s struct{ PreTokenizers []jsonObject }
		if err := readInto(description, "pre-tokenizer", kind, &s); err != nil {
			return err
		}
		for _, part := range s.PreTokenizers {
			if err := preTokenizers(all, bytes, spaced, part, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if *bytes {
		return errors.New("the pre-tokenizer ByteLevel is supported only as the last step")
	}
	*bytes = kind == "ByteLevel"
	if kind == "Metaspace" {
		// A second one might put another character before each part.
		if *spaced {
			return errors.New("the pre-tokenizer Metaspace is supported only once")
		}
		*spaced = true
	}
	cut, err := onePreTokenizer(kind, description, len(*all) == 0)
	if err == nil {
		*all = append(*all, cut)
	}
	return err
}

func onePreTokenizer(kind string, description []byte, first bool) (encode.Cut, error) {
	switch kind {
	case "BertPreTokenizer":
		return encode.CutWords, nil
	case "WhitespaceSplit":
		return encode.CutSpaces, nil
	case "Whitespace":
		return cutWordsAndRest, nil
	case "Metaspace":
		return metaspace(description, first)
	case "ByteLevel":
		s := struct {
			PrefixSpace bool `json:"add_prefix_space"`
			Regex       bool `json:"use_regex"`
		}{true, true}
		err := readInto(description, "pre-tokenizer", kind, &s)
		return encode.CutBytes(s.PrefixSpace, !s.Regex), err
	case "Digits":
		var s struct {
			Individual bool `json:"individual_digits"`
		}
		err := readInto(description, "pre-tokenizer", kind, &s)
		how := contiguous
		if s.Individual {
			how = isolated
		}
		return cutAt(runesThat(unicode.IsNumber), how, false), err
	case "Punctuation":
		s := struct{ Behavior behavior }{isolated}
		err := readInto(description, "pre-tokenizer", kind, &s)
		return cutAt(runesThat(isPunctuation), s.Behavior, false), err
	case "Split":
		var s struct {
			Pattern  pattern
			Behavior behavior
			Invert   bool
		}
		if err := readInto(description, "pre-tokenizer", kind, &s); err != nil {
			return nil, err
		}
		if s.Behavior == "" {
			return nil, errors.New("the pre-tokenizer Split lacks its behavior")
		}
		find, err := s.Pattern.finder()
		return cutAt(find, s.Behavior, s.Invert), err
	}
	return nil, unsupported("pre-tokenizer", kind, preTokenizerKinds...)
}

func metaspace(description []byte, first bool) (encode.Cut, error) {
	s := struct {
		Replacement string
		Prepend     string `json:"prepend_scheme"`
		PrefixSpace *bool  `json:"add_prefix_space"`
		Split       *bool
	}{Prepend: "always"}
	if err := readInto(description, "pre-tokenizer", "Metaspace", &s); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(s.Replacement) != 1 {
		return nil, errors.New("the pre-tokenizer Metaspace has a replacement that is not one character")
	}
	schemes := map[string]encode.PrependScheme{"always": encode.PrependAlways, "first": encode.PrependFirst, "never": encode.PrependNever}
	scheme, ok := schemes[s.Prepend]
	if !ok {
		return nil, errors.New(`the pre-tokenizer Metaspace has a prepend_scheme that is none of "always", "first" and "never"`)
	}
	if s.PrefixSpace != nil && !*s.PrefixSpace && scheme != encode.PrependNever {
		return nil, errors.New(`the pre-tokenizer Metaspace has add_prefix_space false, which contradicts its prepend_scheme: set that to "never"`)
	}
	if scheme == encode.PrependFirst && !first {
		// If a normalizer replaces one character by several, such as "…" by "...", all
		// of them count as the beginning of the text in the Rust library. A Span cannot
		// represent that, so such files are refused.
		return nil, errors.New(`the pre-tokenizer Metaspace with prepend_scheme "first" is supported only as the first step`)
	}
	return encode.Metaspace(s.Replacement, scheme, s.Split != nil && !*s.Split), nil
}

// isPunctuation is BERT's definition: all printable ASCII characters except letters, digits
// and the space, and Unicode's punctuation.
func isPunctuation(r rune) bool {
	return r < utf8.RuneSelf && r > ' ' && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r) || unicode.IsPunct(r)
}

// runesThat returns a function that finds single characters.
func runesThat(is func(r rune) bool) func(text string) [][]int {
	return func(text string) (matches [][]int) {
		for i, r := range text {
			if is(r) {
				matches = append(matches, []int{i, i + utf8.RuneLen(r)})
			}
		}
		return matches
	}
}

// cutWordsAndRest implements Whitespace, \w+|[^\w\s]+: runs of word characters and runs
// of others, without white space.
func cutWordsAndRest(dst []encode.Span, s encode.Span) []encode.Span {
	const space, word, rest = 0, 1, 2
	class := func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return space
		case isWordCharacter(r):
			return word
		}
		return rest
	}
	start, kind := 0, space
	end := func(i int) {
		if kind != space && i > start {
			dst = append(dst, encode.Span{Text: s.Text[start:i], Start: s.Start && start == 0})
		}
		start = i
	}
	for i, r := range s.Text {
		if c := class(r); c != kind {
			end(i)
			kind = c
		}
	}
	end(len(s.Text))
	return dst
}

// isWordCharacter is \w of Unicode Technical Standard 18: alphabetic characters,
// marks, decimal numbers, connectors and joiners.
func isWordCharacter(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Nd, unicode.M, unicode.Pc, unicode.Other_Alphabetic, unicode.Other_Lowercase, unicode.Other_Uppercase, unicode.Join_Control)
}
