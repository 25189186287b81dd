package static

import (
	"bytes"
	"path"
	"regexp"
)

// read is a file of a site as it is served: of scripts and styles without the
// comments and indentation, a quarter of their gzipped bytes, which visitors do
// not read.
func read(name string) ([]byte, error) {
	content, err := Files.ReadFile(source(name))
	if err != nil {
		return nil, err
	}
	switch path.Ext(name) {
	case ".js", ".css":
		return withoutComments(content), nil
	case ".html":
		return indentation.ReplaceAll(content, nil), nil
	}
	return content, nil
}

var indentation = regexp.MustCompile(`(?m)^\s+`)

// withoutComments drops the lines that hold a comment and nothing else, empty ones,
// the spaces before the others, and comments after code that has neither quotes nor
// slashes. Inside of template literals, told by their backticks, every line stays; so
// does the whole file if these do not pair up.
func withoutComments(source []byte) []byte {
	out := make([]byte, 0, len(source))
	comment, template := false, false
	for line := range bytes.Lines(source) {
		text := bytes.TrimSpace(line)
		switch {
		case template:
			text = line
		case comment:
			comment = !bytes.HasSuffix(text, []byte("*/"))
			continue
		case len(text) == 0 || bytes.HasPrefix(text, []byte("//")):
			continue
		case bytes.HasPrefix(text, []byte("/*")):
			end := bytes.Index(text, []byte("*/"))
			if end < 0 || end == len(text)-2 {
				comment = end < 0
				continue
			}
		}
		if !template {
			text = bytes.TrimLeft(withoutRemark(line), " \t")
		}
		if bytes.Count(text, []byte("`"))%2 == 1 {
			template = !template
		}
		out = append(out, text...)
	}
	if comment || template {
		return source
	}
	return out
}

// withoutRemark drops the comment after a line's code. What looks like one stays
// where a string or a pattern may have begun before it.
func withoutRemark(line []byte) []byte {
	code, _, found := bytes.Cut(line, []byte(" // "))
	if !found || bytes.ContainsAny(code, "'\"`/") {
		return line
	}
	return append(bytes.Clone(code), '\n')
}
