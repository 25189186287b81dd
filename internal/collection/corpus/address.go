package corpus

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// maxLinkBytes is the greatest length of a base address, of a template, and of an address that a template makes.
const maxLinkBytes = 2048

// links makes the addresses of documents, which are metadata.url.
type links struct {
	base     string // what addresses are relative to, ending with "/"; "": nothing
	template []templatePart
}

// templatePart is a literal, or a field if it has a name.
type templatePart struct{ literal, field string }

// newLinks checks --base-url and --link.
func newLinks(o Options) (links, error) {
	l := links{base: o.BaseURL}
	if len(o.BaseURL) > maxLinkBytes || len(o.Link) > maxLinkBytes {
		return l, fault.Errorf(fault.Query, "--base-url and --link may have %d bytes: shorten them", maxLinkBytes)
	}
	if o.BaseURL != "" {
		u, err := url.Parse(o.BaseURL)
		if err != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" || !isWeb(u) || (u.Scheme == "") != (u.Host == "") || u.Scheme == "" && !path.IsAbs(u.Path) {
			return l, fault.Errorf(fault.Query, "--base-url %.80q is not the address of a site: give it like https://example.org/docs/ or /docs/", o.BaseURL)
		}
		l.base = strings.TrimSuffix(o.BaseURL, "/") + "/"
	}
	for rest := o.Link; rest != ""; {
		literal, after, open := strings.Cut(rest, "{")
		l.template = append(l.template, templatePart{literal: literal})
		field, after, closed := strings.Cut(after, "}")
		if strings.Contains(literal, "}") || open && (!closed || field == "" || strings.Contains(field, "{")) {
			return l, fault.Errorf(fault.Query, "--link %.80q has a brace without its partner, or no field in them: write it like /posts/{slug}/, with fields of the metadata", o.Link)
		}
		l.template = append(l.template, templatePart{field: field})
		rest = after
	}
	return l, nil
}

// isWeb reports whether an address is relative, or has the scheme http or https: a link of another scheme may run a
// script.
func isWeb(u *url.URL) bool {
	return u.Scheme == "" || u.Scheme == "http" || u.Scheme == "https"
}

// webAddress returns a value of front matter as an address, without its fragment, or false if it is not an address.
func webAddress(value any) (string, bool) {
	s, _ := value.(string)
	if s == "" || len(s) > maxLinkBytes || strings.ContainsAny(s, "{}<>\\") {
		return "", false // braces belong to a template, which only the generator can fill in
	}
	u, err := url.Parse(s)
	if err != nil || !isWeb(u) || u.Opaque != "" {
		return "", false
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String(), true
}

// escaped turns a path into an address.
func escaped(name string) string {
	return (&url.URL{Path: name}).String()
}

// resolve puts the base address before an address that has no host.
func (l *links) resolve(address string) string {
	if u, err := url.Parse(address); l.base == "" || err != nil || u.Scheme != "" || u.Host != "" {
		if address == "" {
			return "./"
		}
		return address
	}
	return l.base + strings.TrimPrefix(strings.TrimPrefix(address, "./"), "/")
}

// expand fills in the template with fields of the metadata and with parts of its date. For a field that is missing, it
// calls field.
func (l *links) expand(metadata map[string]any, field func(name string) string) (string, *InputError) {
	var b strings.Builder
	for _, part := range l.template {
		b.WriteString(part.literal)
		if part.field == "" {
			continue
		}
		value := textField(metadata, part.field)
		if value == "" {
			value = dateField(metadata["date"], part.field)
		}
		if value == "" {
			value = field(part.field)
		}
		if value == "" {
			return "", &InputError{Problem: fmt.Sprintf("there is no field %.40q for --link", part.field), Remedy: "use a field that every document has, or give this one a url"}
		}
		value = url.PathEscape(value[:min(len(value), maxLinkBytes+1)]) // a longer one is refused below
		if part.field == "path" {
			value = strings.ReplaceAll(value, "%2F", "/")
		}
		if b.WriteString(value); b.Len() > maxLinkBytes {
			break
		}
	}
	u, err := url.Parse(b.String())
	if err != nil || !isWeb(u) || u.Opaque != "" || b.Len() > maxLinkBytes {
		return "", &InputError{Problem: fmt.Sprintf("--link gives %.80q, which is not an address of at most %d bytes", b.String(), maxLinkBytes), Remedy: "begin the template with / or https://", Err: err}
	}
	return b.String(), nil
}

// textField returns a field of the metadata as a text, or "". Numbers count: YAML and TOML read the slug or the title 1984 as
// one.
func textField(metadata map[string]any, name string) string {
	switch v := metadata[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// dateField returns the year, month or day of a date such as 2024-05-06.
func dateField(date any, field string) string {
	s, _ := date.(string)
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return ""
	}
	switch field {
	case "year":
		return s[:4]
	case "month":
		return s[5:7]
	case "day":
		return s[8:10]
	}
	return ""
}

// documents returns a yield that adds the addresses of a file's documents and hands the documents on to the given
// yield.
func (l *links) documents(file string, yield func(store.Document) error) func(store.Document) error {
	if l.base == "" && l.template == nil {
		return yield
	}
	return func(d store.Document) error {
		address, _ := d.Metadata["url"].(string)
		has := address != ""
		if !has && l.template != nil {
			var problem *InputError
			address, problem = l.expand(d.Metadata, func(name string) string {
				switch name {
				case "id":
					return d.ID
				case "title":
					return d.Title
				case "slug":
					return slugOf(d.Title)
				}
				return ""
			})
			if problem != nil {
				problem.File, problem.Problem = file, fmt.Sprintf("document %.80q: %s", d.ID, problem.Problem)
				return problem
			}
			has = true
		}
		if has {
			if d.Metadata == nil {
				d.Metadata = map[string]any{}
			}
			d.Metadata["url"] = l.resolve(address)
		}
		return yield(d)
	}
}

// addressOf returns the address of a page, or why the page is left out. The address is that of the sitemap, or else of
// the front matter, of the template, of the generator, or of the page's path, in this order. In the sources of a
// generator, front matter counts only as the generator reads it.
func (c *Corpus) addressOf(name string, metadata map[string]any, title string) (address, leftOut string, problem *InputError) {
	if leftOut = unpublished(metadata); leftOut != "" {
		return "", leftOut, nil
	}
	if l, ok := c.locations[name]; ok {
		return l.address, "", nil
	}
	address, given := webAddress(metadata["url"])
	if !given {
		address, given = webAddress(metadata["permalink"])
	}
	if c.site != nil {
		_, given = webAddress(metadata[c.site.ownAddress])
		if address, leftOut = c.site.address(name, metadata, title); leftOut != "" {
			return "", leftOut, nil
		}
		if c.site.doubt != nil && c.links.template == nil {
			if problem := c.site.doubt(name); problem != nil {
				return "", "", problem
			}
		}
	} else if !given {
		address = escaped(c.plainAddress(name, metadata))
	}
	if most := maxLinkBytes + len(escaped(name)); len(address) > most { // what only the path makes may be longer
		return "", "", &InputError{Problem: fmt.Sprintf("the page's address has %d bytes, at most %d", len(address), most), Remedy: "shorten its slug, its title or its categories"}
	}
	published := address
	if !given && c.links.template != nil {
		address, problem = c.links.expand(metadata, func(field string) string {
			switch field {
			case "path":
				if c.site == nil {
					published = c.plainAddress(name, nil)
				}
				return strings.Trim(strings.TrimSuffix(published, ".html"), "/")
			case "title":
				return title
			case "slug":
				if base := stem(name); !isIndex(base) {
					return base
				}
				return path.Base(path.Dir(name))
			}
			return ""
		})
	}
	return c.links.resolve(address), "", problem
}

// plainAddress is the path of a page if a host publishes the folder as it is and turns Markdown into HTML under the
// same name, as GitHub Pages does. An index stands for its folder, and so does a README without an index beside it.
func (c *Corpus) plainAddress(name string, metadata map[string]any) string {
	dir, base := path.Split(name)
	if s := textField(metadata, "slug"); s != "" && pageKind(name) == "markdown" {
		if path.IsAbs(s) {
			return s
		}
		return dir + s + ".html"
	}
	base = stem(base)
	if strings.EqualFold(base, "index") || strings.EqualFold(base, "readme") && pageKind(name) == "markdown" && !c.hasIndex(dir) {
		return dir
	}
	if pageKind(name) == "markdown" {
		return dir + base + ".html"
	}
	return name
}

// hasIndex reports whether a folder, "" or ending with "/", has a page that stands for it.
func (c *Corpus) hasIndex(dir string) bool {
	for _, base := range []string{"index.md", "index.html", "index.htm", "index.markdown"} {
		if _, found := slices.BinarySearch(c.sorted, dir+base); found {
			return true
		}
	}
	return false
}

// stem is a file's name without its folder and its last extension.
func stem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

func isIndex(stem string) bool {
	return strings.EqualFold(stem, "index") || strings.EqualFold(stem, "readme")
}
