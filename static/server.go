package static

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/store"
)

// homePage is the file that names the encode server.
const homePage = "index.html"

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

// Parts of the home page without a server, which announce replaces.
const (
	pageScript  = `<script type="module" src="demo.js"></script>`
	serverMeta  = `<meta name="vantage-server" content="`
	connections = `connect-src 'self'`
	stays       = `The whole engine runs in this page; your words never leave it.`
)

// announce adds the server to a home page: its name, the permission to connect to
// it alone, and a sentence about where queries go. It replaces text instead of
// filling a template, because Around changes pages of existing sites, which
// another version may have written.
func (p Page) announce(content []byte) ([]byte, error) {
	if p.Server == "" {
		return content, nil
	}
	if err := CheckServer(p.Server); err != nil {
		return nil, fmt.Errorf("the encode server %q: %w", p.Server, err)
	}
	at, connect := "this host", connections
	if u, _ := url.Parse(p.Server); u.Host != "" {
		at, connect = u.Host, connections+" ws"+strings.TrimPrefix(u.Scheme, "http")+"://"+u.Host
	}
	for old, with := range map[string]string{
		pageScript:  serverMeta + html.EscapeString(p.Server) + "\">\n" + pageScript,
		connections: connect,
		stays:       "Ranking runs in this page; an encode server at " + at + " turns your queries into vectors.",
	} {
		if bytes.Count(content, []byte(old)) != 1 {
			return nil, fmt.Errorf("%s is not the page of vantage: %q does not occur in it exactly once", homePage, old)
		}
		content = bytes.Replace(content, []byte(old), []byte(with), 1)
	}
	return content, nil
}

// Around returns a site whose page uses a server that the site itself does not
// name. The home page, the list for the service worker and the module that
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
	case name == homePage || name == filesList:
		content, err := a.change(name)
		if err != nil { // the site has another page
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
	for _, name := range []string{homePage, filesList} {
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
		list, err := a.page.List(a.read)
		if err != nil {
			return nil, err
		}
		a.stamp, a.changed = stamp, map[string][]byte{homePage: home, filesList: list}
	}
	return a.changed[name], nil
}

func (a *around) read(name string) ([]byte, error) {
	if name == serverFile {
		return a.page.read(name)
	}
	content, err := store.ReadRegular(a.site, name)
	if err == nil && name == homePage {
		content, err = a.page.announce(content)
	}
	return content, err
}

// Plain reports whether a site's page names no server (plain), and whether it also
// has exactly the bytes that this program writes (ours).
func Plain(site fs.FS) (plain, ours bool) {
	home, err := store.ReadRegular(site, homePage)
	if err != nil || !bytes.Contains(home, []byte(pageScript)) || bytes.Contains(home, []byte(serverMeta)) {
		return false, false
	}
	list, err := Page{}.List(func(name string) ([]byte, error) { return store.ReadRegular(site, name) })
	if err != nil {
		return true, false
	}
	built, err := Page{}.list()
	return true, err == nil && bytes.Equal(list, built)
}
