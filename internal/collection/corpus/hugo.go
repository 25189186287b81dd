package corpus

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// hugo has the settings and the folders that decide the addresses of a site of Hugo.
type hugo struct {
	content    string            // folder
	permalinks map[string]string // patterns by section
	forLists   map[string]string // the same for lists
	languages  map[string]bool   // by name in file names, such as "de" in page.de.md
	contents   map[string]string // folders of languages that have one of their own
	prefix     func(language string) string
	bundles    map[string]bool // folders that are one page together, because they have an index
	lists      map[string]bool // folders with an _index; below the first level, only these are sections
	disabled   map[string]bool // kinds of pages that are not published
	taxonomies map[string]bool // folders of lists of terms, such as "tags"
	ugly       bool
	keepCase   bool
}

func openHugo(root fs.FS, config string, pages []string) (*generator, *InputError) {
	s, config, problem := hugoSettings(root, config)
	if problem != nil {
		return nil, problem
	}
	h := &hugo{
		content: strings.Trim(s.text("content", "contentDir"), "/"), ugly: s.flag(false, "uglyURLs"), keepCase: s.flag(false, "disablePathToLower"),
		disabled: map[string]bool{}, taxonomies: map[string]bool{}, permalinks: map[string]string{}, forLists: map[string]string{}, languages: map[string]bool{}, contents: map[string]string{}, bundles: map[string]bool{}, lists: map[string]bool{},
	}
	for _, kind := range s.list("disableKinds") {
		h.disabled[strings.ToLower(kind)] = true
	}
	taxonomies, given := s.get("taxonomies").(map[string]any)
	if !given {
		taxonomies = map[string]any{"tag": "tags", "category": "categories"}
	}
	for _, plural := range taxonomies {
		h.taxonomies[strings.ToLower(fmt.Sprint(plural))] = true
	}
	for _, p := range []struct {
		into map[string]string
		at   []string
	}{{h.permalinks, []string{"permalinks"}}, {h.permalinks, []string{"permalinks", "page"}}, {h.forLists, []string{"permalinks", "section"}}} {
		patterns, _ := s.get(p.at...).(map[string]any)
		for section, pattern := range patterns {
			text, ok := pattern.(string)
			if !ok {
				continue
			}
			if problem := checkPattern(config, section, text); problem != nil {
				return nil, problem
			}
			for _, token := range hugoToken.FindAllString(text, -1) {
				if !hugoTokens[token] {
					return nil, &InputError{File: config, Problem: fmt.Sprintf("the permalinks of %.40q have %.40q, which is not known here", section, token),
						Remedy: "index the folder that Hugo publishes (public)"}
				}
			}
			p.into[strings.Trim(section, " /")] = text // "/" stands for pages beside all sections
		}
	}
	standard := s.text("en", "defaultContentLanguage")
	inside := s.flag(false, "defaultContentLanguageInSubdir")
	languages, _ := s.get("languages").(map[string]any)
	for language := range languages {
		h.languages[language] = true
		if folder := s.text("", "languages", language, "contentDir"); folder != "" {
			h.contents[language] = folder
		}
	}
	h.prefix = func(language string) string {
		if len(h.languages) == 0 || (language == "" || language == standard) && !inside {
			return ""
		}
		if language == "" {
			return standard + "/"
		}
		return language + "/"
	}
	for _, name := range pages {
		if _, _, ok := h.below(name); !ok {
			continue
		}
		switch dir, base, _ := h.split(name); base {
		case "index":
			h.bundles[dir] = true
		case "_index":
			h.lists[dir] = true
		}
	}
	future, expired := s.flag(false, "buildFuture"), s.flag(false, "buildExpired")
	return &generator{
		name: "Hugo", ownAddress: "url", anyCase: hugoNames, nested: []string{"build", "_build"}, hidden: hugoHidden, anchors: hugoAnchors, ownAnchors: true, definitions: true, base: basePath(s.text("", "baseURL")), code: shortcodes,
		source: func(name string) bool { _, _, ok := h.below(name); return ok },
		address: func(name string, metadata map[string]any, title string) (string, string) {
			if date := hugoDate(metadata, "publishdate", "pubdate", "published", "date", "lastmod", "modified"); date.After(now()) && !future {
				return "", reasonFuture
			}
			if date := hugoDate(metadata, "expirydate", "unpublishdate"); date != (time.Time{}) && date.Before(now()) && !expired {
				return "", reasonFuture
			}
			if headless, _ := truth(metadata["headless"]); headless {
				return "", reasonPart
			}
			return h.address(name, metadata, title)
		},
	}, nil
}

// hugoFile matches the names of files in Hugo's folders of configuration that decide addresses. A file of another name than hugo or
// config has what belongs under that name, and one with a language has what belongs to this language.
var hugoFile = regexp.MustCompile(`^(hugo|config|languages|permalinks|taxonomies)(?:\.([\w-]+))?\.(?:toml|yaml|yml|json)$`)

// hugoSettings reads the configuration file by which a site was recognised, and those in the folders of configuration that Hugo
// reads to publish a site. It also returns which of them has the permalinks.
func hugoSettings(root fs.FS, config string) (s settings, permalinks string, problem *InputError) {
	all := settings{}
	permalinks = config
	take := func(file string, under ...string) *InputError {
		s, problem := readSettings(root, file)
		if problem != nil {
			return problem
		}
		if len(under) == 0 && s.get("permalinks") != nil || len(under) == 1 && under[0] == "permalinks" {
			permalinks = file
		}
		values := map[string]any(s)
		for _, name := range slices.Backward(under) {
			values = map[string]any{name: values}
		}
		merge(all, values)
		return nil
	}
	if path.Dir(config) == "." {
		if problem := take(config); problem != nil {
			return nil, "", problem
		}
	}
	for _, dir := range []string{"config/_default", "config/production"} {
		files, _ := fs.ReadDir(root, dir) // most sites have no such folder
		for _, file := range files {
			m := hugoFile.FindStringSubmatch(file.Name())
			if m == nil || !file.Type().IsRegular() {
				continue
			}
			var under []string
			switch {
			case m[2] != "":
				under = []string{"languages", m[2]}
			case m[1] != "hugo" && m[1] != "config":
				under = m[1:2]
			}
			if problem := take(path.Join(dir, file.Name()), under...); problem != nil {
				return nil, "", problem
			}
		}
	}
	return all, permalinks, nil
}

// hugoNames are the names of front matter that decide what Hugo publishes, and where, apart from dates.
var hugoNames = []string{"title", "slug", "url", "draft", "headless", "robots", "noindex", "unlisted"}

// hugoHidden reads the options under "build", or "_build" in front matter from before Hugo 0.145. Pages that are not rendered
// have no file. Earlier versions had booleans, which Hugo still reads.
func hugoHidden(build settings) string {
	is := func(option string, values ...string) bool {
		value := build.get(option)
		return value != nil && slices.Contains(values, fmt.Sprint(value))
	}
	switch {
	case is("render", "never", "link", "false", "no", "off", "0"):
		return "headless"
	case is("list", "never", "false", "no", "off", "0"):
		return "unlisted"
	}
	return ""
}

// hugoDate returns the first date that a page has of those with these names, in any case.
func hugoDate(metadata map[string]any, names ...string) time.Time {
	for _, name := range names {
		for _, key := range slices.Sorted(maps.Keys(metadata)) {
			if strings.EqualFold(key, name) {
				if date, ok := dateOf(metadata[key]); ok {
					return date
				}
			}
		}
	}
	return time.Time{}
}

// hugoAnchors makes anchors as Hugo does: those of GitHub, but without marks, such as accents and vowels that are characters
// of their own, and in the lower case of each letter by itself.
func hugoAnchors() func(heading string) string {
	taken := names{}
	return func(heading string) string {
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, heading)
		if anchor == "" {
			anchor = "heading"
		}
		return taken.take(anchor)
	}
}

// split returns the folder below content, "" or ending with "/", the name without extension and language, and the
// language.
func (h *hugo) split(name string) (dir, base, language string) {
	at, language, _ := h.below(name)
	dir, base = pageFile(at)
	if ext := path.Ext(base); ext != "" && h.languages[ext[1:]] {
		return dir, strings.TrimSuffix(base, ext), ext[1:]
	}
	return dir, base, language
}

// below returns the path of a page below the folder of its language, which is "" in the folder of all languages.
func (h *hugo) below(name string) (at, language string, ok bool) {
	for _, language := range slices.Sorted(maps.Keys(h.contents)) {
		if at, ok := below(h.contents[language], name); ok {
			return at, language, true
		}
	}
	if len(h.contents) > 0 && len(h.contents) == len(h.languages) {
		return "", "", false // each language has its own
	}
	at, ok = below(h.content, name)
	return at, "", ok
}

func (h *hugo) address(name string, metadata map[string]any, title string) (string, string) {
	dir, base, language := h.split(name)
	prefix := h.prefix(language)
	for folder := dir; folder != ""; {
		if h.bundles[folder] && (folder != dir || base != "index") {
			return "", reasonPart // a resource of the bundle
		}
		folder, _ = path.Split(strings.TrimSuffix(folder, "/"))
	}
	section, inside, _ := strings.Cut(dir, "/")
	list := base == "_index"
	kind := "page"
	switch taxonomy := h.taxonomies[strings.ToLower(section)]; {
	case list && dir == "":
		kind = "home"
	case list && taxonomy && inside == "":
		kind = "taxonomy"
	case list && taxonomy:
		kind = "term"
	case list:
		kind = "section"
	}
	if h.disabled[kind] {
		return "", reasonPart
	}
	if base == "index" && dir != "" { // a bundle has the name of its folder
		dir, base = path.Split(strings.TrimSuffix(dir, "/"))
	}
	value := func(token string) string { return h.value(token, metadata, title, dir, base) }
	if address, ok := h.own(metadata["url"], value); ok && !strings.Contains(address, "://") {
		if path.Ext(address) == "" {
			address = strings.TrimSuffix(address, "/") + "/"
		}
		if strings.HasPrefix(address, "/") {
			return address, ""
		}
		return prefix + address, ""
	} else if ok {
		return address, ""
	}
	slug := textField(metadata, "slug")
	pattern, ok := h.permalinks[section]
	if list {
		pattern, ok = h.forLists[section]
		ok = ok && dir != "" // the home page has none
	}
	at := ""
	switch {
	case ok:
		var fits bool
		if at, fits = fill(hugoToken, pattern, value); !fits {
			return at, ""
		}
	case list:
		at = hyphened(dir)
	case dir == "" && base == "index":
		at = ""
	case slug != "":
		at = hyphened(dir) + slug
	default:
		at = hyphened(dir + base)
	}
	at = strings.Trim(h.clean(at), "/")
	switch {
	case at == "":
		return prefix, ""
	case h.ugly && !list:
		return escaped(prefix + at + ".html"), ""
	case path.Ext(pattern) != "":
		return escaped(prefix + at), ""
	}
	return escaped(prefix + at + "/"), ""
}

var (
	hugoToken  = regexp.MustCompile(`:\w+(\[[^\]]*\])?`)
	hugoTokens = map[string]bool{
		":year": true, ":month": true, ":monthname": true, ":day": true, ":weekday": true, ":weekdayname": true, ":yearday": true, ":section": true, ":sections": true,
		":title": true, ":slug": true, ":filename": true, ":contentbasename": true, ":slugorfilename": true, ":slugorcontentbasename": true,
	}
)

// own returns the address in a page's front matter. As in a pattern, tokens in it have values; what is no token stays.
func (h *hugo) own(url any, value func(token string) string) (string, bool) {
	pattern, _ := url.(string)
	if strings.Contains(pattern, "://") {
		return webAddress(pattern)
	}
	address, fits := fill(hugoToken, pattern, func(token string) string {
		if !hugoTokens[token] {
			return token
		}
		return h.clean(value(token))
	})
	if !fits {
		return "", false
	}
	return webAddress(address)
}

// sections is the path of those folders of a page that are sections: the first one, and those among lists.
func (h *hugo) sections(dir string) string {
	var parts []string
	at := ""
	for i, part := range strings.Split(strings.TrimSuffix(dir, "/"), "/") {
		if at += part + "/"; i == 0 || h.lists[at] {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

// value returns the value of a token in a pattern.
func (h *hugo) value(token string, metadata map[string]any, title, dir, base string) string {
	date := hugoDate(metadata, "date", "publishdate", "pubdate", "published", "lastmod", "modified")
	slug := textField(metadata, "slug")
	switch token {
	case ":year":
		return strconv.Itoa(date.Year()) // without a date, it is 1
	case ":month":
		return date.Format("01")
	case ":monthname":
		return date.Format("January")
	case ":day":
		return date.Format("02")
	case ":weekday":
		return strconv.Itoa(int(date.Weekday()))
	case ":weekdayname":
		return date.Weekday().String()
	case ":yearday":
		return strconv.Itoa(date.YearDay())
	case ":section":
		section, _, _ := strings.Cut(dir, "/")
		return section
	case ":sections":
		return h.sections(dir)
	case ":title":
		return strings.ReplaceAll(title, "/", "-")
	case ":slug":
		if slug == "" {
			return strings.ReplaceAll(title, "/", "-")
		}
		return slug
	case ":slugorfilename", ":slugorcontentbasename":
		if slug != "" {
			return slug
		}
	}
	return base
}

// hyphened is a path of a file with a hyphen for each space, as Hugo has it since 0.123, before characters are left out.
func hyphened(at string) string { return strings.ReplaceAll(at, " ", "-") }

// clean treats a path as Hugo does: it becomes lower case, spaces become hyphens, and besides letters and digits only the
// characters listed here are kept.
func (h *hugo) clean(at string) string {
	if !h.keepCase {
		at = strings.ToLower(at)
	}
	var b strings.Builder
	gap, hyphen := false, false // gap: there was a space after the last character that was kept; hyphen: that was a hyphen
	for _, r := range at {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("./_#+~@-", r) {
			gap = gap || unicode.IsSpace(r) && b.Len() > 0 && !hyphen
			continue
		}
		hyphen = r == '-'
		if gap && !hyphen {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}
