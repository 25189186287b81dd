package corpus

import (
	"regexp"
	"strings"
)

// ignored is a list of patterns as in .gitignore, of which the last that matches a path decides.
type ignored []struct {
	path *regexp.Regexp
	kept bool // the pattern begins with "!"
}

// ignoredBy reads patterns, one a line. Those that are none are left out, as git does.
func ignoredBy(lines string) (list ignored) {
	for line := range strings.Lines(lines) {
		pattern, kept := strings.CutPrefix(strings.TrimSpace(line), "!")
		if pattern == "" || pattern[0] == '#' {
			continue
		}
		pattern, folder := strings.CutSuffix(pattern, "/")
		expression := "^(?:.*/)?"
		if strings.Contains(pattern, "/") {
			expression = "^"
		}
		expression += globPart.ReplaceAllStringFunc(strings.TrimPrefix(pattern, "/"), func(part string) string {
			switch {
			case part == "**/":
				return "(?:.*/)?"
			case part == "/**":
				return "/.*"
			case part[0] == '*':
				return "[^/]*"
			case part == "?":
				return "[^/]"
			}
			return globSet(part)
		})
		if folder {
			expression += "/.*$"
		} else {
			expression += "(?:/.*)?$"
		}
		if path, err := regexp.Compile(expression); err == nil {
			list = append(list, struct {
				path *regexp.Regexp
				kept bool
			}{path, kept})
		}
	}
	return list
}

// globPart matches a part of a pattern: a wildcard, a set of characters, an escaped character, or any other one.
var globPart = regexp.MustCompile(`(?s)\*\*/|/\*\*$|\*+|\[[^\]/]+\]|\\.|.`)

// globSet turns a part of a pattern that is no wildcard into a regular expression.
func globSet(part string) string {
	if part[0] == '[' && len(part) > 1 {
		return strings.Replace(part, "[!", "[^", 1)
	}
	return regexp.QuoteMeta(strings.TrimPrefix(part, `\`))
}

func (list ignored) has(path string) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].path.MatchString(path) {
			return !list[i].kept
		}
	}
	return false
}
