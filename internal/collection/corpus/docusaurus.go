package corpus

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
)

var (
	// numberPrefix matches a name with a number before it that only orders files, as in 01-intro, and is left out of
	// the address. If dateOrNumber matches, the number is a date or a version, and stays.
	numberPrefix = regexp.MustCompile(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)
	dateOrNumber = regexp.MustCompile(`^\d+[-_.]\d+`)
	// datedPost matches the path of a post below blog/ that has a date in it.
	datedPost = regexp.MustCompile(`^(?:(.*)/)?(\d{4}-\d{1,2}-\d{1,2})[-/]?(.*?)(?:/index)?$`)
)

// openDocusaurus opens a site of Docusaurus. It publishes docs/ below the route of the documentation, blog/ with dates
// in the addresses, and Markdown in src/pages.
func openDocusaurus(root fs.FS, config string, _ []string) (*generator, *InputError) {
	b, problem := readSmall(root, config)
	if problem != nil {
		return nil, problem
	}
	s := script(b)
	blog := s.within("blog")
	route, news := strings.Trim(s.without(blog).text("docs", "routeBasePath"), "/"), strings.Trim(blog.text("blog", "routeBasePath"), "/")
	end := "" // the end of addresses; a static host answers with and without it
	if s.flag(false, "trailingSlash") {
		end = "/"
	}
	finish := func(at string) string {
		if at = strings.TrimPrefix(path.Clean("/"+at), "/"); at == "" {
			return ""
		}
		return escaped(at + end)
	}
	return &generator{
		name: "Docusaurus", mdx: s.text("mdx", "format") == "mdx", blocks: true, ownAnchors: true, bareTitles: true, movesImages: true, base: basePath(s.text("/", "baseUrl")),
		source: func(name string) bool {
			return (strings.HasPrefix(name, "docs/") || strings.HasPrefix(name, "blog/") || strings.HasPrefix(name, "src/pages/")) && pageKind(name) == "markdown" && !hasPart(name, "_")
		},
		address: func(name string, metadata map[string]any, _ string) (string, string) {
			slug := textField(metadata, "slug")
			if at, ok := below("blog", name); ok {
				dir, base := pageFile(at)
				parts := datedPost.FindStringSubmatch(dir + base)
				switch {
				case slug != "":
					return finish(news + "/" + slug), ""
				case parts == nil:
					return finish(news + "/" + strings.TrimSuffix(dir+base, "/index")), ""
				}
				at := strings.ReplaceAll(parts[2], "-", "/")
				if date, ok := dateOf(metadata["date"]); ok {
					at = date.Format("2006/01/02")
				}
				return finish(news + "/" + parts[1] + "/" + at + "/" + parts[3]), ""
			}
			if at, ok := below("src/pages", name); ok {
				dir, base := pageFile(at)
				if slug != "" {
					return finish(slug), ""
				}
				if base == "index" {
					base = ""
				}
				return finish(dir + base), ""
			}
			at, _ := below("docs", name)
			dir, base := pageFile(at)
			folders := strings.Split(strings.TrimSuffix(dir, "/"), "/")
			for i := range folders {
				folders[i] = unnumbered(folders[i])
			}
			last := folders[len(folders)-1]
			dir = strings.Join(folders, "/")
			if strings.HasPrefix(slug, "/") {
				return finish(route + slug), ""
			}
			if slug != "" {
				return finish(route + "/" + dir + "/" + slug), ""
			}
			if base = unnumbered(base); isIndex(base) || strings.EqualFold(base, last) {
				if at := finish(route + "/" + dir); at != "" {
					return strings.TrimSuffix(at, "/") + "/", ""
				}
				return "", ""
			}
			if id := textField(metadata, "id"); id != "" {
				base = id
			}
			return finish(route + "/" + dir + "/" + base), ""
		},
	}, nil
}

func unnumbered(part string) string {
	if m := numberPrefix.FindStringSubmatch(part); m != nil && !dateOrNumber.MatchString(part) {
		return m[1]
	}
	return part
}
