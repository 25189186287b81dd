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

// Limits of what is read of a site, in bytes.
const (
	maxList  = 1 << 20
	maxOwned = 64 << 20
)

// The list for the service worker is a script of one assignment.
const listBegin, listEnd = "self.VANTAGE_FILES = ", ";"

// Owned returns the names of the files in a site that the page in it, of this version or
// another, brought along: those that its list for the service worker names, and that still
// have the content that the list has the hash of. What the site's owner added or changed
// is not among them, nor what lies in the folder beside, such as the collection. A site
// without such a list has none.
func Owned(site fs.FS, beside string) (names []string, err error) {
	list, err := file.ReadFS(site, filesList, maxList, "list of files")
	if err != nil {
		return nil, nil // no site of ours, or an owner's own file
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

// hasHash tells whether a file has the first of the hashes that the list has for it.
func hasHash(site fs.FS, name, hashes string) (bool, error) {
	if info, err := fs.Lstat(site, name); err != nil || !info.Mode().IsRegular() {
		return false, nil // it is gone, or a link that the page did not bring
	}
	f, err := file.OpenFS(site, name)
	if err != nil {
		return false, nil // it cannot be known
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, maxOwned)); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	first, _, _ := strings.Cut(hashes, " ")
	return first == hex.EncodeToString(sum.Sum(nil)[:sha256.Size/2]), nil
}
