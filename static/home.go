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

// homePage is the search page, and labPage the one that compares methods. Both name
// the encode server.
const homePage, labPage = "index.html", "lab.html"

// builtinTemplate is the path in Files of the search page's template.
const builtinTemplate = "search/" + homePage

// DefaultName is the title and heading of a search page without a name.
const DefaultName = "Search"

// Home is what the template of the search page, an html/template, is executed with.
type Home struct {
	Name     string   // title and heading
	Examples []string // queries to try
	Connect  string   // what the security policy must add to connect-src 'self': "", or a space and a host
	Credit   bool     // whether the page says who made it

	// Config is the JSON that the page's script reads: the content of
	// <script type="application/json" id="vantage-config">.
	Config template.JS
}

// config is the JSON of Home.Config.
type config struct {
	Collection string `json:"collection"` // address of its folder
	Name       string `json:"name"`       // of the site
	Server     string `json:"server"`     // address of the encode server; "": none
}

// Parts of a search page that announce replaces if it changes to a page with a server.
const (
	noServer    = `"server":""`
	connections = `connect-src 'self'`
)

// home writes the search page.
func (p Page) home() ([]byte, error) {
	name, text := p.TemplateName, p.Template
	if text == "" {
		content, err := Files.ReadFile(builtinTemplate)
		if err != nil {
			return nil, err
		}
		name, text = builtinTemplate, string(content)
	}
	if p.Server != "" {
		if err := CheckServer(p.Server); err != nil {
			return nil, fmt.Errorf("the encode server %q: %w", p.Server, err)
		}
	}
	about := config{"collection/", cmp.Or(p.Name, DefaultName), p.Server}
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
		Name: about.Name, Examples: p.Examples, Connect: connect(p.Server), Credit: !p.NoCredit, Config: template.JS(encoded),
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

// owners lists the files that the owner's choices change.
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
