package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// The search page has the owner's name, examples and server, whatever characters they
// have, and its script can read them.
func TestHome(t *testing.T) {
	const hostile = `</script><img src=x onerror="alert(1)"> "server":"" & \u2028`
	for _, page := range []Page{
		{},
		{Name: "Debates", Examples: []string{"against night trains", hostile}, Server: "https://encode.example/a&b/"},
		{Name: hostile, NoCredit: true, Server: "./"},
	} {
		content, err := page.home()
		if err != nil {
			t.Fatal(err)
		}
		home := string(content)
		var got config
		if err := json.Unmarshal(outline(content).config, &got); err != nil {
			t.Fatalf("%v\n%s", err, home)
		}
		name := page.Name
		if name == "" {
			name = DefaultName
		}
		if got != (config{"collection/", name, page.Server}) {
			t.Errorf("%+v of %+v", got, page)
		}
		var offered []string
		for _, link := range regexp.MustCompile(`href="\?([^"]*)"`).FindAllStringSubmatch(home, -1) {
			query, err := url.ParseQuery(link[1])
			if err != nil {
				t.Errorf("%s: %v", link[0], err)
			}
			offered = append(offered, query.Get("q"))
		}
		if !slices.Equal(offered, page.Examples) {
			t.Errorf("offered %q of %q", offered, page.Examples)
		}
		if strings.Contains(home, "<img src=x") || strings.Count(home, "</script>") != 3 {
			t.Errorf("a text became markup: %s", home)
		}
		if strings.Contains(home, "Vantage</a>") == page.NoCredit {
			t.Errorf("credit: %v", !page.NoCredit)
		}
		if page.Server == "" {
			continue
		}
		plain := page
		plain.Server = ""
		without, err := plain.home()
		if err != nil {
			t.Fatal(err)
		}
		if told, err := page.announce(homePage, without); err != nil || string(told) != home {
			t.Errorf("told of the server later: %v\n%s\nwant\n%s", err, told, home)
		}
	}
}

// An owner's template is the whole page. What is wrong with it is named, with the line if
// there is one.
func TestTemplate(t *testing.T) {
	builtin, err := os.ReadFile(builtinTemplate)
	if err != nil {
		t.Fatal(err)
	}
	good := strings.Replace(string(builtin), "<h1>", `<h1 data-owner="{{.Name}}">`, 1)
	page := Page{Name: "Mine", Template: good, TemplateName: "own/page.html"}
	if err := page.Check(); err != nil {
		t.Fatal(err)
	}
	if content, err := page.home(); err != nil || !strings.Contains(string(content), `data-owner="Mine"`) {
		t.Errorf("%v\n%s", err, content)
	}
	bare, err := Page{NoCredit: true}.home()
	if err != nil {
		t.Fatal(err)
	}
	ids := outline(bare).ids
	last := ids[len(ids)-1]
	before, _, _ := strings.Cut(good, "</h1>")
	line := fmt.Sprintf("own/page.html:%d:", strings.Count(before, "\n")+1)
	for name, c := range map[string]struct{ old, new, want string }{
		"syntax":        {"</h1>", "{{end}}</h1>", line},
		"unknown field": {"</h1>", "{{.Colour}}</h1>", line},
		"no script":     {`src="search.js"`, `src="other.js"`, `needs <script type="module" src="search.js">`},
		"no config":     {"{{.Config}}", "", `id="vantage-config">{{.Config}}</script>`},
		"no element":    {`id="` + last + `"`, "", `an element with id="` + last + `"`},
	} {
		broken := Page{Template: strings.Replace(good, c.old, c.new, 1), TemplateName: "own/page.html"}
		if broken.Template == good {
			t.Fatalf("%s changes nothing", name)
		}
		if err := broken.Check(); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "own/page.html") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
