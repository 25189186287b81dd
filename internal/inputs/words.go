package inputs

import (
	"unicode"
	"unicode/utf8"
)

// BadWord says why s cannot be a column of a file of runs or judgements, or "".
func BadWord(s string) string {
	if s == "" {
		return "is empty"
	}
	if !utf8.ValidString(s) {
		return "is not UTF-8"
	}
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			return "has white space in it"
		case unicode.IsControl(r):
			return "has a control character in it"
		}
	}
	return ""
}
