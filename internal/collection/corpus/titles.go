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

// Bounds of the search for endings of titles and for images that the pages of a site share.
const (
	maxTitled      = 2000     // pages that are looked at
	maxTitleHead   = 64 << 10 // bytes of a page that are looked at
	maxTitle       = 512      // bytes of a title that counts
	maxTitleParts  = 4        // endings of one title that count
	leastRepeated  = 3        // an ending or an image is left out only if at least so many pages have it
	titleDividers  = "|–—-·•«»:"
	maxTitleEnding = 120 // bytes of an ending
)

// repeated finds what most HTML pages of a folder share: endings of titles, such as " – My Site", and images, such as a
// logo, by their addresses. An ending begins with a divider between spaces, so "well-known" has none. Pages that are left
// out at their own request do not count: the pages of an earlier search, copied into the folder, must not change the titles
// of the others. If there are many pages, it looks at no more than maxTitled of them, evenly spread over the folder.
func (c *Corpus) repeated(root *os.Root) (endings, images map[string]bool) {
	titled, pages := 0, 0
	endingCounts, imageCounts := map[string]int{}, map[string]int{}
	all := slices.DeleteFunc(slices.Clone(c.pages), func(name string) bool { return pageKind(name) != "html" || isLost(name) })
	step := max(1, (len(all)+maxTitled-1)/maxTitled)
	for i := 0; i < len(all); i += step {
		title, shown, leftOut := headOf(root, all[i])
		if leftOut {
			continue
		}
		pages++
		for address := range shown {
			imageCounts[address]++
		}
		if title == "" {
			continue
		}
		titled++
		for _, ending := range endingsOf(title) {
			endingCounts[ending]++
		}
	}
	return most(endingCounts, titled), most(imageCounts, pages)
}

// most returns what more than half of the pages have, and at least leastRepeated of them.
func most(counts map[string]int, pages int) map[string]bool {
	out := map[string]bool{}
	for what, n := range counts {
		if n >= leastRepeated && n*2 > pages {
			out[what] = true
		}
	}
	return out
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

// headOf returns the title in the beginning of an HTML page, on one line, or "", and the addresses of the first images
// there, and whether it says that a search leaves it out. A page that cannot be read has none: reading it as a whole will
// say why.
func headOf(root *os.Root, name string) (title string, images map[string]bool, leftOut bool) {
	f, err := root.Open(name)
	if err != nil {
		return "", nil, false
	}
	defer f.Close()
	head, err := io.ReadAll(decoded(io.LimitReader(f, maxTitleHead), nil))
	if err != nil {
		return "", nil, false
	}
	if at := invalidUTF8(head); at >= 0 && at < len(head)-utf8.UTFMax { // not only cut within a character
		encoding, _, _ := charset.DetermineEncoding(head[:min(len(head), 1024)], "text/html")
		if head, err = encoding.NewDecoder().Bytes(head); err != nil {
			return "", nil, false
		}
	}
	images = map[string]bool{}
	inBody := false
	for z := html.NewTokenizer(bytes.NewReader(head)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return title, images, leftOut
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			element, source := &html.Node{Attr: token.Attr}, ""
			switch token.DataAtom {
			case atom.Body:
				inBody = true
				leftOut = leftOut || isIgnored(element)
			case atom.Main:
				leftOut = leftOut || isIgnored(element)
			case atom.Title:
				if !inBody && title == "" && z.Next() == html.TextToken {
					title = strings.Join(strings.Fields(string(z.Text())), " ")
				}
			case atom.Meta:
				leftOut = leftOut || unlistedHTML(element) != ""
				source = imageMeta(element)
			case atom.Img:
				source = shownImage(element)
			}
			if source != "" && len(images) < maxImages {
				images[imageAddress(source, escaped(name))] = true
			}
		}
	}
}
