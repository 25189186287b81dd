package static

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/file"
)

// hosts matches the hosts that a Content-Security-Policy can name.
var hosts = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)

// CheckServer returns an error unless the address of an encode server is
// http://HOST/ or https://HOST/, with or without a path, or a path on the page's own
// host that begins with ./, ../ or /.
func CheckServer(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return err
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "":
		return errors.New("an address with nothing but a host and a path is needed")
	case u.Scheme == "" && u.Host == "" && (strings.HasPrefix(address, "./") || strings.HasPrefix(address, "../") || strings.HasPrefix(address, "/")):
		return nil
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("give https://HOST/, http://HOST/, or ./ for the host of the page")
	case !hosts.MatchString(u.Host):
		return fmt.Errorf("the page's security policy cannot name the host %q: give its name in ASCII, or an IPv4 address", u.Host)
	}
	return nil
}

// asking changes one page of a site that names no server so that the page asks the server
// of p. The search page may be made from a template of its owner, which the site does not
// contain, so only its configuration is changed. The lab is written again from its
// configuration; a lab that was changed by hand is an error.
func (p Page) asking(name string, content []byte) ([]byte, error) {
	from, to, about, err := findConfig(name, content)
	if err != nil {
		return nil, err
	}
	if name == labPage {
		without, err := Page{Examples: about.Examples}.lab()
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(content, without) {
			return nil, fmt.Errorf("%s is not the page of vantage", name)
		}
		return Page{Examples: about.Examples, Server: p.Server}.lab()
	}
	about.Server = p.Server
	encoded, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	return slices.Concat(content[:from], encoded, content[to:]), nil
}

// findConfig returns where the configuration of a page begins and ends, and what it says.
func findConfig(name string, content []byte) (from, to int, about config, err error) {
	o := outline(content)
	d := json.NewDecoder(bytes.NewReader(o.config))
	d.DisallowUnknownFields() // another version's
	if err := d.Decode(&about); err != nil {
		return 0, 0, about, fmt.Errorf("%s is not the page of vantage: its configuration cannot be read: %w", name, err)
	}
	return o.at, o.at + len(o.config), about, nil
}

// Around returns a site whose pages use a server of their own host that the site itself does
// not name. The search page, the lab, the list for the service worker and the module that
// speaks to the server are replaced or added. All other files are the site's.
func (p Page) Around(site fs.FS) fs.FS { return &around{page: p, site: site} }

type around struct {
	page Page
	site fs.FS

	mu      sync.Mutex
	stamp   string            // identifies the state of the site's files that are changed
	changed map[string][]byte // the changed files by name
}

func (a *around) Open(name string) (fs.File, error) {
	switch {
	case name == homePage || name == labPage || name == FilesList:
		content, err := a.change(name)
		if err != nil { // the site has other pages
			return a.site.Open(name)
		}
		return newWritten(name, content, nil)
	case name == serverFile:
		return a.page.Open(name)
	}
	return a.site.Open(name)
}

// change returns the changed content of a file, computed again if the site has
// changed.
func (a *around) change(name string) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	stamp := ""
	for _, name := range []string{homePage, labPage, FilesList} {
		info, err := fs.Stat(a.site, name)
		if err != nil {
			return nil, err
		}
		stamp += fmt.Sprint(info.ModTime().UnixNano(), info.Size(), " ")
	}
	if a.stamp != stamp {
		home, err := a.read(homePage)
		if err != nil {
			return nil, err
		}
		lab, err := a.read(labPage)
		if err != nil {
			return nil, err
		}
		list, err := a.page.List(a.read)
		if err != nil {
			return nil, err
		}
		a.stamp, a.changed = stamp, map[string][]byte{homePage: home, labPage: lab, FilesList: list}
	}
	return a.changed[name], nil
}

func (a *around) read(name string) ([]byte, error) {
	if name == serverFile {
		return a.page.read(name)
	}
	content, err := store.ReadRegular(a.site, name)
	if err == nil && (name == homePage || name == labPage) {
		content, err = a.page.asking(name, content)
	}
	return content, err
}

// Plain reports whether a site's pages name no server (plain), and whether the site also
// has the files that this program writes (ours). Those that depend on the owner's choices
// count as ours if nobody has changed them since they were written.
func Plain(site fs.FS) (plain, ours bool) {
	read := func(name string) ([]byte, error) { return store.ReadRegular(site, name) }
	home, err := read(homePage)
	if err != nil {
		return false, false
	}
	if _, _, about, err := findConfig(homePage, home); err != nil {
		// Before there was a search page, the lab was in its place.
		return outline(home).scripts["demo.js"], false
	} else if about.Server != "" {
		return false, false
	}
	lab, err := read(labPage)
	if err != nil {
		return true, false
	}
	_, _, offered, err := findConfig(labPage, lab)
	if err != nil {
		return true, false
	}
	listed, err := file.ReadFS(site, FilesList, maxList, "list of files")
	if err != nil {
		return true, false
	}
	page := Page{Examples: offered.Examples}
	built, err := page.List(func(name string) ([]byte, error) {
		if slices.Contains(owners, name) {
			return read(name)
		}
		return page.read(name)
	})
	if err != nil || !bytes.Equal(listed, built) {
		return true, false // of another version, or one of those was changed
	}
	list, err := page.List(read)
	return true, err == nil && bytes.Equal(list, built)
}
