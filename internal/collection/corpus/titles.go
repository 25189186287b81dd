package corpus

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// Bounds of the search for what the titles of a site end with.
const (
	maxTitled      = 2000     // pages that are looked at
	maxTitleHead   = 64 << 10 // bytes of a page in which its title is looked for
	maxTitle       = 512      // bytes of a title that counts
	maxTitleParts  = 4        // ends of one title that count
	leastTitles    = 3        // pages with an end, at least
	titleDividers  = "|–—-·•«»:"
	maxTitleEnding = 120 // bytes of an end
)

// titleEndings finds what most titles of a folder's HTML pages end with, such as
// " – My Site". Only a divider between spaces begins an end; "well-known" has none. Of
// many pages it looks at some from everywhere.
func (c *Corpus) titleEndings(root *os.Root) map[string]bool {
	pages, counts := 0, map[string]int{}
	all := slices.DeleteFunc(slices.Clone(c.pages), func(name string) bool { return pageKind(name) != "html" })
	step := max(1, (len(all)+maxTitled-1)/maxTitled)
	for i := 0; i < len(all); i += step {
		name := all[i]
		title := headTitle(root, name)
		if title == "" {
			continue
		}
		pages++
		for _, ending := range endingsOf(title) {
			counts[ending]++
		}
	}
	endings := map[string]bool{}
	for ending, n := range counts {
		if n >= leastTitles && n*2 > pages {
			endings[ending] = true
		}
	}
	return endings
}

// endingsOf lists the ends of a title, from the longest.
func endingsOf(title string) (endings []string) {
	if len(title) > maxTitle {
		return nil
	}
	for at, r := range title {
		if at == 0 || title[at-1] != ' ' || !strings.ContainsRune(titleDividers, r) {
			continue
		}
		if after := title[at+utf8.RuneLen(r):]; len(after) < 2 || after[0] != ' ' || len(title)-at > maxTitleEnding {
			continue
		}
		endings = append(endings, title[at-1:])
	}
	return endings[max(0, len(endings)-maxTitleParts):]
}

// withoutEnding removes the longest of the endings from a title.
func withoutEnding(title string, endings map[string]bool) string {
	for _, ending := range endingsOf(title) {
		if rest := strings.TrimSpace(strings.TrimSuffix(title, ending)); endings[ending] && rest != "" {
			return rest
		}
	}
	return title
}

// headTitle returns the title in the beginning of an HTML page, on one line, or "". A page
// that cannot be read has none: reading it as a whole will say why.
func headTitle(root *os.Root, name string) string {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := io.ReadAll(decoded(io.LimitReader(f, maxTitleHead), nil))
	if err != nil {
		return ""
	}
	if at := invalidUTF8(head); at >= 0 && at < len(head)-utf8.UTFMax { // not only cut within a character
		encoding, _, _ := charset.DetermineEncoding(head[:min(len(head), 1024)], "text/html")
		if head, err = encoding.NewDecoder().Bytes(head); err != nil {
			return ""
		}
	}
	z := html.NewTokenizer(bytes.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken:
			tag, _ := z.TagName()
			switch atom.Lookup(tag) {
			case atom.Body:
				return ""
			case atom.Title:
				if z.Next() != html.TextToken {
					return ""
				}
				return strings.Join(strings.Fields(string(z.Text())), " ")
			}
		}
	}
}
