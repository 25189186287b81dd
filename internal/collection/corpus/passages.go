package corpus

import (
	"fmt"
	"iter"
	"maps"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/vantage-search/vantage/internal/collection/store"
)

// page is the text of one page, split at its headings.
type page struct {
	title    string
	metadata map[string]any // front matter
	leftOut  string         // why the page asks not to be listed, or ""
	preview  string         // the image that the page names for previews, or ""
	images   []string       // its first images, at most maxImages
	part     string         // the part of an HTML page that its text is: "main", "article", …
	sections []section
}

// set adds a field to the page's metadata.
func (p *page) set(field string, value any) {
	if p.metadata == nil {
		p.metadata = map[string]any{}
	}
	p.metadata[field] = value
}

// section is the text between two headings.
type section struct {
	level   int // level of its heading, 1 to 6; 0 before the first heading
	heading string
	spaced  string // the heading with all its white space, of which generators make anchors
	anchor  string // the heading's id if the page gives it one
	link    string // where the heading leads, if it is a link as a whole
	blocks  []block
}

// block is a paragraph, a list item, a row or code.
type block struct {
	text string
	link string // where it leads if it consists of links, or ""
	code bool
}

// maxTitleBytes is the greatest length of a page's title, and of a heading in the title of a document, which each passage
// repeats. Longer ones are cut at a sentence or a word.
const maxTitleBytes = 1024

// short returns a title or a heading of at most maxTitleBytes, with an ellipsis if it was cut.
func short(title string) string {
	if len(title) <= maxTitleBytes {
		return title
	}
	const ellipsis = "…"
	for _, part := range cut(title[:maxTitleBytes], maxTitleBytes-len(ellipsis)) {
		return strings.ToValidUTF8(part, "") + ellipsis // only its last character may have been cut
	}
	return ""
}

// standIn gives a page that has no text its description and headings for a text, or its title: words by which readers may look
// for it. It reports whether the page has a text then.
func (p *page) standIn() bool {
	var lines []block
	if description := strings.TrimSpace(textField(p.metadata, "description")); description != "" {
		lines = append(lines, block{text: description})
	}
	for _, s := range p.sections {
		if len(s.blocks) > 0 {
			return true
		}
		if p.title == "" {
			p.title = s.heading
		}
		if s.heading != "" && s.heading != p.title {
			lines = append(lines, block{text: s.heading})
		}
	}
	if len(lines) == 0 && p.title != "" {
		lines = append(lines, block{text: p.title})
	}
	p.sections = []section{{blocks: lines}}
	return len(lines) > 0
}

// passages yields the sections, split into documents of at most limit bytes of text. An id is the path, and below a heading
// path#slug, where slug is the heading's id in the page, or made from its text as GitHub does; further passages of a
// section get ~2, ~3. A document's title consists of the page's title and the headings above the section. Its url is the
// page's address, with the heading's anchor. Documents are made one by one, because together they may be far longer than
// the page.
func (p *page) passages(name, address string, limit int) iter.Seq[store.Document] {
	return func(yield func(store.Document) bool) { p.eachPassage(name, address, limit, yield) }
}

func (p *page) eachPassage(name, address string, limit int, yield func(store.Document) bool) {
	if p.title == "" {
		for _, s := range p.sections {
			if s.heading != "" {
				p.title = s.heading
				break
			}
		}
	}
	if p.title == "" {
		p.title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	p.title = short(p.title)
	ids := names{}
	var under [7]string // current headings, by level
	for _, s := range p.sections {
		under[s.level] = short(s.heading)
		for level := s.level + 1; level < len(under); level++ {
			under[level] = ""
		}
		title := p.title
		for _, heading := range under[1:] {
			if heading != "" && heading != p.title {
				title += ": " + heading
			}
		}
		link := address
		if s.anchor != "" {
			link += (&url.URL{Fragment: s.anchor}).String()
		}
		id := name
		if s.level == 0 {
			ids.take(id)
		} else {
			slug := s.anchor
			if slug == "" {
				slug = slugOf(s.heading)
			}
			id = ids.take(name + "#" + slug) // a page may repeat a heading
		}
		for i, text := range pack(s.blocks, limit) {
			doc := store.Document{ID: id, Title: title, Text: text, Metadata: map[string]any{}}
			if i > 0 {
				doc.ID = ids.take(fmt.Sprintf("%s~%d", id, i+1))
			}
			maps.Copy(doc.Metadata, p.metadata)
			doc.Metadata["path"], doc.Metadata["url"] = name, link
			if !yield(doc) {
				return
			}
		}
	}
}

// names makes names unique. The value is the number that the next repetition of a name
// tries first.
type names map[string]int

// take returns name, or name with a number that makes it unique.
func (n names) take(name string) string {
	candidate := name
	for n[candidate] > 0 {
		candidate = fmt.Sprintf("%s-%d", name, n[name])
		n[name]++
	}
	n[candidate] = 1
	return candidate
}

// slugOf turns a heading into an anchor as GitHub does: lower case, spaces to hyphens, letters, digits, '_' and '-' kept.
// Other white space is left out, such as the wide space of Japanese headings.
func slugOf(heading string) string {
	var b strings.Builder
	for _, r := range cases.Lower(language.Und).String(heading) { // unlike strings.ToLower, as JavaScript and Ruby do it
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}

// pack joins blocks by line ends into texts of at most limit bytes. Only a block that is longer by itself is cut.
func pack(blocks []block, limit int) []string {
	var texts []string
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			texts = append(texts, text.String())
			text.Reset()
		}
	}
	for _, b := range blocks {
		for _, part := range cut(b.text, limit) {
			if text.Len() > 0 && text.Len()+1+len(part) > limit {
				flush()
			}
			if text.Len() > 0 {
				text.WriteByte('\n')
			}
			text.WriteString(part)
		}
	}
	flush()
	return texts
}

// cut splits a block that is longer than limit: after the last sentence or line
// that ends in the second half of the limit, otherwise after the last word, otherwise between
// characters.
func cut(block string, limit int) []string {
	var parts []string
	for len(block) > limit {
		at := strings.LastIndexAny(block[:limit], "\n")
		for _, end := range []string{". ", "! ", "? ", "。", "！", "？"} {
			if i := strings.LastIndex(block[:limit], end); i >= 0 {
				at = max(at, i+len(strings.TrimRight(end, " ")))
			}
		}
		if at < limit/2 {
			at = max(at, strings.LastIndexAny(block[:limit], " \t\n"))
		}
		if at <= 0 {
			at = limit
			for at > 0 && !utf8.RuneStart(block[at]) {
				at--
			}
			if at == 0 { // the limit is below one character
				_, at = utf8.DecodeRuneInString(block)
			}
		}
		if part := strings.TrimSpace(block[:at]); part != "" {
			parts = append(parts, part)
		}
		block = strings.TrimSpace(block[at:])
	}
	if block != "" {
		parts = append(parts, block)
	}
	return parts
}
