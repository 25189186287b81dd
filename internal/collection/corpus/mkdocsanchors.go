package corpus

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var (
	mkdocsGap    = regexp.MustCompile(`[-\s]+`)
	mkdocsNumber = regexp.MustCompile(`^(.*)_(\d{1,9})$`)
)

// mkdocsAnchors makes anchors as Python-Markdown's extension toc does, which MkDocs uses: ASCII letters, digits and
// underscores with single hyphens between them. One that is taken gets _1, or the next number if it ends with one.
func mkdocsAnchors() func(heading string) string {
	taken, next := map[string]bool{}, map[string]int{}
	return func(heading string) string {
		name := mkdocsSlug(heading)
		if name == "" || taken[name] {
			stem, n := name, 1
			if m := mkdocsNumber.FindStringSubmatch(name); m != nil {
				number, _ := strconv.Atoi(m[2]) // has at most nine digits
				stem, n = m[1], number+1
			}
			// Numbers that are known to be taken are skipped in one step: a page may repeat a heading many times.
			var passed []string
			for name = numbered(stem, n); taken[name]; name = numbered(stem, n) {
				passed = append(passed, name)
				n = max(n+1, next[name])
			}
			for _, p := range passed {
				next[p] = n
			}
		}
		taken[name] = true
		return name
	}
}

func numbered(stem string, n int) string { return stem + "_" + strconv.Itoa(n) }

func mkdocsSlug(heading string) string {
	kept := strings.Map(func(r rune) rune {
		if r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) || r == '_' || r == '-') {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKD.String(heading))
	return mkdocsGap.ReplaceAllString(strings.TrimSpace(kept), "-")
}
