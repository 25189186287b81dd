package corpus

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// jekyll has the settings that decide the addresses of a site of Jekyll.
type jekyll struct {
	posts       string // pattern of the addresses of posts
	pages       string // end of the addresses of pages
	collections map[string]string
	exclude     []string         // beginnings of paths
	globs       []*regexp.Regexp // the same patterns with wildcards, which may match a slash, too
	future      bool
}

// jekyllStyles are Jekyll's named styles of addresses: the pattern of posts, and the end of the addresses of pages.
var jekyllStyles = map[string][2]string{
	"date":     {"/:categories/:year/:month/:day/:title:output_ext", ".html"},
	"pretty":   {"/:categories/:year/:month/:day/:title/", "/"},
	"ordinal":  {"/:categories/:year/:y_day/:title:output_ext", ".html"},
	"weekdate": {"/:categories/:year/W:week/:short_day/:title:output_ext", ".html"},
	"none":     {"/:categories/:title:output_ext", ".html"},
}

var (
	jekyllPost  = regexp.MustCompile(`^(\d{2,4}-\d{1,2}-\d{1,2})-(.+)$`)
	unpretty    = regexp.MustCompile(`[^\p{L}\p{M}\p{N}._~!$&'()+,;=@]+`) // what becomes a hyphen in an address
	jekyllToken = regexp.MustCompile(`:(?:categories|slugified_categories|title|slug|output_ext|year|short_year|w_year|month|i_month|short_month|long_month|day|i_day|y_day|week|w_day|short_day|long_day|hour|minute|second|collection|path|name|basename)`)
)

func openJekyll(root fs.FS, config string, _ []string) (*generator, *InputError) {
	s, problem := readSettings(root, config)
	if problem != nil {
		return nil, problem
	}
	j := &jekyll{collections: map[string]string{}, future: s.flag(false, "future"),
		exclude: []string{"node_modules", "vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/"}}
	for _, pattern := range s.list("exclude") {
		if pattern = strings.TrimPrefix(pattern, "/"); pattern != "" {
			j.exclude = append(j.exclude, pattern)
			if glob, err := regexp.Compile("^" + globPart.ReplaceAllStringFunc(pattern, jekyllGlob) + "$"); err == nil {
				j.globs = append(j.globs, glob)
			}
		}
	}
	j.posts = s.text("date", "permalink")
	if style, named := jekyllStyles[j.posts]; named {
		j.posts, j.pages = style[0], style[1]
	} else if j.pages = ".html"; strings.HasSuffix(j.posts, "/") {
		j.pages = "/"
	}
	collections, _ := s.get("collections").(map[string]any)
	for name := range collections {
		switch {
		case name == "posts":
			j.posts = s.text(j.posts, "collections", name, "permalink")
		case s.flag(false, "collections", name, "output"):
			end := ":output_ext"
			if j.pages == "/" {
				end = "/"
			}
			j.collections[name] = s.text("/:collection/:path"+end, "collections", name, "permalink")
		}
	}
	patterns := map[string]string{"posts": j.posts}
	maps.Copy(patterns, j.collections)
	for name, pattern := range patterns {
		if problem := checkPattern(config, name, pattern); problem != nil {
			return nil, problem
		}
	}
	return &generator{
		name: "Jekyll", ownAddress: "permalink", ownAnchors: true, definitions: true, kramdown: true, base: basePath(s.text("", "baseurl")), code: liquid,
		source: j.source, address: j.address,
	}, nil
}

// source leaves out what Jekyll does not read: what is excluded, and names that begin with an underscore or a hash,
// except the folders of posts, drafts and collections.
func (j *jekyll) source(name string) bool {
	for _, beginning := range j.exclude {
		if strings.HasPrefix(name, beginning) {
			return false
		}
	}
	for _, glob := range j.globs {
		for at := name; at != "."; at = path.Dir(at) {
			if glob.MatchString(at) {
				return false
			}
		}
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		known := part == "_posts" || part == "_drafts"
		if i == 0 && strings.HasPrefix(part, "_") {
			_, collection := j.collections[part[1:]]
			known = known || collection
		}
		if (strings.HasPrefix(part, "_") || strings.HasPrefix(part, "#")) && !(known && i < len(parts)-1) {
			return false
		}
	}
	return true
}

// jekyllGlob turns a part of a pattern into a regular expression.
func jekyllGlob(part string) string {
	switch {
	case part == "?":
		return "."
	case part[0] == '*' || part == "/**":
		return strings.ReplaceAll(part, "*", ".*")
	}
	return globSet(part)
}

// jekyllFolders makes folders of categories, without those that are the same.
func jekyllFolders(categories []string, folder func(category string) string) string {
	var folders []string
	seen := map[string]bool{}
	for _, c := range categories {
		if c = folder(c); c != "" && !seen[c] {
			seen[c] = true
			folders = append(folders, c)
		}
	}
	return strings.Join(folders, "/")
}

func (j *jekyll) address(name string, metadata map[string]any, _ string) (string, string) {
	if hasPart(name, "_drafts") {
		return "", reasonDraft
	}
	dir, base := pageFile(name)
	post := strings.Contains("/"+dir, "/_posts/")
	if metadata == nil { // Jekyll makes no page of it; HTML is copied
		if pageKind(name) == "html" && !post && !strings.HasPrefix(name, "_") {
			return escaped(name), ""
		}
		return "", reasonBare
	}
	pattern, given := metadata["permalink"].(string)
	if given && len(pattern) > maxLinkBytes || strings.ContainsAny(pattern, "{}<>\\") {
		given = false
	}
	tokens := map[string]string{"output_ext": ".html"}
	date, dated := dateOf(metadata["date"])
	collection := ""
	switch {
	case post:
		m := jekyllPost.FindStringSubmatch(base)
		if m == nil {
			return "", reasonPart
		}
		if !dated {
			date, dated = dateOf(m[1])
		}
		if !dated {
			return "", reasonPart
		}
		if date.After(now()) && !j.future {
			return "", reasonFuture
		}
		base, collection = m[2], "posts"
		before, _, _ := strings.Cut("/"+dir, "/_posts/") // folders within _posts only order its files
		categories := strings.FieldsFunc(before, func(r rune) bool { return r == '/' })
		for _, field := range []string{"category", "categories"} {
			switch v := metadata[field].(type) {
			case string:
				if field == "category" {
					categories = append(categories, v)
				} else {
					categories = append(categories, strings.Fields(v)...)
				}
			case []any:
				for _, c := range v {
					categories = append(categories, fmt.Sprint(c))
				}
			}
		}
		tokens["categories"], tokens["slugified_categories"] = jekyllFolders(categories, strings.ToLower), jekyllFolders(categories, words)
		if !given {
			pattern = j.posts
		}
	case strings.HasPrefix(name, "_"):
		collection, _, _ = strings.Cut(name[1:], "/")
		inside, _ := below("_"+collection, dir+base)
		tokens["path"] = inside
		if !given {
			pattern = j.collections[collection]
		}
	default:
		tokens["path"] = strings.TrimSuffix(dir, "/")
		switch {
		case given:
		case base == "index":
			pattern = "/:path/"
		default:
			pattern = "/:path/:basename" + j.pages
		}
	}
	if style, named := jekyllStyles[pattern]; named && given {
		if pattern = style[0]; collection == "" {
			pattern = "/:path/:basename" + style[1]
		}
	}
	slug := textField(metadata, "slug")
	if slug == "" {
		slug = base
	}
	tokens["collection"] = collection
	tokens["title"], tokens["slug"], tokens["basename"], tokens["name"] = strings.Trim(unpretty.ReplaceAllString(slug, "-"), "-"), words(slug), base, words(base)
	if date != (time.Time{}) {
		year, week := date.ISOWeek()
		for token, layout := range map[string]string{"year": "2006", "short_year": "06", "month": "01", "i_month": "1", "short_month": "Jan", "long_month": "January", "day": "02", "i_day": "2", "y_day": "002",
			"short_day": "Mon", "long_day": "Monday", "hour": "15", "minute": "04", "second": "05"} {
			tokens[token] = date.Format(layout)
		}
		tokens["w_year"], tokens["week"], tokens["w_day"] = strconv.Itoa(year), fmt.Sprintf("%02d", week), strconv.Itoa((int(date.Weekday())+6)%7+1)
	}
	at, fits := fill(jekyllToken, pattern, func(token string) string { return tokens[token[1:]] })
	if !fits {
		return at, ""
	}
	if given && pattern == at { // an address without tokens, which may have a host
		if address, ok := webAddress(at); ok {
			return address, ""
		}
	}
	folder := strings.HasSuffix(at, "/")
	if at = strings.TrimPrefix(path.Clean("/"+at), "/"); folder && at != "" {
		at += "/"
	}
	return escaped(at), ""
}
