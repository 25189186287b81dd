package tokenizer

import (
	"encoding/json"
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// behavior says what happens to the matches at which a text is split.
type behavior string

const (
	removed            behavior = "Removed"
	isolated           behavior = "Isolated"
	mergedWithPrevious behavior = "MergedWithPrevious"
	mergedWithNext     behavior = "MergedWithNext"
	contiguous         behavior = "Contiguous" // neighbouring matches form one part
)

func (b *behavior) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	switch *b = behavior(s); *b {
	case removed, isolated, mergedWithPrevious, mergedWithNext, contiguous:
		return nil
	}
	return fmt.Errorf("the behavior %q", s)
}

// part is a part of a text: a match, or the text between two matches.
type part struct {
	from, to int
	match    bool
}

// cutAt splits a text at matches, or with invert at the text between them.
func cutAt(find func(text string) [][]int, how behavior, invert bool) encode.Cut {
	return func(dst []encode.Span, s encode.Span) []encode.Span {
		var all []part
		last := 0
		for _, m := range find(s.Text) {
			if m[0] > last {
				all = append(all, part{last, m[0], invert})
			}
			all = append(all, part{m[0], m[1], !invert})
			last = m[1]
		}
		if last < len(s.Text) {
			all = append(all, part{last, len(s.Text), invert})
		}
		for i := 0; i < len(all); {
			p, next := all[i], i+1
			switch how {
			case removed:
				if p.match {
					i = next
					continue
				}
			case contiguous:
				for ; next < len(all) && all[next].match == p.match; next++ {
					p.to = all[next].to
				}
			case mergedWithPrevious:
				if next < len(all) && !p.match && all[next].match {
					p.to = all[next].to
					next++
				}
			case mergedWithNext:
				if next < len(all) && p.match && !all[next].match {
					p.to = all[next].to
					next++
				}
			}
			dst = append(dst, encode.Span{Text: s.Text[p.from:p.to], Start: s.Start && p.from == 0})
			i = next
		}
		return dst
	}
}
