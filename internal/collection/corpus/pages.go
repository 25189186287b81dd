package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/japanese"

	"github.com/vantage-search/vantage/internal/collection/store"
)

// findPages lists the Markdown and HTML files below the folder, in the order of
// fs.WalkDir, which is not quite that of their paths. It skips hidden entries, and
// symbolic links because a page with two names would be found twice.
func (c *Corpus) findPages() error {
	c.size = 0
	sizes := map[string]int64{}
	err := fs.WalkDir(os.DirFS(c.path), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return &InputError{File: path.Join(c.path, name), Problem: "cannot be read: " + cause(err), Remedy: "check its permissions", Err: err}
		}
		if name == "." {
			return nil
		}
		if strings.HasPrefix(d.Name(), ".") || d.Type()&fs.ModeSymlink != 0 {
			c.skipped++
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || pageKind(name) == "" {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return &InputError{File: path.Join(c.path, name), Problem: "cannot be read: " + cause(err), Remedy: "try again when nothing writes to the folder", Err: err}
		}
		if !utf8.ValidString(name) {
			return &InputError{File: path.Join(c.path, name), Problem: "the name is not UTF-8", Remedy: "rename the file"}
		}
		c.pages = append(c.pages, name)
		sizes[name] = info.Size()
		return nil
	})
	if err != nil {
		return err
	}
	c.sorted = slices.Sorted(slices.Values(c.pages))
	if err := c.findSite(); err != nil {
		return err
	}
	for _, name := range c.pages {
		c.size += sizes[name]
	}
	if len(c.pages) == 0 {
		return &InputError{File: c.path, Problem: "no pages (.md, .markdown, .html, .htm) in the folder", Remedy: "check the path, or give a .jsonl or .csv file"}
	}
	return nil
}

// findSite keeps only the pages of a site generator, if its configuration is in the folder.
func (c *Corpus) findSite() error {
	root, err := os.OpenRoot(c.path)
	if err != nil {
		return &InputError{File: c.path, Problem: "cannot be read: " + cause(err), Remedy: "check its permissions", Err: err}
	}
	defer root.Close()
	site, problem := findGenerator(root.FS(), c.sorted)
	if problem != nil {
		problem.File = path.Join(c.path, problem.File)
		return problem
	}
	if c.site = site; site == nil {
		return nil
	}
	c.pages = slices.DeleteFunc(c.pages, func(name string) bool { return !site.source(name) })
	if len(c.pages) == 0 {
		return &InputError{File: path.Join(c.path, site.config), Problem: "no pages where " + site.name + " has them", Remedy: "index the folder of pages itself, or the one that " + site.name + " publishes"}
	}
	if c.links.base == "" {
		c.links.base = site.base
	}
	c.note = fmt.Sprintf("read as a site of %s, by its %s", site.name, site.config)
	return nil
}

func pageKind(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return "markdown"
	case ".html", ".htm":
		return "html"
	}
	return ""
}

// readPages yields the passages of every page. The folder is opened as an os.Root, so
// that nothing outside it can be read, even if a file is replaced by a symbolic link
// meanwhile.
func (c *Corpus) readPages(yield func(store.Document) error) error {
	root, err := os.OpenRoot(c.path)
	if err != nil {
		return &InputError{File: c.path, Problem: "cannot be read: " + cause(err), Remedy: "check its permissions", Err: err}
	}
	defer root.Close()
	endings, shared := c.repeated(root)
	rest := c.survey(root)
	used := int64(0)
	for _, name := range c.pages {
		c.marks.Mark(c.given, used)
		content, problem := c.readPage(root, name, &used)
		var p *page
		if problem == nil {
			p, problem = c.parse(name, content)
		}
		var address, leftOut string
		if problem == nil {
			if pageKind(name) == "html" {
				p.title = withoutEnding(p.title, endings)
			}
			if address, leftOut, problem = c.addressOf(name, p.metadata, p.title); leftOut == "" {
				leftOut = p.leftOut
			}
		}
		if problem != nil {
			problem.File = path.Join(c.path, name)
			return problem
		}
		if leftOut == "" {
			leftOut = rest.reduce(name, p, &c.parts)
		}
		if leftOut == "" && !p.standIn() {
			leftOut = reasonEmpty
		}
		if leftOut != "" {
			c.leftOut[leftOut]++
			continue
		}
		if l := c.locations[name]; l.modified != "" {
			p.set("modified", l.modified)
		}
		if image, ok := c.imageOf(p, name, address, shared); ok {
			p.set("image", image)
		} else if _, named := p.metadata["image"].(string); named {
			delete(p.metadata, "image") // it leads nowhere on the web
		}
		for doc := range p.passages(name, address, c.options.PassageBytes) {
			if len(doc.ID) > store.MaxIDBytes {
				return &InputError{File: path.Join(c.path, name), Problem: "path and heading are too long for an id", Remedy: "shorten the heading"}
			}
			if err := yield(doc); err != nil {
				return err
			}
		}
	}
	c.marks.Mark(c.given, used)
	return nil
}

var (
	moduleLine = regexp.MustCompile(`^(?:import|export)\b`) // begins an import or export of MDX
	moduleName = regexp.MustCompile(`["'];?\s*$`)           // ends an import
	mdxComment = regexp.MustCompile(`(?s:\{/\*.*?\*/\})`)
)

// withoutModules leaves out what is not text in MDX: comments, imports and exports. Like MDX, it takes a line for an import
// or export only where a block begins, with all lines up to an empty one. In a paragraph or in code, it is text.
func withoutModules(content []byte) []byte {
	var text []byte
	var code codeBlock
	begins, module, imports := true, false, false
	for line := range bytes.Lines(mdxComment.ReplaceAll(content, nil)) {
		trimmed := strings.TrimSpace(string(line))
		if !module && code.fence == "" && begins && moduleLine.Match(line) {
			module, imports = true, trimmed[0] == 'i'
		}
		if module {
			module = trimmed != "" && !(imports && moduleName.Match(line))
			continue
		}
		begins = trimmed == "" || trimmed[0] == '#' || trimmed == "---"
		text = append(text, line...)
		if code.has(string(line)) && code.fence == "" {
			begins = true
		}
	}
	return text
}

// parse reads a page. In the sources of a generator, HTML may have front matter, too, and code stands between the texts.
func (c *Corpus) parse(name string, content []byte) (*page, *InputError) {
	if strings.EqualFold(path.Ext(name), ".mdx") || c.site != nil && c.site.mdx {
		content = withoutModules(content)
		if _, body, problem := c.site.frontMatter(content); problem == nil {
			head := len(content) - len(body)
			content = append(content[:head:head], withoutExpressions(withoutEmptyTags(body))...)
		}
	}
	if c.site != nil && c.site.code != nil {
		content = c.site.code.apply(content, pageKind(name) == "html")
	}
	if pageKind(name) == "markdown" {
		return markdownPage(content, c.site)
	}
	if c.site == nil {
		return htmlPage(content)
	}
	metadata, body, problem := c.site.frontMatter(content)
	if problem != nil {
		return nil, problem
	}
	p, problem := htmlPage(body)
	if problem == nil {
		p.give(metadata)
	}
	return p, problem
}

func (c *Corpus) readPage(root *os.Root, name string, read *int64) ([]byte, *InputError) {
	f, err := root.Open(name)
	if err != nil {
		remedy := "try again when nothing writes to the folder"
		if errors.Is(err, fs.ErrPermission) {
			remedy = "check its permissions"
		}
		return nil, &InputError{Problem: "cannot be read: " + cause(err), Remedy: remedy, Err: err}
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(&countingReader{f, read}, MaxRecordBytes+1))
	if err != nil {
		return nil, &InputError{Problem: "cannot be read: " + cause(err), Remedy: "check the disk", Err: err}
	}
	if len(b) > MaxRecordBytes {
		return nil, &InputError{Problem: fmt.Sprintf("the page is longer than %d MB", MaxRecordBytes>>20), Remedy: "move it out of the folder, or split it"}
	}
	if b, err = io.ReadAll(decoded(bytes.NewReader(b), nil)); err != nil {
		return nil, &InputError{Problem: "cannot be decoded: " + err.Error(), Remedy: "save the page as UTF-8", Err: err}
	}
	b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	b, at, problem := c.textOf(b, pageKind(name) == "html")
	if at < 0 {
		if oldMac(b) {
			b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
		}
		return b, nil
	}
	line := 1 + bytes.Count(b[:at], []byte("\n"))
	column := at - bytes.LastIndexByte(b[:at], '\n')
	return nil, &InputError{Line: int64(line), Column: column, Problem: problem, Remedy: c.options.remedyCharset()}
}

// textOf turns a page without a byte order mark into UTF-8, and returns the offset of what is not UTF-8 in it, or -1,
// and what is wrong there. An HTML page declares its character set, and without a declaration it is Windows-1252 by the
// HTML standard. Markdown has no such declaration. Both are asked only if the page is not UTF-8 by itself, because a
// folder may have pages of both kinds.
func (c *Corpus) textOf(b []byte, isHTML bool) (text []byte, at int, problem string) {
	at, problem = badByte(b)
	switch wide := len(b) > 1 && (b[0] == 0 || b[1] == 0); {
	case isHTML && !wide && utf8.Valid(b): // browsers pass over single zero bytes
		return b, -1, ""
	case isHTML && !wide:
		encoding, _, _ := charset.DetermineEncoding(b[:min(len(b), 1024)], "text/html")
		if decoded, err := encoding.NewDecoder().Bytes(b); err == nil {
			return bytes.ToValidUTF8(decoded, []byte("\ufffd")), -1, ""
		}
	case c.charset != nil && (at >= 0 || c.charset == japanese.ISO2022JP && bytes.IndexByte(b, '\x1b') >= 0): // it is ASCII, with escapes
		if decoded, err := c.charset.NewDecoder().Bytes(b); err == nil {
			b = bytes.TrimPrefix(decoded, []byte(byteOrderMark))
			at, problem = badByte(b)
		}
	}
	return b, at, problem
}
