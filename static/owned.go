package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/file"
)

// Most bytes that are read of a site's list, and of each of its files.
const (
	maxList  = 1 << 20
	maxOwned = 64 << 20
)

// The list for the service worker is a script with one assignment.
const listBegin, listEnd = "self.VANTAGE_FILES = ", ";"

// Owned returns the names of a site's files that belong to the page, in this version or
// another: those in the list for the service worker whose content still has the hash in
// the list. It excludes files that the site's owner added or changed, and what is in
// the folder that beside names, such as the collection. A site without such a list has no such files.
func Owned(site fs.FS, beside string) (names []string, err error) {
	list, err := file.ReadFS(site, FilesList, maxList, "list of files")
	if err != nil {
		return nil, nil // without a list, no file is known to be the page's
	}
	list, begins := bytes.CutPrefix(bytes.TrimSpace(list), []byte(listBegin))
	list, ends := bytes.CutSuffix(list, []byte(listEnd))
	var page struct{ Files map[string]string }
	if !begins || !ends || json.Unmarshal(list, &page) != nil {
		return nil, nil
	}
	for name, hashes := range page.Files {
		if !fs.ValidPath(name) || strings.HasPrefix(name, beside+"/") {
			continue
		}
		same, err := hasHash(site, name, hashes)
		if err != nil {
			return nil, err
		}
		if same {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Edited returns the names of files that an update of the pages would take from the site's
// owner. files has the new contents by name. A file is the owner's if a list would name
// it (see listed) and its content on the site is neither the new one nor the one whose hash
// is in the site's list. The library is never the owner's. Without a list that can be read,
// every other file that differs counts as the owner's.
func Edited(site fs.FS, files map[string][]byte) (names []string, err error) {
	owned, err := Owned(site, "lib")
	if err != nil {
		return nil, err
	}
	for name, content := range files {
		if !listed(name) || name == FilesList || strings.HasPrefix(name, "lib/") || slices.Contains(owned, name) {
			continue
		}
		if _, err := fs.Lstat(site, name); err != nil {
			continue
		}
		same, err := hasHash(site, name, hash(content))
		if err != nil {
			return nil, err
		}
		if !same {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// hasHash reports whether a file has the first of its hashes in the list.
func hasHash(site fs.FS, name, hashes string) (bool, error) {
	if info, err := fs.Lstat(site, name); err != nil || !info.Mode().IsRegular() {
		return false, nil // it was deleted, or replaced by a link
	}
	f, err := file.OpenFS(site, name)
	if err != nil {
		return false, nil // it cannot be read
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, maxOwned)); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	first, _, _ := strings.Cut(hashes, " ")
	return first == hex.EncodeToString(sum.Sum(nil)[:sha256.Size/2]), nil
}
