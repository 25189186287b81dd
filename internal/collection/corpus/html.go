package corpus

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlPage reads the text of a page's main part: <main>, otherwise what has its role, as in Sphinx, otherwise a single
// <article>, otherwise <body>, without elements that are not text for readers. If the page is made for Pagefind, its marks say
// what is the main part.
func htmlPage(content []byte) (*page, *InputError) {
	if problem := checkNodes(content); problem != nil {
		return nil, problem
	}
	doc, err := html.Parse(bytes.NewReader(content))
	if err != nil {
		return nil, &InputError{Problem: err.Error(), Remedy: "simplify the page, or move it out of the folder", Err: err}
	}
	p := &page{}
	var marked, mains, roles, articles, bodies []*html.Node
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Namespace != "" {
			continue
		}
		if hasAttribute(n, "data-pagefind-body") && !within(n, marked) {
			marked = append(marked, n)
		}
		if attribute(n, "role") == "main" {
			roles = append(roles, n)
		}
		switch n.DataAtom {
		case atom.Meta:
			if p.leftOut == "" {
				p.leftOut = unlistedHTML(n)
			}
			if p.preview == "" {
				p.preview = imageMeta(n)
			}
		case atom.Title:
			if p.title == "" {
				p.title = short(textOf(n))
			}
		case atom.Main:
			mains = append(mains, n)
		case atom.Article:
			articles = append(articles, n)
		case atom.Body:
			bodies = append(bodies, n)
		}
	}
	from := bodies
	p.part = "body"
	switch {
	case len(marked) > 0:
		from, p.part = marked, partMarked
	case len(mains) > 0:
		from, p.part = mains[:1], "main"
	case len(roles) > 0:
		from, p.part = roles[:1], "main"
	case len(articles) == 1:
		from, p.part = articles, "article"
	}
	if p.leftOut == "" && len(from) > 0 && !slices.ContainsFunc(from, func(n *html.Node) bool { return !isIgnored(n) }) {
		p.leftOut = reasonIgnored
	}
	x := extractor{page: p}
	p.sections = []section{{}}
	for _, n := range from {
		x.walk(n)
	}
	x.endBlock()
	return p, nil
}

// partMarked is the part of a page that is made for Pagefind.
const partMarked = "data-pagefind-body"

// skipped elements contain no text for readers, or text that every page of a site
// repeats.
var skipped = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Nav: true, atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Math: true,
	atom.Iframe: true, atom.Object: true, atom.Canvas: true, atom.Audio: true, atom.Video: true, atom.Button: true, atom.Select: true,
	atom.Textarea: true, atom.Head: true, atom.Dialog: true,
}

// inline elements do not end a line of text. All others do, except for br, td, th and those that are skipped or hidden.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true, atom.Cite: true, atom.Code: true,
	atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Img: true, atom.Input: true,
	atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true, atom.Small: true,
	atom.Span: true, atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true,
	atom.Var: true, atom.Wbr: true,
}

type extractor struct {
	page *page
	text strings.Builder // text of the current block
	pre  int             // number of open <pre>

	anchors int    // number of open links
	plain   bool   // the current block has text outside of links
	link    string // where its first link leads
}

// walk visits a node; html.Parse keeps the depth below 512.
func (x *extractor) walk(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		x.text.WriteString(n.Data)
		x.plain = x.plain || x.anchors == 0 && hasWord(n.Data)
		return
	case n.Type != html.ElementNode && n.Type != html.DocumentNode:
		return
	case skipped[n.DataAtom] || isHidden(n):
		return
	case n.DataAtom == atom.Br && x.pre > 0:
		x.text.WriteByte('\n')
		return
	case n.DataAtom == atom.Br || n.DataAtom == atom.Td || n.DataAtom == atom.Th:
		x.text.WriteByte(' ') // puts the cells of a row on one line
		x.children(n)
		return
	case n.DataAtom == atom.Wbr:
		return
	case n.DataAtom == atom.Img:
		if src := shownImage(n); src != "" && len(x.page.images) < maxImages {
			x.page.images = append(x.page.images, src)
		}
		return
	case level(n) > 0:
		x.endBlock()
		spaced := spacedText(n, false)
		heading := strings.TrimRight(textOf(n), " ¶\U0001F517")
		heading = strings.TrimRight(strings.TrimSuffix(heading, " #"), " ") // "C#" keeps it
		x.page.sections = append(x.page.sections, section{level: level(n), heading: heading, spaced: strings.Trim(spaced, " \t\n"), anchor: anchorOf(n), link: linkOf(n)})
		return
	case n.DataAtom == atom.Pre:
		x.endBlock()
		x.pre++
		x.children(n)
		x.endBlock()
		x.pre--
		return
	case n.DataAtom == atom.A && hasAttribute(n, "href"):
		if x.link == "" {
			x.link = attribute(n, "href")
		}
		x.anchors++
		x.children(n)
		x.anchors--
		return
	case inline[n.DataAtom]:
		x.children(n)
		return
	}
	x.endBlock()
	x.children(n)
	x.endBlock()
}

func (x *extractor) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		x.walk(c)
	}
}

// endBlock adds the text read so far to the last section, and collapses white space except in <pre>.
func (x *extractor) endBlock() {
	text, link := x.text.String(), x.link
	if x.plain {
		link = ""
	}
	x.text.Reset()
	x.plain, x.link = false, ""
	if x.pre > 0 {
		text = strings.Trim(strings.TrimRight(text, " \t\r\n"), "\r\n")
	} else {
		text = strings.Join(strings.Fields(text), " ")
	}
	if text != "" {
		last := &x.page.sections[len(x.page.sections)-1]
		last.blocks = append(last.blocks, block{text, link, x.pre > 0})
	}
}

func level(n *html.Node) int {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(n.Data[1] - '0')
	}
	return 0
}

// anchorOf returns the id by which a URL can point at the heading: its own id, or that
// of the section that it begins.
func anchorOf(heading *html.Node) string {
	if id := attribute(heading, "id"); id != "" {
		return id
	}
	parent := heading.Parent
	if parent == nil || parent.DataAtom != atom.Section && parent.DataAtom != atom.Div {
		return ""
	}
	for n := heading.PrevSibling; n != nil; n = n.PrevSibling {
		if n.Type == html.ElementNode || n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return ""
		}
	}
	return attribute(parent, "id")
}

// linkOf returns where a heading leads if it is a link as a whole, or is within one, or "".
func linkOf(heading *html.Node) string {
	if up := heading.Parent; up != nil && up.DataAtom == atom.A {
		return attribute(up, "href")
	}
	for n := range heading.Descendants() {
		if n.DataAtom == atom.A && !isPermalink(n) {
			if textOf(n) != textOf(heading) {
				return ""
			}
			return attribute(n, "href")
		}
	}
	return ""
}

// hasWord reports whether a text has more than signs, such as the arrow before a link.
func hasWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Namespace == "" && a.Key == key })
}

// within reports whether a node is below the last of the nodes.
func within(n *html.Node, nodes []*html.Node) bool {
	for up := n.Parent; up != nil && len(nodes) > 0; up = up.Parent {
		if up == nodes[len(nodes)-1] {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Key == key {
			return a.Val
		}
	}
	return ""
}

// isHidden reports whether a page hides an element from readers or from a search, or says that it only leads to other pages, as
// <nav> does, or that it is a number that leads to a footnote.
func isHidden(n *html.Node) bool {
	if isIgnored(n) {
		return true
	}
	for _, a := range n.Attr {
		if a.Key == "role" && (a.Val == "doc-noteref" || a.Val == "doc-backlink") {
			return true
		}
		if a.Key == "hidden" || a.Key == "aria-hidden" && a.Val == "true" || a.Key == "role" && a.Val == "navigation" {
			return true
		}
	}
	return false
}

// isIgnored reports whether a page says that a search leaves out an element.
func isIgnored(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "data-vantage-ignore" || a.Key == "data-pagefind-ignore" })
}

// isPermalink reports whether a node is a link of a heading to itself, which generators mark with one of a few signs.
func isPermalink(n *html.Node) bool {
	if n.DataAtom != atom.A || n.FirstChild == nil || n.FirstChild != n.LastChild || n.FirstChild.Type != html.TextNode {
		return false
	}
	return strings.Trim(n.FirstChild.Data, " ¶#§\U0001F517\u200b") == ""
}

// textOf returns the text of a heading or title on one line.
func textOf(n *html.Node) string { return onOneLine(spacedText(n, true)) }

func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// spacedText returns the text of a heading or title with the white space that it has. Elements that are shown on lines of their
// own have a space around them if apart, but not in the text of which generators make anchors.
func spacedText(n *html.Node, apart bool) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && (skipped[n.DataAtom] || isHidden(n) || isPermalink(n)) {
			return
		}
		line := apart && n.Type == html.ElementNode && !inline[n.DataAtom]
		if line {
			b.WriteByte(' ')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if line {
			b.WriteByte(' ')
		}
	}
	walk(n)
	return b.String()
}
