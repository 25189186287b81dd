package static

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
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
// http://HOST/ or https://HOST/, with or without a path, or a path relative to the
// page, such as "./".
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

// Parts of the lab without a server, which announce replaces.
const (
	labScript  = `<script type="module" src="demo.js"></script>`
	serverMeta = `<meta name="vantage-server" content="`
	stays      = `The whole engine runs in this page; your words never leave it.`
)

// announce adds the server to a page without one: its name, the permission to connect to
// it alone, and in the lab a sentence about where queries go. It replaces text instead
// of filling a template, because Around changes pages of existing sites.
func (p Page) announce(name string, content []byte) ([]byte, error) {
	if p.Server == "" {
		return content, nil
	}
	if err := CheckServer(p.Server); err != nil {
		return nil, fmt.Errorf("the encode server %q: %w", p.Server, err)
	}
	changes := map[string]string{connections: connections + connect(p.Server)}
	if name == labPage {
		at := "this host"
		if u, _ := url.Parse(p.Server); u.Host != "" {
			at = u.Host
		}
		changes[labScript] = serverMeta + html.EscapeString(p.Server) + "\">\n" + labScript
		changes[stays] = "Ranking runs in this page; an encode server at " + at + " turns your queries into vectors."
	} else {
		address, err := json.Marshal(p.Server)
		if err != nil {
			return nil, err
		}
		changes[noServer] = `"server":` + string(address)
		if !bytes.Contains(content, []byte("Content-Security-Policy")) { // an owner's page
			delete(changes, connections)
		}
	}
	for old, with := range changes {
		if bytes.Count(content, []byte(old)) != 1 {
			return nil, fmt.Errorf("%s is not the page of vantage: %q does not occur in it exactly once", name, old)
		}
		content = bytes.Replace(content, []byte(old), []byte(with), 1)
	}
	return content, nil
}

// Around returns a site whose pages use a server that the site itself does not
// name. The search page, the lab, the list for the service worker and the module that
// speaks to the server are replaced or added; all other files are the site's.
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
		content, err = a.page.announce(name, content)
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
	lab, err := read(labPage)
	if err != nil {
		// Before there was a search page, the lab was in its place.
		return bytes.Contains(home, []byte(labScript)) && !bytes.Contains(home, []byte(serverMeta)), false
	}
	if !bytes.Contains(lab, []byte(labScript)) || bytes.Contains(lab, []byte(serverMeta)) || !bytes.Contains(home, []byte(noServer)) {
		return false, false
	}
	if _, err := (Page{Server: "./"}).announce(homePage, home); err != nil {
		return true, false
	}
	listed, err := file.ReadFS(site, FilesList, maxList, "list of files")
	if err != nil {
		return true, false
	}
	built, err := Page{}.List(func(name string) ([]byte, error) {
		if slices.Contains(owners, name) {
			return read(name)
		}
		return Page{}.read(name)
	})
	if err != nil || !bytes.Equal(listed, built) {
		return true, false // of another version, or one of those was changed
	}
	list, err := Page{}.List(read)
	return true, err == nil && bytes.Equal(list, built)
}
