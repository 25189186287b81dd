package static

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Check returns an error if the template of the search page is broken, with the file and
// the line, or if the page lacks what its script needs.
func (p Page) Check() error {
	content, err := p.home()
	if err != nil {
		return fault.As(fault.Input, err)
	}
	if p.Template == "" {
		return nil
	}
	builtin, err := Page{NoCredit: true}.home() // what it has in every case
	if err != nil {
		return err
	}
	page, needed := outline(content), outline(builtin)
	var lacks []string
	if !page.scripts["search.js"] {
		lacks = append(lacks, `<script type="module" src="search.js">`)
	}
	if !json.Valid(page.config) {
		lacks = append(lacks, `<script type="application/json" id="vantage-config">{{.Config}}</script>`)
	}
	for _, id := range needed.ids {
		if id != configID && !slices.Contains(page.ids, id) {
			lacks = append(lacks, fmt.Sprintf("an element with id=%q", id))
		}
	}
	if len(lacks) > 0 {
		return fault.Errorf(fault.Input, "%s: the page's script needs %s: copy what is missing from static/search/index.html", p.TemplateName, strings.Join(lacks, ", "))
	}
	return nil
}

// configID is the id of the element with the page's configuration.
const configID = "vantage-config"

// outlined is what a page is recognised by.
type outlined struct {
	ids     []string        // of its elements, in the order of the page
	scripts map[string]bool // addresses of its scripts
	config  []byte          // content of the element with configID
	at      int             // where config begins in the page
}

func outline(content []byte) outlined {
	o := outlined{scripts: map[string]bool{}}
	inConfig := false
	at := 0 // where the next token begins
	for z := html.NewTokenizer(bytes.NewReader(content)); ; {
		kind := z.Next()
		begin := at
		at += len(z.Raw())
		switch kind {
		case html.ErrorToken: // the end
			return o
		case html.TextToken:
			if inConfig {
				o.config, o.at = slices.Clone(z.Raw()), begin
			}
			inConfig = false
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			inConfig = false
			for _, a := range token.Attr {
				switch {
				case a.Key == "id":
					o.ids = append(o.ids, a.Val)
					inConfig = token.Data == "script" && a.Val == configID
				case a.Key == "src" && token.Data == "script":
					o.scripts[strings.TrimPrefix(a.Val, "./")] = true
				}
			}
		default:
			inConfig = false
		}
	}
}
