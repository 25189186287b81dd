package corpus

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/vantage-search/vantage/internal/collection/store"
)

// findPages lists the Markdown and HTML files below the folder, in the order of their
// paths. It skips hidden entries, and symbolic links because a page with two names
// would be found twice.
func (c *Corpus) findPages() error {
	c.size = 0
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
		c.size += info.Size()
		return nil
	})
	if err != nil {
		return err
	}
	c.sorted = slices.Sorted(slices.Values(c.pages))
	if len(c.pages) == 0 {
		return &InputError{File: c.path, Problem: "no pages (.md, .markdown, .html, .htm) in the folder", Remedy: "check the path, or give a .jsonl or .csv file"}
	}
	return nil
}

func pageKind(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
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
	c.total.Store(c.size)
	root, err := os.OpenRoot(c.path)
	if err != nil {
		return &InputError{File: c.path, Problem: "cannot be read: " + cause(err), Remedy: "check its permissions", Err: err}
	}
	defer root.Close()
	for _, name := range c.pages {
		content, problem := c.readPage(root, name)
		var p *page
		if problem == nil {
			if pageKind(name) == "markdown" {
				p, problem = markdownPage(content)
			} else {
				p, problem = htmlPage(content)
			}
		}
		var address, leftOut string
		if problem == nil {
			if address, leftOut, problem = c.addressOf(name, p.metadata, p.title); leftOut == "" {
				leftOut = p.leftOut
			}
		}
		if problem != nil {
			problem.File = path.Join(c.path, name)
			return problem
		}
		if leftOut != "" {
			c.leftOut[leftOut]++
			continue
		}
		for _, doc := range p.passages(name, address, c.options.PassageBytes) {
			if len(doc.ID) > MaxIDBytes {
				return &InputError{File: path.Join(c.path, name), Problem: "path and heading are too long for an id", Remedy: "shorten the heading"}
			}
			if err := yield(doc); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Corpus) readPage(root *os.Root, name string) ([]byte, *InputError) {
	f, err := root.Open(name)
	if err != nil {
		return nil, &InputError{Problem: "cannot be read: " + cause(err), Remedy: "try again when nothing writes to the folder", Err: err}
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(&countingReader{f, &c.read}, MaxRecordBytes+1))
	if err != nil {
		return nil, &InputError{Problem: "cannot be read: " + cause(err), Remedy: "check the disk", Err: err}
	}
	if len(b) > MaxRecordBytes {
		return nil, &InputError{Problem: fmt.Sprintf("the page is longer than %d MB", MaxRecordBytes>>20), Remedy: "move it out of the folder, or split it"}
	}
	if b, err = io.ReadAll(decoded(bytes.NewReader(b), nil)); err != nil {
		return nil, &InputError{Problem: "cannot be decoded: " + err.Error(), Remedy: "save the page as UTF-8", Err: err}
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	at := invalidUTF8(b)
	if at < 0 {
		return b, nil
	}
	// An HTML page declares its character set, and without a declaration it is
	// Windows-1252 by the HTML standard. Markdown has no such declaration.
	if pageKind(name) == "html" {
		encoding, _, _ := charset.DetermineEncoding(b[:min(len(b), 1024)], "text/html")
		if decoded, err := encoding.NewDecoder().Bytes(b); err == nil {
			return bytes.ToValidUTF8(decoded, []byte("\ufffd")), nil
		}
	}
	if c.charset != nil && pageKind(name) == "markdown" {
		if decoded, err := c.charset.NewDecoder().Bytes(b); err == nil {
			return decoded, nil
		}
	}
	line := 1 + bytes.Count(b[:at], []byte("\n"))
	column := at - bytes.LastIndexByte(b[:at], '\n')
	return nil, &InputError{Line: int64(line), Column: column, Problem: "not UTF-8", Remedy: c.options.remedyCharset()}
}
