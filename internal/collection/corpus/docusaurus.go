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
	// datedPost matches the path of a post below blog/ that has a date in it: its folders, the date, and the rest of its
	// name. It is what Docusaurus matches paths with, which publishes a post at this date, not at that of its front matter.
	datedPost = regexp.MustCompile(`^(.*)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*?)(?:/index)?$`)
)

// openDocusaurus opens a site of Docusaurus. It publishes docs/ below the route of the documentation, blog/ with dates
// in the addresses, further folders of both kinds as its plugins say, and Markdown in src/pages.
func openDocusaurus(root fs.FS, config string, _ []string) (*generator, *InputError) {
	b, problem := readSmall(root, config)
	if problem != nil {
		return nil, problem
	}
	s := newScript(b)
	plugins := docusaurusPlugins(s)
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
		name: "Docusaurus", mdx: s.within("markdown").text("mdx", "format") == "mdx", blocks: true, ownAnchors: true, bareTitles: true, movesImages: true, base: basePath(s.text("/", "baseUrl")),
		source: func(name string) bool {
			plugin, at := docusaurusPlugin(plugins, name)
			return (plugin != nil || strings.HasPrefix(name, "src/pages/")) && pageKind(name) == "markdown" && !hasPart(at, "_")
		},
		address: func(name string, metadata map[string]any, _ string) (string, string) {
			slug := textField(metadata, "slug")
			plugin, at := docusaurusPlugin(plugins, name)
			if plugin != nil && plugin.blog {
				news := plugin.route
				dir, base := pageFile(at)
				parts := datedPost.FindStringSubmatch(dir + base)
				switch {
				case slug != "":
					return finish(news + "/" + slug), ""
				case parts == nil:
					return finish(news + "/" + strings.TrimSuffix(dir+base, "/index")), ""
				}
				return finish(news + "/" + strings.ReplaceAll(parts[2], "-", "/") + "/" + parts[1] + parts[3]), ""
			}
			if plugin == nil {
				at, _ := below("src/pages", name)
				dir, base := pageFile(at)
				if slug != "" {
					return finish(slug), ""
				}
				if base == "index" {
					base = ""
				}
				return finish(dir + base), ""
			}
			route := plugin.route
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

// pluginOptions begins the options of a plugin that publishes documentation or a blog.
var pluginOptions = regexp.MustCompile(`content-(docs|blog)["'` + "`" + `]\s*\)?\s*,\s*\(?\s*\{`)

// docusaurusFolder is a folder of pages that a plugin publishes.
type docusaurusFolder struct {
	blog        bool
	path, route string
}

// maxPlugins bounds the plugins that are looked at.
const maxPlugins = 100

// docusaurusPlugins returns the folders of the preset's documentation and blog, and of further plugins of these kinds, which
// have an id. Without a preset, a plugin without an id takes its place.
func docusaurusPlugins(s script) []docusaurusFolder {
	presets := s.within("presets")
	if presets == "" {
		presets = s.without(s.within("themeConfig")).without(s.within("plugins"))
	}
	standard := map[string]script{"docs": presets.within("docs"), "blog": presets.within("blog")}
	var folders []docusaurusFolder
	for _, at := range pluginOptions.FindAllStringSubmatchIndex(string(s), maxPlugins) {
		kind, options := string(s[at[2]:at[3]]), s[at[1]:].inner().own()
		path := options.text("", "path")
		switch id := options.text("default", "id"); {
		case id == "default" && standard[kind] == "":
			standard[kind] = options
		case id != "default" && path != "":
			folders = append(folders, docusaurusFolder{kind == "blog", path, strings.Trim(options.text(kind, "routeBasePath"), "/")})
		}
	}
	for _, kind := range []string{"docs", "blog"} {
		options := standard[kind].own()
		folders = append(folders, docusaurusFolder{kind == "blog", options.text(kind, "path"), strings.Trim(options.text(kind, "routeBasePath"), "/")})
	}
	return folders
}

// docusaurusPlugin returns the innermost folder of a plugin that a page lies in, and the path of the page below it, or nil and
// the whole path.
func docusaurusPlugin(folders []docusaurusFolder, name string) (*docusaurusFolder, string) {
	var found *docusaurusFolder
	rest := name
	for i := range folders {
		if at, ok := below(folders[i].path, name); ok && len(at) < len(rest) {
			found, rest = &folders[i], at
		}
	}
	return found, rest
}

func unnumbered(part string) string {
	if m := numberPrefix.FindStringSubmatch(part); m != nil && !dateOrNumber.MatchString(part) {
		return m[1]
	}
	return part
}
