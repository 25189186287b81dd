package static

import (
	"bytes"
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
	Server   string   // address of the encode server; "": none
	Connect  string   // what the security policy must add to connect-src 'self': "", or a space and a host
	Credit   bool     // whether the page says who made it

	// Config is the JSON that the page's script reads: the content of
	// <script type="application/json" id="vantage-config">.
	Config template.JS
}

// config is the JSON of Home.Config.
type config struct {
	Collection string   `json:"collection"`
	Name       string   `json:"name"`
	Examples   []string `json:"examples"`
	Server     string   `json:"server"`
	Credit     bool     `json:"credit"`
	Lab        string   `json:"lab"`
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
	about := config{
		Collection: "collection/", Name: p.Name, Examples: p.Examples, Server: p.Server, Credit: !p.NoCredit, Lab: labPage,
	}
	if about.Name == "" {
		about.Name = DefaultName
	}
	if about.Examples == nil {
		about.Examples = []string{} // scripts want a list
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
		Name: about.Name, Examples: about.Examples, Server: p.Server, Connect: connect(p.Server), Credit: about.Credit, Config: template.JS(encoded),
	})
	return content.Bytes(), err
}

// connect returns what a page's policy must add to connect-src 'self' for a server.
func connect(server string) string {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" {
		return ""
	}
	return " ws" + strings.TrimPrefix(u.Scheme, "http") + "://" + u.Host
}
