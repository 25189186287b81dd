package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"reflect"
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
		if want := (config{Collection: "collection/", Name: name, Server: page.Server}); !reflect.DeepEqual(got, want) {
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
		if page.Server != "./" {
			continue // Around uses asking only for a server of the page's own host
		}
		if told, err := page.asking(homePage, without); err != nil || string(told) != home {
			t.Errorf("told of the server later: %v\n%s\nwant\n%s", err, told, home)
		}
	}
}

// The lab begins with the owner's examples, or else with judged queries, whatever characters
// they have. It says who encodes queries.
func TestLab(t *testing.T) {
	const hostile = `</script><img src=x onerror="alert(1)"> {{.Server}}`
	for _, c := range []struct {
		page   Page
		offers []string
		says   string
	}{
		{Page{}, nil, "your words never leave it."},
		{Page{Judged: []string{"judged"}}, []string{"judged"}, "your words never leave it."},
		{Page{Examples: []string{hostile, "b"}, Judged: []string{"judged"}, Server: "./"}, []string{hostile, "b"}, "an encode server at this host turns"},
		{Page{Server: "https://encode.example:8443/a&b/"}, nil, "an encode server at encode.example:8443 turns"},
	} {
		content, err := c.page.lab()
		if err != nil {
			t.Fatal(err)
		}
		var got config
		if err := json.Unmarshal(outline(content).config, &got); err != nil {
			t.Fatalf("%v\n%s", err, content)
		}
		if want := (config{Collection: "collection/", Server: c.page.Server, Examples: c.offers}); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		lab := string(content)
		if !strings.Contains(lab, c.says) || strings.Contains(lab, "<img src=x") || strings.Count(lab, "</script>") != 3 {
			t.Errorf("%s", lab[:2500])
		}
	}
	if content, err := (Page{Server: "ftp://a/"}).lab(); err == nil {
		t.Errorf("a lab with a wrong server: %d bytes", len(content))
	}
}

// An owner's template is the whole page. What is wrong with it is named, with the line if
// there is one.
func TestTemplate(t *testing.T) {
	builtin, err := os.ReadFile("search/index.html")
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
