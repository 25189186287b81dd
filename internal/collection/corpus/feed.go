package corpus

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/vantage-search/vantage/internal/collection/store"
)

// Bounds of the pages of a sitemap. One file of a sitemap may name 50,000.
const (
	maxLocations     = 1_000_000
	maxLocationBytes = 256 << 20 // of all addresses
	maxDateBytes     = 100       // a longer date is none
)

// entry is an item of an RSS file or an entry of an Atom file, or one <url> or <sitemap> of a sitemap.
type entry struct {
	Base        string    `xml:"http://www.w3.org/XML/1998/namespace base,attr"` // of its relative addresses, in Atom
	Location    string    `xml:"loc"`
	Modified    string    `xml:"lastmod"`
	Title       []content `xml:"title"`
	Links       []link    `xml:"link"`
	GUID        guid      `xml:"guid"`
	ID          string    `xml:"id"`
	Description []content `xml:"description"`
	Encoded     []content `xml:"http://purl.org/rss/1.0/modules/content/ encoded"`
	Content     []content `xml:"content"`
	Summary     []content `xml:"summary"`
	PubDate     string    `xml:"pubDate"`
	Date        string    `xml:"http://purl.org/dc/elements/1.1/ date"`
	Published   string    `xml:"published"`
	Updated     string    `xml:"updated"`
}

type link struct {
	Base    string `xml:"http://www.w3.org/XML/1998/namespace base,attr"`
	Address string `xml:"href,attr"`
	Kind    string `xml:"rel,attr"`
	Text    string `xml:",chardata"`
}

// guid identifies an item of RSS. Unless it says otherwise, it is the item's address.
type guid struct {
	Permalink string `xml:"isPermaLink,attr"`
	Text      string `xml:",chardata"`
}

type content struct {
	Type  string `xml:"type,attr"`
	Text  string `xml:",chardata"`
	Inner string `xml:",innerxml"`
}

// markup returns the content as HTML.
func (c content) markup() string {
	switch {
	case c.Type == "xhtml":
		return withoutEmptyXML(c.Inner)
	case c.Type == "text":
		return html.EscapeString(c.Text)
	}
	return c.Text
}

// firstOf returns the first content that is not empty, as HTML.
func firstOf(lists ...[]content) string {
	for _, list := range lists {
		for _, c := range list {
			if m := c.markup(); strings.TrimSpace(m) != "" {
				return m
			}
		}
	}
	return ""
}

func (e *entry) address() string {
	for _, l := range e.Links {
		if a := strings.TrimSpace(l.Address); a != "" && (l.Kind == "" || l.Kind == "alternate") {
			return against(joined(e.Base, l.Base), a)
		}
		if a := strings.TrimSpace(l.Text); a != "" {
			return against(joined(e.Base, l.Base), a)
		}
	}
	if a := strings.TrimSpace(e.GUID.Text); e.GUID.Permalink != "false" && (strings.HasPrefix(a, "https://") || strings.HasPrefix(a, "http://")) {
		return a
	}
	return strings.TrimSpace(e.Location)
}

// against returns an address as a base makes it, or as it is if one of the two is no address. With a base that is relative to
// where the feed lies, it stays relative.
func against(base, address string) string {
	b, err := url.Parse(strings.TrimSpace(base))
	if err != nil || base == "" || b.Opaque != "" {
		return address
	}
	u, err := b.Parse(address)
	if err != nil {
		return address
	}
	if inFolder := b.Scheme == "" && b.Host == "" && !strings.HasPrefix(b.Path, "/"); inFolder && u.Scheme == "" && u.Host == "" && !strings.HasPrefix(address, "/") {
		u.Path, u.RawPath = strings.TrimPrefix(u.Path, "/"), strings.TrimPrefix(u.RawPath, "/") // Parse begins every path with one
		if u.Path == "" {
			u.Path = "./"
		}
	}
	return u.String()
}

// joined returns the base of an element with xml:base, which is relative to the base around it. If it is no address, or too
// long for one, the base around it holds.
func joined(base, own string) string {
	own = strings.TrimSpace(own)
	if u, err := url.Parse(own); err != nil || own == "" || u.Opaque != "" {
		return base
	}
	if joined := against(base, own); len(joined) <= maxLinkBytes {
		return joined
	}
	return base
}

// maxBases bounds the elements within each other whose bases count. Those around an item are a few.
const maxBases = 16

// readXML calls take with the name of the root element and each entry of a sitemap or a feed, and returns that name.
func readXML(r io.Reader, file string, take func(root string, e *entry, line int) error) (root string, err error) {
	limit := &limitedReader{r: r, left: MaxRecordBytes}
	d := xml.NewDecoder(limit)
	d.Entity = xml.HTMLEntity
	d.CharsetReader = charset.NewReaderLabel
	bad := func(err error) error {
		if problem, ok := errors.AsType[*InputError](err); ok {
			return problem
		}
		line, column := d.InputPos()
		if errors.Is(err, errLongRecord) {
			return &InputError{File: file, Line: int64(line), Problem: fmt.Sprintf("an entry is longer than %d MB", MaxRecordBytes>>20), Remedy: "split it, or index a folder of pages"}
		}
		return &InputError{File: file, Line: int64(line), Column: column, Problem: "not XML: " + strings.TrimPrefix(err.Error(), "XML syntax error on "), Remedy: "give a sitemap, or an RSS or Atom file, as a site publishes it", Err: err}
	}
	bases, depth := []string{""}, 0 // the bases of the elements that are open, for the outer ones
	for {
		token, err := d.Token()
		if err == io.EOF && root != "" {
			return root, nil
		}
		if err != nil {
			return root, bad(err)
		}
		if _, ok := token.(xml.EndElement); ok {
			depth--
			bases = bases[:min(len(bases), depth+1)]
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		name := start.Name.Local
		base := bases[len(bases)-1]
		isEntry := root != "" && slices.Contains([]string{"url", "sitemap", "item", "entry"}, name)
		if !isEntry {
			if depth++; depth < maxBases {
				bases = append(bases, joined(base, baseOf(start)))
			}
		}
		if root == "" {
			if root = name; !slices.Contains([]string{"urlset", "sitemapindex", "rss", "feed", "RDF"}, root) {
				line, _ := d.InputPos()
				return root, &InputError{File: file, Line: int64(line), Problem: fmt.Sprintf("<%.40s> is neither a sitemap nor a feed", root), Remedy: "give a sitemap, or an RSS or Atom file"}
			}
			continue
		}
		if !isEntry {
			continue
		}
		line, _ := d.InputPos()
		limit.left = MaxRecordBytes
		var e entry
		if err := d.DecodeElement(&e, &start); err != nil {
			return root, bad(err)
		}
		e.Base = joined(base, e.Base)
		limit.left = MaxRecordBytes
		if err := take(root, &e, line); err != nil {
			return root, err
		}
	}
}

// baseOf returns xml:base of an element, or "".
func baseOf(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Space == "http://www.w3.org/XML/1998/namespace" && a.Name.Local == "base" {
			return a.Value
		}
	}
	return ""
}

// openXML determines what an XML file is: a feed, whose entries are documents, or a list of pages in a folder.
func (c *Corpus) openXML() error {
	var pages []location
	var more []string
	size, tooLong := 0, 0
	lists := func(root string) bool { return root == "urlset" || root == "sitemapindex" || c.options.Base != "" } // pages, not texts
	read := func() (root string, err error) {
		err = c.readFile(func(r io.Reader) error {
			root, err = readXML(r, c.path, func(root string, e *entry, line int) error {
				a := e.address()
				switch {
				case !lists(root) || a == "":
					return nil
				case len(a) > maxLinkBytes:
					tooLong++
					return nil
				case len(pages) == maxLocations:
					return &InputError{File: c.path, Line: int64(line), Problem: fmt.Sprintf("more than %d pages", maxLocations), Remedy: "index the folder of pages"}
				}
				if size += len(a); size > maxLocationBytes {
					return &InputError{File: c.path, Line: int64(line), Problem: fmt.Sprintf("the addresses of pages have more than %d MB", maxLocationBytes>>20), Remedy: "index the folder of pages"}
				}
				pages = append(pages, location{strings.Clone(a), dateText(e.Modified)})
				return nil
			})
			return err
		})
		return root, err
	}
	root, err := read()
	if err != nil {
		return err
	}
	if !lists(root) {
		c.format = FormatFeed
		return nil
	}
	base := "/"
	if c.links.base != "" {
		base = basePath(c.links.base)
		if unescaped, err := url.PathUnescape(base); err == nil {
			base = unescaped // like the paths of addresses that are compared with it
		}
	}
	folder := filepath.Dir(c.path)
	if root == "sitemapindex" {
		file := c.path
		named := map[string]bool{}
		for _, p := range pages {
			if u, err := url.Parse(p.address); err == nil {
				if name := sitemapAt(folder, strings.TrimPrefix(path.Clean("/"+u.Path), base)); !named[name] {
					named[name] = true
					more = append(more, filepath.Join(folder, filepath.FromSlash(name)))
				}
			}
		}
		pages, size, tooLong = nil, 0, 0
		for _, c.path = range more {
			if root, err := read(); err != nil {
				return err
			} else if root == "sitemapindex" {
				return &InputError{File: c.path, Problem: "a list of sitemaps within another", Remedy: "give one of the sitemaps"}
			}
		}
		c.path = file
	}
	if c.options.Base != "" {
		folder = c.options.Base
	}
	within, err := os.OpenRoot(folder)
	if err != nil {
		return &InputError{File: folder, Problem: "cannot be read: " + cause(err), Remedy: "name the folder that is published with --base", Err: err}
	}
	defer within.Close()
	c.format, c.size, c.locations, c.leftOutFirst = FormatPages, 0, map[string]location{}, map[string]int{}
	if tooLong > 0 {
		c.leftOutFirst[reasonMissing] = tooLong
	}
	for _, p := range pages {
		name, size := pageAt(within, base, p.address)
		if name == "" {
			c.leftOutFirst[reasonMissing]++
			continue
		}
		if _, twice := c.locations[name]; !twice {
			c.pages = append(c.pages, name)
			c.size += size
			c.locations[name] = p
		}
	}
	if len(c.pages) == 0 {
		return &InputError{File: c.path, Problem: "none of its pages is in the folder " + folder, Remedy: "name the folder that is published with --base, and the address that it is published at with --base-url"}
	}
	c.path = folder
	return nil
}

// sitemapAt returns the file of a sitemap that an index in the folder names: the one at its path, as Hugo has one for each
// language, else the one beside the index.
func sitemapAt(folder, name string) string {
	name = strings.TrimPrefix(name, "/")
	if root, err := os.OpenRoot(folder); err == nil {
		defer root.Close()
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return path.Base("/" + name)
}

// location is the address of a page, and when it was changed, as the sitemap says.
type location struct{ address, modified string }

// dateText returns a date as it is written, or "" if it is far too long for one.
func dateText(s string) string {
	if s = strings.TrimSpace(s); len(s) > maxDateBytes {
		return ""
	}
	return strings.Clone(s)
}

// pageAt returns the file that a host answers an address with, and its size, or "".
func pageAt(root *os.Root, base, address string) (string, int64) {
	u, err := url.Parse(address)
	if err != nil || !isWeb(u) {
		return "", 0
	}
	at, ok := strings.CutPrefix(u.Path, base)
	if u.Path+"/" == base {
		at, ok = "", true
	}
	if !ok {
		return "", 0
	}
	for _, name := range []string{at, at + "index.html", at + ".html", at + "/index.html", at + "index.htm", at + "/index.htm"} {
		if name != path.Clean(name) || pageKind(name) != "html" {
			continue
		}
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
			return name, info.Size()
		}
	}
	return "", 0
}

// readFeed yields the passages of the entries. The id of an entry is its address. If it has none, or entries before it
// have the same one, as in a podcast whose episodes all link to the show, it is the id that the feed gives it, else its
// number.
func (c *Corpus) readFeed(r io.Reader, yield func(store.Document) error) error {
	ids := seen{}
	entries, next := 0, 0 // next: the least number that no entry has yet
	_, err := readXML(r, c.path, func(_ string, e *entry, line int) error {
		bad := func(problem *InputError) error {
			problem.File, problem.Line = c.path, int64(line)
			return problem
		}
		p, problem := htmlPage([]byte(firstOf(e.Encoded, e.Content, e.Description, e.Summary, e.Title)))
		if problem != nil {
			return bad(problem)
		}
		if title, problem := htmlPage([]byte("<body>" + firstOf(e.Title))); problem == nil {
			var texts []string
			for _, b := range title.sections[0].blocks {
				texts = append(texts, b.text)
			}
			p.title = short(strings.Join(texts, " "))
		}
		address := e.address()
		own := slices.DeleteFunc([]string{address, strings.TrimSpace(e.ID), strings.TrimSpace(e.GUID.Text)}, func(id string) bool {
			return id == "" || len(id) > store.MaxIDBytes
		})
		if problem := checkID(address); len(own) == 0 && address != "" {
			return bad(problem)
		}
		entries++
		if a, ok := webAddress(address); ok {
			address = c.links.resolve(a)
		} else {
			address = ""
		}
		p.metadata = map[string]any{}
		for _, date := range []string{e.PubDate, e.Published, e.Date, e.Updated} {
			if date = dateText(date); date != "" {
				p.metadata["date"] = isoDate(date)
				break
			}
		}
		if !p.standIn() {
			c.leftOut[reasonEmpty]++
			return nil
		}
		if p.title == "" && len(own) > 0 {
			p.title = own[0]
		}
		taken := func(id string) bool {
			defer func(title string) { p.title = title }(p.title) // which may be made of the id
			for doc := range p.passages(id, address, c.options.PassageBytes) {
				if len(doc.ID) > store.MaxIDBytes {
					return false // it is refused below
				}
				if ids.has(doc.ID) {
					return true
				}
			}
			return false
		}
		id := ""
		if free := slices.IndexFunc(own, func(id string) bool { return !taken(id) }); free >= 0 {
			id = own[free]
		}
		for next = max(next, entries); id == ""; next++ {
			if number := strconv.Itoa(next); !taken(number) {
				id = number
			}
		}
		for doc := range p.passages(id, address, c.options.PassageBytes) {
			delete(doc.Metadata, "path")
			if address == "" {
				delete(doc.Metadata, "url")
			}
			if len(doc.ID) > store.MaxIDBytes {
				return bad(&InputError{Problem: "address and heading are too long for an id", Remedy: "shorten the heading"})
			}
			ids.add(doc.ID, int64(line))
			if err := yield(doc); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}
