package perspective

import "strings"

// title reports whether capitals show that the text is the title of a work: "Against
// Nature Huysmans", "The Case for Mars". Those who ask for a case write "the case for".
func (t *text) title() bool {
	all := t.at(0, "against") && t.source[t.tokens[0].start+1] > 'Z'
	for i, k := range t.tokens {
		c := t.source[k.start]
		capital := 'A' <= c && c <= 'Z'
		if capital && i > 0 && listed(" case trouble problem praise defence defense favour favor ", k.word) && t.source[k.start+1] > 'Z' {
			return true
		}
		all = all && capital
	}
	return all
}

// apart returns the text with words such as anti-X and pro-X divided in two, and pros/cons in
// three, and with dashes as marks. "You'd" becomes "you would".
func (t text) apart() text {
	tokens := make([]token, 0, len(t.tokens)+1)
	for _, k := range t.tokens {
		k = k.bare()
		if n := len(tokens); n > 0 && listed(" - – — | ", k.word) {
			tokens[n-1].mark = '-'
			continue
		}
		if k.word == "" {
			continue
		}
		for _, prefix := range []string{"anti-", "pro-"} {
			if n := len(prefix); len(k.word) > n && strings.HasPrefix(k.word, prefix) && len(k.word) == k.end-k.start {
				tokens = append(tokens, token{word: prefix[:n-1], start: k.start, end: k.start + n - 1})
				k.word, k.start = k.word[n:], k.start+n
			}
		}
		if n := len(k.word) - len("'d"); n > 0 && len(k.word) == k.end-k.start {
			for _, short := range []struct{ end, word string }{{"'d", "would"}, {"'ll", "will"}, {"'ve", "have"}} {
				if before, ok := strings.CutSuffix(k.word, short.end); ok && before != "" {
					tokens = append(tokens, token{word: before, start: k.start, end: k.start + len(before)})
					k.word, k.start = short.word, k.start+len(before)
				}
			}
		}
		if i := strings.IndexByte(k.word, '/'); i > 2 && len(k.word) == k.end-k.start && letter(k.word[i-1]) && i+3 < len(k.word) && letter(k.word[i+1]) {
			slash := k.start + i
			tokens = append(tokens, token{word: k.word[:i], start: k.start, end: slash}, token{word: "/", start: slash, end: slash + 1})
			k.word, k.start = k.word[i+1:], slash+1
		}
		tokens = append(tokens, k)
	}
	t.tokens = tokens
	return t
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' }

// bare returns a word without the quotes and brackets around it, and with a plain apostrophe.
func (k token) bare() token {
	for again := true; again; {
		again = false
		for _, mark := range []string{"\"", "(", ")", "[", "]", "“", "”", "„"} {
			if n := len(mark); strings.HasPrefix(k.word, mark) {
				k.word, k.start, again = k.word[n:], k.start+n, true
			} else if strings.HasSuffix(k.word, mark) {
				k.word, k.end, again = k.word[:len(k.word)-n], k.end-n, true
			}
		}
	}
	if before, after, ok := strings.Cut(k.word, "’"); ok {
		k.word = before + "'" + after
	}
	return k
}
