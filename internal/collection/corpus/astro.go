package corpus

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

var (
	// collectionCall matches the call by which a page of Astro says which collection it shows, or lists.
	collectionCall = regexp.MustCompile(`getCollection\(\s*["'` + "`" + `]([^"'` + "`" + `]+)["'` + "`" + `]`)
	renderCall     = regexp.MustCompile(`\brender\(`)
	// entryPage matches the usual name of a page that shows the entries of a collection, listPage that of one that lists them.
	entryPage = regexp.MustCompile(`^\[(?:\.\.\.)?(?:slug|id)\]`)
	listPage  = regexp.MustCompile(`^\[(?:\.\.\.)?(?:page|tag|category|author|topic|series|year|month)\]`)
)

// openAstro opens a site of Astro. It publishes Markdown in src/pages at its path, and collections in src/content below
// the page that shows them, which has a name such as [...slug].astro.
func openAstro(root fs.FS, config string, _ []string) (*generator, *InputError) {
	b, problem := readSmall(root, config)
	if problem != nil {
		return nil, problem
	}
	s := newScript(b)
	routes, problem := astroRoutes(root)
	if problem != nil {
		return nil, problem
	}
	if _, shown := routes["docs"]; !shown && strings.Contains(string(b), "starlight") {
		routes["docs"] = astroRoute{}
	}
	finish := func(at string) string {
		at = strings.Trim(at, "/")
		switch {
		case at == "":
			return ""
		case s.text("", "format") == "file":
			return escaped(at + ".html")
		case s.text("", "trailingSlash") == "never":
			return escaped(at)
		}
		return escaped(at + "/")
	}
	return &generator{
		name: "Astro", blocks: true, movesImages: true, base: basePath(s.text("/", "base")),
		source: func(name string) bool {
			return (strings.HasPrefix(name, "src/pages/") || strings.HasPrefix(name, "src/content/")) && pageKind(name) != "" && !hasPart(name, "_")
		},
		address: func(name string, metadata map[string]any, _ string) (string, string) {
			if metadata["pagefind"] == false { // how a page of Starlight keeps out of its search
				return "", reasonUnlisted
			}
			if at, ok := below("src/pages", name); ok {
				dir, base := pageFile(at)
				if base == "index" {
					base = ""
				}
				return finish(dir + base), ""
			}
			at, _ := below("src/content", name)
			collection, at, _ := strings.Cut(at, "/")
			route, shown := routes[collection]
			if !shown {
				return "", reasonPart
			}
			if slug := textField(metadata, "slug"); slug != "" {
				return finish(route.dir + "/" + slug), ""
			}
			dir, base := pageFile(at)
			parts := strings.Split(dir+base, "/")
			for i := range parts {
				parts[i] = slugOf(parts[i])
			}
			if n := len(parts) - 1; parts[n] == "index" {
				parts = parts[:n]
			}
			return finish(route.dir + "/" + strings.Join(parts, "/")), ""
		},
		doubt: func(name string) *InputError {
			at, ok := below("src/content", name)
			collection, _, _ := strings.Cut(at, "/")
			route := routes[collection]
			if !ok || route.other == "" {
				return nil
			}
			return &InputError{Problem: fmt.Sprintf("%.80q and %.80q may both show the collection %.40q, so the address is not known", route.page, route.other, collection),
				Remedy: "index the folder that Astro builds (dist), or give a template of the addresses with --link"}
		},
	}, nil
}

// maxRoutes bounds the files and folders of src/pages that are looked at.
const maxRoutes = 10_000

// astroRoute says where the pages of a collection are.
type astroRoute struct {
	dir   string
	page  string // the file that shows them
	other string // another file that does so elsewhere, for all that is known
	rank  int
}

// astroRoutes returns the route of each collection. Pages that list a collection, such as the posts of an author, call for it, too.
// The one that shows it calls for it first, renders it, and has a usual name.
func astroRoutes(root fs.FS) (map[string]astroRoute, *InputError) {
	routes := map[string]astroRoute{}
	files := 0
	err := fs.WalkDir(root, "src/pages", func(name string, d fs.DirEntry, err error) error {
		if files++; err != nil || files > maxRoutes {
			return fs.SkipAll
		}
		base := path.Base(name)
		if !d.Type().IsRegular() || !strings.HasPrefix(base, "[") || path.Ext(base) != ".astro" {
			return nil
		}
		dir, _ := below("src/pages", path.Dir(name))
		if dir == "src/pages" {
			dir = ""
		}
		if strings.Contains(dir, "[") {
			return nil // several parameters, which only the page's code can fill in
		}
		content, problem := readSmall(root, name)
		if problem != nil {
			return problem
		}
		rank := 0
		if entryPage.MatchString(base) {
			rank++
		}
		if renderCall.Match(content) {
			rank += 2
		} else if listPage.MatchString(base) {
			return nil
		}
		for i, call := range collectionCall.FindAllSubmatch(content, -1) {
			route := astroRoute{dir: dir, page: name, rank: rank}
			if i == 0 {
				route.rank += 4
			}
			collection := string(call[1])
			switch known, ok := routes[collection]; {
			case !ok || route.rank > known.rank:
				routes[collection] = route
			case route.rank == known.rank && route.dir != known.dir:
				known.other = name
				routes[collection] = known
			}
		}
		return nil
	})
	if problem, ok := err.(*InputError); ok {
		return nil, problem
	}
	return routes, nil
}
