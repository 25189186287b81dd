package corpus

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// collectionCall matches the call by which a page of Astro says which collection it shows.
var collectionCall = regexp.MustCompile(`getCollection\(\s*["'` + "`" + `]([^"'` + "`" + `]+)["'` + "`" + `]`)

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
		routes["docs"] = ""
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
				return finish(route + "/" + slug), ""
			}
			dir, base := pageFile(at)
			parts := strings.Split(dir+base, "/")
			for i := range parts {
				parts[i] = slugOf(parts[i])
			}
			if n := len(parts) - 1; parts[n] == "index" {
				parts = parts[:n]
			}
			return finish(route + "/" + strings.Join(parts, "/")), ""
		},
	}, nil
}

// maxRoutes bounds the files and folders of src/pages that are looked at.
const maxRoutes = 10_000

// astroRoutes returns for each collection the path below which its pages are.
func astroRoutes(root fs.FS) (map[string]string, *InputError) {
	routes := map[string]string{}
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
		for _, call := range collectionCall.FindAllSubmatch(content, -1) {
			if _, known := routes[string(call[1])]; !known {
				routes[string(call[1])] = dir
			}
		}
		return nil
	})
	if problem, ok := err.(*InputError); ok {
		return nil, problem
	}
	return routes, nil
}
