package corpus

import (
	"io/fs"
	"path"
	"slices"
)

// openMkDocs opens a site of MkDocs. It publishes a Markdown page below docs_dir as a folder with an index, or as a
// file if use_directory_urls is off. HTML there is copied.
func openMkDocs(root fs.FS, config string, pages []string) (*generator, *InputError) {
	s, problem := readSettings(root, config)
	if problem != nil {
		return nil, problem
	}
	docs := s.text("docs", "docs_dir")
	folders := s.flag(true, "use_directory_urls")
	excluded, drafts := ignoredBy("/templates/\n"+s.text("", "exclude_docs")), ignoredBy(s.text("", "draft_docs"))
	return &generator{
		name: "MkDocs", pythonMarkdown: true, ownAnchors: true, movesImages: true, base: basePath(s.text("", "site_url")),
		anchors: mkdocsAnchors, nested: []string{"search"},
		hidden: func(search settings) string { // of Material for MkDocs
			if search.flag(false, "exclude") {
				return "unlisted"
			}
			return ""
		},
		source: func(name string) bool {
			at, ok := below(docs, name)
			return ok && !excluded.has(at)
		},
		address: func(name string, _ map[string]any, _ string) (string, string) {
			at, _ := below(docs, name)
			if drafts.has(at) {
				return "", reasonDraft
			}
			if pageKind(at) == "html" {
				return escaped(at), ""
			}
			dir, base := pageFile(at)
			if base == "README" {
				if _, beside := slices.BinarySearch(pages, path.Join(path.Dir(name), "index.md")); beside {
					return "", reasonPart // MkDocs excludes it, with a warning
				}
			}
			home := base == "index" || base == "README"
			switch {
			case home && folders:
				return escaped(dir), ""
			case home:
				return escaped(dir + "index.html"), ""
			case folders:
				return escaped(dir + base + "/"), ""
			}
			return escaped(dir + base + ".html"), ""
		},
	}, nil
}
