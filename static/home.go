package static

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"strings"
)

// The pages of a site: the search page, the lab, which compares methods, and the page that
// evaluates rankings. All of them are templates.
const homePage, labPage, evalPage = "index.html", "lab.html", "eval.html"

// DefaultName is the title and heading of a search page without a name.
const DefaultName = "Search"

// Home is what the templates of the pages, html/templates, are executed with.
type Home struct {
	Name     string   // title and heading of the search page
	Examples []string // queries to try
	Connect  string   // what the security policy must add to connect-src 'self': "", or two origins, each after a space
	Credit   bool     // whether the search page says who made it
	Server   string   // who encodes queries: "this host", or the host of the encode server; "": the page itself

	// Config is the JSON that the page's script reads: the content of
	// <script type="application/json" id="vantage-config">.
	Config template.JS
}

// config is the JSON of Home.Config.
type config struct {
	Collection string   `json:"collection"`         // address of its folder
	Name       string   `json:"name,omitempty"`     // of the site; only the search page needs it
	Server     string   `json:"server"`             // address of the encode server; "": none
	Examples   []string `json:"examples,omitempty"` // queries to try; the search page has them as links
}

// home writes the search page.
func (p Page) home() ([]byte, error) {
	about := config{Collection: collectionDir, Name: cmp.Or(p.Name, DefaultName), Server: p.Server}
	if p.Template != "" {
		return p.execute(p.TemplateName, p.Template, about)
	}
	return p.builtin(homePage, about)
}

// lab writes the lab.
func (p Page) lab() ([]byte, error) {
	about := config{Collection: collectionDir, Server: p.Server, Examples: p.Examples}
	if len(p.Examples) == 0 {
		about.Examples = p.Judged
	}
	return p.builtin(labPage, about)
}

// collectionDir is the address of the collection, seen from the pages.
const collectionDir = "collection/"

// builtin writes a page from the template in Files.
func (p Page) builtin(name string, about config) ([]byte, error) {
	text, err := Files.ReadFile(source(name))
	if err != nil {
		return nil, err
	}
	return p.execute(source(name), string(text), about)
}

// execute executes the template of a page. name is for errors.
func (p Page) execute(name, text string, about config) ([]byte, error) {
	server := ""
	if p.Server != "" {
		if err := CheckServer(p.Server); err != nil {
			return nil, fmt.Errorf("the encode server %q: %w", p.Server, err)
		}
		u, err := url.Parse(p.Server)
		if err != nil {
			return nil, err
		}
		server = cmp.Or(u.Host, "this host")
	}
	encoded, err := json.Marshal(about) // without <, > and &
	if err != nil {
		return nil, err
	}
	page, err := template.New(name).Parse(text)
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	err = page.Execute(&content, Home{
		Name: about.Name, Examples: p.Examples, Connect: connect(p.Server), Credit: !p.NoCredit, Server: server, Config: template.JS(encoded),
	})
	return content.Bytes(), err
}

// appFile describes the site to browsers that install it.
const appFile = "app.webmanifest"

// app writes appFile, with the name of the search page if it has one.
func (p Page) app() ([]byte, error) {
	content, err := Files.ReadFile(source(appFile))
	if err != nil || p.Name == "" {
		return content, err
	}
	var about map[string]any
	if err := json.Unmarshal(content, &about); err != nil {
		return nil, fmt.Errorf("%s: %w", appFile, err)
	}
	about["name"], about["short_name"] = p.Name, p.Name
	content, err = json.MarshalIndent(about, "", "  ")
	return append(content, '\n'), err
}

// owners lists the files that depend on the owner's choices and cannot be rebuilt from a
// finished site, because its pages do not record all of these choices.
var owners = []string{homePage, appFile}

// connect returns what a page's policy must add to connect-src 'self' for a server, which
// is asked over HTTP why it refuses a WebSocket.
func connect(server string) string {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" {
		return ""
	}
	return " ws" + strings.TrimPrefix(u.Scheme, "http") + "://" + u.Host + " " + u.Scheme + "://" + u.Host
}
