package corpus

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/mail"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// generator is a program that publishes a folder of pages as a site.
type generator struct {
	name   string // for people
	config string // the configuration file by which it was recognised
	base   string // path of the site's address, such as "/" or "/blog/"

	// movesImages says that the generator publishes images with relative addresses at other addresses.
	movesImages bool
	// anchors returns a function that makes the anchors of a page's headings, in their order. If it is nil, they are made as
	// on GitHub.
	anchors func() func(heading string) string
	// ownAnchors says that {#name} after a heading is its anchor, bareTitles that headings of the first level have no anchor.
	ownAnchors, bareTitles bool
	// source reports whether the generator makes a page of the file.
	source func(name string) bool
	// mdx says that all Markdown is MDX.
	mdx bool
	// blocks says that Markdown may have notes between lines of colons, pythonMarkdown that it may have what Python-Markdown adds.
	blocks, pythonMarkdown bool
	// definitions says that a line of Markdown that begins with a colon defines a term, kramdown that it may have lists of attributes.
	definitions, kramdown bool
	// code says what in the generator's sources is not text. It may be nil.
	code *templates
	// anyCase are names of front matter that count in upper and lower case. If there are any, front matter may be JSON.
	anyCase []string
	// nested are names of front matter, in lower case, under which a mapping says whether the page is published. hidden reads such a
	// mapping and returns the name of a scalar that says the same, such as "unlisted", or "".
	nested []string
	hidden func(inner settings) string
	// ownAddress is the field of the front matter that sets a page's address, "" if there is none.
	ownAddress string
	// doubt says why the address of a page is not known, which only a template can help with. It may be nil.
	doubt func(name string) *InputError
	// address returns the address of a page, relative to the base, or why the generator publishes none.
	address func(name string, metadata map[string]any, title string) (address, leftOut string)
}

// generators lists the generators with the configuration files by which they are recognised. If the name of the file is
// not specific enough, the folder that content names must be there, too.
var generators = []struct {
	configs []string
	content string
	open    func(root fs.FS, config string, pages []string) (*generator, *InputError)
}{
	{[]string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config/_default/hugo.toml", "config/_default/hugo.yaml", "config/_default/hugo.yml", "config/_default/hugo.json"}, "", openHugo},
	{[]string{"config.toml", "config.yaml", "config.yml", "config.json", "config/_default/config.toml", "config/_default/config.yaml", "config/_default/config.yml", "config/_default/config.json"}, "content", openHugo},
	{[]string{"mkdocs.yml", "mkdocs.yaml"}, "", openMkDocs},
	{[]string{"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs"}, "", openDocusaurus},
	{[]string{"astro.config.mjs", "astro.config.js", "astro.config.ts", "astro.config.cjs", "astro.config.mts"}, "src", openAstro},
	{[]string{"_config.yml", "_config.yaml", "_config.toml"}, "", openJekyll},
}

// findGenerator returns the generator whose configuration lies in the folder, or nil. pages are the paths of all
// files that could be pages, sorted.
func findGenerator(root fs.FS, pages []string) (*generator, *InputError) {
	for _, g := range generators {
		for _, config := range g.configs {
			if info, err := fs.Stat(root, config); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if g.content != "" {
				if info, err := fs.Stat(root, g.content); err != nil || !info.IsDir() {
					continue
				}
			}
			site, problem := g.open(root, config, pages)
			if problem != nil {
				return nil, problem
			}
			site.config = config
			return site, nil
		}
	}
	return nil, nil
}

// basePath is the path of a site's address, beginning and ending with "/".
func basePath(address string) string {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxLinkBytes {
		return "/"
	}
	p := strings.Trim(u.EscapedPath(), "/")
	if p == "" {
		return "/"
	}
	return "/" + p + "/"
}

// checkPattern refuses the pattern of a generator's addresses if it is too long.
func checkPattern(config, what, pattern string) *InputError {
	if len(pattern) <= maxLinkBytes {
		return nil
	}
	return &InputError{File: config, Problem: fmt.Sprintf("the permalinks of %.40q have %d bytes, at most %d", what, len(pattern), maxLinkBytes),
		Remedy: "shorten them, or index the folder that the generator publishes"}
}

// maxFilled bounds a pattern with its values. It is far above maxLinkBytes, because generators leave out characters of it.
const maxFilled = 32 * maxLinkBytes

// fill puts values in the place of the tokens of a pattern. If the result is too long, it is cut, and still too long for an
// address.
func fill(token *regexp.Regexp, pattern string, value func(token string) string) (filled string, fits bool) {
	var b strings.Builder
	last := 0
	for _, at := range token.FindAllStringIndex(pattern, -1) {
		b.WriteString(pattern[last:at[0]])
		b.WriteString(value(pattern[at[0]:at[1]]))
		if last = at[1]; b.Len() > maxFilled {
			return b.String(), false
		}
	}
	b.WriteString(pattern[last:])
	return b.String(), b.Len() <= maxFilled
}

// below returns the path below a folder.
func below(folder, name string) (string, bool) {
	if folder = strings.Trim(path.Clean(folder), "/"); folder == "" || folder == "." {
		return name, true
	}
	return strings.CutPrefix(name, folder+"/")
}

// hasPart reports whether the name of a folder of the path, or of its file, begins with the prefix.
func hasPart(name, prefix string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, prefix) })
}

// dateOf reads a date of front matter, in one of the forms that generators read.
func dateOf(value any) (time.Time, bool) {
	s, _ := value.(string)
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05", "2006-01-02 15:04 -0700", "2006-01-02 15:04", time.DateOnly, "2006-1-2"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// isoDate writes a date of RSS (RFC 822 and its successors) in the form of Atom's, which begins with year, month and day. It keeps
// the date's offset from UTC, so dates with different offsets do not sort by time. What is no such date stays as it is.
func isoDate(s string) string {
	numeric := s
	if at := strings.LastIndexByte(s, ' ') + 1; at > 0 && strings.Trim(s[at:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		numeric = s[:at] + cmp.Or(zones[s[at:]], "+0000")
	}
	if t, err := mail.ParseDate(numeric); err == nil {
		return t.Format(time.RFC3339)
	}
	return s
}

// zones are the offsets of the named zones that have one in RFC 2822 (section 4.3); any other name says no more than UTC.
// Package time would take names for zones of the machine that reads the feed.
var zones = map[string]string{"EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600", "PST": "-0800", "PDT": "-0700"}

// now is the time after which the date of a page lies in the future. Tests replace it.
var now = time.Now

// words makes a slug: letters and digits in lower case, with a hyphen for all else between them.
func words(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// pageFile splits a path into its folder, "" or ending with "/", and its name without the extension.
func pageFile(name string) (dir, base string) {
	dir, base = path.Split(name)
	return dir, strings.TrimSuffix(base, path.Ext(base))
}
