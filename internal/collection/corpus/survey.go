package corpus

import (
	"crypto/sha256"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
)

// Bounds of the search for what the pages of a folder share.
const (
	maxSurveyed     = 200  // pages that are read for it
	leastShared     = 5    // a block is left out only if at least so many pages have it
	maxSharedBlock  = 1024 // bytes of a block that may be left out
	maxSharedBlocks = 2000 // blocks of one page that are looked at
)

// survey knows what of a folder's HTML pages is about other pages, or about none: what most pages repeat, such as a line
// about cookies, and what leads to another page of the folder.
type survey struct {
	pages  map[string]bool      // paths of all pages; nil if nothing is left out
	base   string               // path of the site's address
	blocks map[sharedBlock]bool // what most pages have
	heads  map[string]bool      // pages to which a heading of most pages leads
	marked bool                 // some pages say with data-pagefind-body which part is their text
}

// survey reads some of the HTML pages, evenly spread over the folder. In the sources of a generator, nothing is repeated.
func (c *Corpus) survey(root *os.Root) *survey {
	s := &survey{base: "/"}
	if c.site != nil {
		return s
	}
	s.pages = make(map[string]bool, len(c.pages))
	for _, name := range c.pages {
		s.pages[name] = true
	}
	if c.links.base != "" {
		s.base = basePath(c.links.base)
	}
	all := slices.DeleteFunc(slices.Clone(c.pages), func(name string) bool { return pageKind(name) != "html" })
	step := max(1, (len(all)+maxSurveyed-1)/maxSurveyed)
	read, parts, blockCounts, headCounts := 0, map[string]int{}, map[sharedBlock]int{}, map[string]int{}
	for i := 0; i < len(all); i += step {
		content, problem := c.readPage(root, all[i], new(int64))
		if problem != nil {
			continue // reading the page again will say why
		}
		p, problem := htmlPage(content)
		if problem != nil || p.leftOut != "" {
			continue
		}
		read++
		parts[p.part]++
		own, heads, n := map[sharedBlock]bool{}, map[string]bool{}, 0
		for _, section := range p.sections {
			if to, ok := s.target(all[i], section.link); ok {
				heads[to] = true
			}
			for _, b := range section.blocks {
				if n++; !b.code && len(b.text) <= maxSharedBlock && n <= maxSharedBlocks {
					own[sharedBlock{p.part, hashOf(b.text)}] = true
				}
			}
		}
		for block := range own {
			blockCounts[block]++
		}
		for to := range heads {
			headCounts[to]++
		}
	}
	s.heads, s.marked = most(headCounts, read), parts[partMarked] > 0
	s.blocks = map[sharedBlock]bool{}
	for block, n := range blockCounts {
		if n >= leastShared && n*2 > parts[block.part] {
			s.blocks[block] = true
		}
	}
	return s
}

// sharedBlock is a block of pages whose texts are the same part of them. If the text of a page is all that it shows, it
// repeats more than if it is only an article.
type sharedBlock struct {
	part string
	hash [16]byte
}

func hashOf(text string) [16]byte {
	sum := sha256.Sum256([]byte(text))
	return [16]byte(sum[:16])
}

// Parts counts what is left out within pages that are read otherwise.
type Parts struct {
	Pages    int    `json:"pages"`             // that lack something
	Repeated int    `json:"repeated_lines"`    // lines that most pages have
	Longest  string `json:"longest,omitempty"` // of these lines: the one that is most likely a text after all
	Links    int    `json:"link_lines"`        // lines that only lead to other pages, or to headings of their own
	Teasers  int    `json:"teasers"`           // sections about other pages
}

// add adds what is left out of one page.
func (p *Parts) add(of Parts) {
	if of.Repeated+of.Links+of.Teasers == 0 {
		return
	}
	p.Pages++
	p.Repeated += of.Repeated
	p.Links += of.Links
	p.Teasers += of.Teasers
	p.note(of.Longest)
}

func (p *Parts) note(line string) {
	if len(line) > len(p.Longest) {
		p.Longest = line
	}
}

// isLost reports whether hosts show a page for addresses that do not exist.
func isLost(name string) bool {
	file := path.Base(name)
	return file == "404.html" || file == "404.htm"
}

// reduce takes out of a page what is not about it: sections whose heading is a link to another page, as in lists of posts;
// lines that only lead to other pages, or to a heading or the top of the page; and what most pages repeat. Other links within
// the page are its text, such as the terms of a manual, each of which is a link to itself. It counts what it takes out in
// parts. It returns why the whole page is left out, or "". Other pages of which nothing would remain stay as they are.
func (s *survey) reduce(name string, p *page, parts *Parts) (leftOut string) {
	if s.pages == nil || pageKind(name) != "html" {
		return ""
	}
	if isLost(name) {
		return reasonLost
	}
	if s.marked && p.part != partMarked {
		return reasonUnmarked
	}
	headings := map[string]bool{}
	for _, section := range p.sections {
		headings[section.heading] = true
	}
	var out Parts
	remains := false
	sections := make([]section, 0, len(p.sections))
	for _, old := range p.sections {
		if to, ok := s.target(name, old.link); ok && to != name && old.level > 1 && !s.heads[to] {
			out.Teasers++
			continue
		}
		kept := old
		kept.blocks = nil
		for _, b := range old.blocks {
			if to, leads := s.target(name, b.link); leads && (to != name || headings[b.text] || leadsToTop(b.link)) {
				out.Links++
			} else if !b.code && s.blocks[sharedBlock{p.part, hashOf(b.text)}] {
				out.Repeated++
				out.note(b.text)
			} else {
				kept.blocks = append(kept.blocks, b)
			}
		}
		remains = remains || len(kept.blocks) > 0
		sections = append(sections, kept)
	}
	switch {
	case remains:
		p.sections = sections
		parts.add(out)
	case out.Teasers > 0:
		return reasonList
	}
	return ""
}

// leadsToTop reports whether a link to a page leads to its beginning, as "Back to top" does.
func leadsToTop(link string) bool {
	_, fragment, _ := strings.Cut(strings.TrimSpace(link), "#")
	return fragment == "" || strings.EqualFold(fragment, "top")
}

// target returns the page of the folder to which a link of a page leads, by a path or by an address of the web with that
// path. The home page does not count: every page leads to it, from its name.
func (s *survey) target(name, link string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(link))
	if link == "" || err != nil || !isWeb(u) || u.Opaque != "" {
		return "", false
	}
	from := &url.URL{Path: "/" + name}
	at := from.ResolveReference(u).Path
	if path.IsAbs(u.Path) || u.Host != "" {
		at = "/" + strings.TrimPrefix(at, s.base)
	}
	at = strings.TrimPrefix(at, "/")
	for _, file := range []string{at, at + ".html", path.Join(at, "index.html"), path.Join(at, "index.htm")} {
		if s.pages[file] {
			return file, file != "index.html" && file != "index.htm"
		}
	}
	return "", false
}
