package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// normalizerKinds are the supported kinds.
var normalizerKinds = []string{"BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Precompiled", "Prepend", "Replace", "Sequence", "Strip", "StripAccents"}

// normalizer makes a normalizer from its description in a tokenizer.json.
//
// Composition and decomposition are done by golang.org/x/text with Unicode 15. The
// package breaks up runs of more than 30 combining marks.
func normalizer(description []byte) (encode.Rewrite, error) {
	all := chain{growth: 1}
	if err := all.read(description, 0); err != nil {
		return nil, err
	}
	return func(s encode.Span) encode.Span {
		for _, rewrite := range all.steps {
			s = rewrite(s)
		}
		return s
	}, nil
}

// chain is a sequence of normalizers.
type chain struct {
	steps  []encode.Rewrite
	growth int // greatest number of bytes that one byte may become
}

// maxGrowth is the greatest growth of a chain. It is far above the needs of any real
// tokenizer, and keeps a hostile one from filling the memory with a short text.
const maxGrowth = 4000

// Growth of single steps, in bytes per byte.
const (
	formGrowth       = 3   // U+0390 has 2 bytes, and 6 in NFD
	compatibleGrowth = 11  // U+FDFA has 3 bytes, and 33 in NFKC
	lowerGrowth      = 2   // U+0130 has 2 bytes, and 3 in lower case
	bertGrowth       = 4   // spaces around ideographs, decomposition
	maxPrepend       = 256 // bytes before a whole text
)

// read appends the steps of a description.
func (all *chain) read(description []byte, depth int) error {
	kind, err := kindOf(description)
	if err != nil {
		return err
	}
	if len(all.steps) >= maxSteps || depth > maxDepth {
		return errors.New("the normalizer has too many steps")
	}
	if kind == "Sequence" {
		var s struct{ Normalizers []jsonObject }
		if err := readInto(description, "normalizer", kind, &s); err != nil {
			return err
		}
		for _, part := range s.Normalizers {
			if err := all.read(part, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	rewrite, growth, err := oneNormalizer(kind, description)
	if err != nil {
		return err
	}
	if all.growth *= max(growth, 1); all.growth > maxGrowth {
		return fmt.Errorf("the normalizer may make a text more than %d times as long", maxGrowth)
	}
	all.steps = append(all.steps, rewrite)
	return nil
}

// oneNormalizer returns a step and its growth.
func oneNormalizer(kind string, description []byte) (_ encode.Rewrite, growth int, _ error) {
	switch kind {
	case "NFC":
		return form(norm.NFC), formGrowth, nil
	case "NFD":
		return form(norm.NFD), formGrowth, nil
	case "NFKC":
		return form(norm.NFKC), compatibleGrowth, nil
	case "NFKD":
		return form(norm.NFKD), compatibleGrowth, nil
	case "Lowercase":
		return rewriting(encode.Normalizer{Lowercase: true}), lowerGrowth, nil
	case "StripAccents":
		return stripAccents, 1, nil
	case "BertNormalizer":
		rewrite, err := bertNormalizer(description)
		return rewrite, bertGrowth, err
	case "Strip":
		rewrite, err := strip(description)
		return rewrite, 1, err
	case "Prepend":
		var s struct{ Prepend string }
		err := readInto(description, "normalizer", kind, &s)
		if err == nil && len(s.Prepend) > maxPrepend {
			err = fmt.Errorf("the normalizer Prepend puts %d bytes before a text, more than %d", len(s.Prepend), maxPrepend)
		}
		return func(t encode.Span) encode.Span {
			if t.Text != "" {
				t.Text = s.Prepend + t.Text
			}
			return t
		}, 1, err
	case "Replace":
		return replace(description)
	case "Precompiled":
		var s struct {
			Charsmap []byte `json:"precompiled_charsmap"`
		}
		if err := readInto(description, "normalizer", kind, &s); err != nil {
			return nil, 0, err
		}
		if len(s.Charsmap) == 0 { // nothing to rewrite
			return func(t encode.Span) encode.Span { return t }, 1, nil
		}
		c, err := encode.ParseCharsmap(s.Charsmap)
		if err != nil {
			return nil, 0, err
		}
		return func(t encode.Span) encode.Span {
			t.Text = string(c.Append(make([]byte, 0, len(t.Text)), t.Text))
			return t
		}, c.Growth(), nil
	}
	return nil, 0, unsupported("normalizer", kind, normalizerKinds...)
}

func form(f norm.Form) encode.Rewrite {
	return func(t encode.Span) encode.Span {
		t.Text = f.String(t.Text)
		return t
	}
}

func rewriting(n encode.Normalizer) encode.Rewrite {
	return func(t encode.Span) encode.Span {
		t.Text = string(n.Append(make([]byte, 0, len(t.Text)), t.Text))
		return t
	}
}

// stripAccents removes all marks, which must have been decomposed before. A character
// after marks does not count as the beginning of the text. The Rust library does the same,
// except with U+0E33 and U+0EB3, whose decompositions begin with marks.
func stripAccents(t encode.Span) encode.Span {
	r, _ := utf8.DecodeRuneInString(t.Text)
	t.Start = t.Start && !unicode.Is(unicode.M, r)
	t.Text = strings.Map(func(r rune) rune {
		if r > unicode.MaxLatin1 && unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, t.Text)
	return t
}

func bertNormalizer(description []byte) (encode.Rewrite, error) {
	s := struct {
		Clean   bool  `json:"clean_text"`
		Chinese bool  `json:"handle_chinese_chars"`
		Strip   *bool `json:"strip_accents"`
		Lower   bool  `json:"lowercase"`
	}{Clean: true, Chinese: true, Lower: true}
	if err := readInto(description, "normalizer", "BertNormalizer", &s); err != nil {
		return nil, err
	}
	n := encode.Normalizer{CleanText: s.Clean, ChineseChars: s.Chinese, StripAccents: s.Lower, Lowercase: s.Lower}
	if s.Strip != nil {
		n.StripAccents = *s.Strip
	}
	rewrite := rewriting(n)
	return func(t encode.Span) encode.Span {
		_, size := utf8.DecodeRuneInString(t.Text)
		if t.Start && len(n.Append(nil, t.Text[:size])) == 0 {
			t.Start = false
		}
		return rewrite(t)
	}, nil
}

func strip(description []byte) (encode.Rewrite, error) {
	var s struct {
		Left  bool `json:"strip_left"`
		Right bool `json:"strip_right"`
	}
	err := readInto(description, "normalizer", "Strip", &s)
	return func(t encode.Span) encode.Span {
		if s.Left {
			if text := strings.TrimLeftFunc(t.Text, unicode.IsSpace); len(text) < len(t.Text) {
				t = encode.Span{Text: text}
			}
		}
		if s.Right {
			t.Text = strings.TrimRightFunc(t.Text, unicode.IsSpace)
		}
		return t
	}, err
}

// replace reads Replace, whose pattern is a string or a simple regular expression.
func replace(description []byte) (_ encode.Rewrite, growth int, _ error) {
	var s struct {
		Pattern pattern
		Content string
	}
	if err := readInto(description, "normalizer", "Replace", &s); err != nil {
		return nil, 0, err
	}
	shortest := 1 // least length of a match in bytes
	if s.Pattern.String != nil {
		shortest = max(len(*s.Pattern.String), 1)
	}
	growth = (len(s.Content) + shortest - 1) / shortest
	find, err := s.Pattern.finder()
	if err != nil {
		return nil, 0, err
	}
	return func(t encode.Span) encode.Span {
		matches := find(t.Text)
		if len(matches) == 0 {
			return t
		}
		if first := matches[0]; first[0] == 0 && (s.Content == "" || utf8.RuneCountInString(t.Text[:first[1]]) > 1) {
			t.Start = false
		}
		var b strings.Builder
		last := 0
		for _, m := range matches {
			b.WriteString(t.Text[last:m[0]])
			b.WriteString(s.Content)
			last = m[1]
		}
		b.WriteString(t.Text[last:])
		t.Text = b.String()
		return t
	}, growth, nil
}
