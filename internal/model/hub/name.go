package hub

import (
	"io/fs"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Main is the branch that is used if no revision is given.
const Main = "main"

// maxName is the greatest length of each part of a model's name, as on the hub.
// Revisions and paths may be longer.
const maxName = 96

// Split splits NAME@REVISION. Without @, the revision is Main.
func Split(s string) (name, revision string) {
	name, revision, found := strings.Cut(s, "@")
	if !found {
		revision = Main
	}
	return name, revision
}

// checkName checks a model's name: NAME or ORGANISATION/NAME of letters, digits, "-", "_" and ".".
func checkName(name string) error {
	parts := strings.Split(name, "/")
	fault := ""
	switch {
	case name == "":
		fault = "is empty"
	case len(parts) > 2:
		fault = "has more than one slash"
	case strings.Contains(name, "--") || strings.Contains(name, ".."):
		fault = `has "--" or ".." in it`
	}
	for _, part := range parts {
		switch {
		case fault != "":
		case part == "":
			fault = "has an empty part"
		case len(part) > maxName:
			fault = "is longer than 96 characters"
		case strings.ContainsFunc(part, func(r rune) bool { return !isNameRune(r) }):
			fault = `has other characters than letters, digits, "-", "_" and "."`
		case strings.Trim(part, "-.") != part:
			fault = `begins or ends with "-" or "."`
		}
	}
	if fault != "" {
		return &NameError{What: "model", Value: name, Problem: fault}
	}
	return nil
}

func isNameRune(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '-' || r == '_' || r == '.'
}

// checkRevision checks a revision, which is a branch, a tag, a commit or refs/pr/N, because it becomes a
// path below refs.
func checkRevision(revision string) error {
	fault := ""
	switch {
	case revision == "":
		fault = "is empty"
	case len(revision) > 2*maxName:
		fault = "is too long"
	case !isSafePath(revision) || strings.ContainsAny(revision, " ~^?*[") || strings.Contains(revision, ".."):
		fault = "is not one that git allows"
	}
	if fault != "" {
		return &NameError{What: "revision", Value: revision, Problem: fault}
	}
	return nil
}

// isCommit reports whether a revision is a full commit hash, which never changes its
// meaning.
func isCommit(revision string) bool { return len(revision) == 40 && isHex(revision) }

// isHex reports whether a string has nothing but lower-case hexadecimal digits.
func isHex(s string) bool {
	return s != "" && strings.Trim(s, "0123456789abcdef") == ""
}

// maxElement is the greatest length of a file's name on the usual file systems, in bytes.
const maxElement = 255

// isSafePath reports whether a path with slashes stays below the folder it is joined to, on every system, and whether
// file systems take its names.
func isSafePath(name string) bool {
	for element := range strings.SplitSeq(name, "/") {
		if len(element) > maxElement {
			return false
		}
	}
	return fs.ValidPath(name) && name != "." && len(name) <= 1024 && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.ContainsFunc(name, func(r rune) bool { return r == '\\' || r == ':' || unicode.IsControl(r) })
}
