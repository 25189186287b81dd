package pages

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// Site is a page with results, under a host name.
type Site struct {
	Host, Path, Parameter string
	Result                string // selects the results
	name                  string // of its template
}

// Sites are some of the pages that there are rules for.
var Sites = []Site{
	DuckDuckGo,
	{"www.google.com", "/search", "q", "#rso .MjjYud:has(h3)", "google"},
	{"www.bing.com", "/search", "q", "#b_results > li.b_algo", "bing"},
	{"search.brave.com", "/search", "q", `#results .snippet[data-type="web"]`, "brave"},
	{"en.wikipedia.org", "/w/index.php", "search", "li.mw-search-result", "wikipedia"},
	{"hn.algolia.com", "/", "query", "article.Story", "hackernews"},
	{"arxiv.org", "/list/econ.GN/new", "q", "#dlpage dl > dt", "arxiv"},
	{"www.semanticscholar.org", "/search", "q", ".cl-paper-row", "semanticscholar"},
}

// DuckDuckGo is the site whose pages also come in other shapes.
var DuckDuckGo = Site{"duckduckgo.com", "/", "q", `li[data-layout="organic"]`, "duckduckgo"}

// Forum is a page that there is no rule for.
var Forum = Site{"forum.example", "/find", "q", ".thread", "forum"}

// URL is the address of the results for a query. The shape says how the page behaves: each
// key of scripts is one, "dark" and "rtl" look that way, "broken" has another structure than
// the rule, "strict" forbids everything that it can, "hostile" has texts that would do harm.
// Further parameters come in pairs: "from" is the first rank, "count" how many there are.
func (s Site) URL(query, shape string, more ...string) string {
	values := url.Values{s.Parameter: {query}, "shape": {shape}}
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return "https://" + s.Host + s.Path + "?" + values.Encode()
}

//go:embed sites/*.html
var markup embed.FS

//go:embed assets
var assets embed.FS

var templates = template.Must(template.ParseFS(markup, "sites/*.html"))

// scripts are those that a shape loads after page.js.
var scripts = map[string][]string{
	"scroll": {"scroll.js"}, "endless": {"scroll.js", "endless.js"}, "navigate": {"navigate.js"}, "group": {"group.js"}, "fight": {"fight.js"},
	"storm": {"storm.js"}, "react": {"react.js"}, "clobber": {"clobber.js"},
	"shadow": {"shadow.js"},
}

// Many is the number of results on a page that asks for no other.
const Many = 12

// Handler serves all pages. react is the folder with React's node_modules.
func Handler(react string) http.Handler {
	mux := http.NewServeMux()
	files := http.FileServerFS(assets)
	bundled := sync.OnceValues(func() ([]byte, error) { return bundle(react) })
	mux.HandleFunc("/page/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page/react.js" {
			content, err := bundled()
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "text/javascript")
			w.Write(content)
			return
		}
		r.URL.Path = strings.Replace(r.URL.Path, "/page/", "/assets/", 1)
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(Sites, func(s Site) bool { return s.Host == r.Host && s.Path == r.URL.Path })
		switch {
		case i >= 0:
			Sites[i].serve(w, r)
		case r.Host == Forum.Host && r.URL.Path == Forum.Path:
			Forum.serve(w, r)
		default:
			http.NotFound(w, r)
		}
	})
	return mux
}

// serve writes one page of results.
func (s Site) serve(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	query, shape := values.Get(s.Parameter), values.Get("shape")
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(values.Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	from, count := number("from", 1), number("count", Many)
	turned := func(to int) string {
		return s.URL(query, shape, "from", strconv.Itoa(max(1, to)), "count", strconv.Itoa(count))
	}
	page := struct {
		Site                                                      Site
		Query, Shape, Language, Direction, Scheme, Previous, Next string
		Scripts                                                   []string
		Results                                                   []Result
		Content                                                   template.HTML
	}{
		Site: s, Query: query, Shape: shape, Language: "en", Direction: "ltr", Scheme: "light",
		Previous: turned(from - count), Next: turned(from + count),
		Scripts: append([]string{"page.js"}, scripts[shape]...), Results: Results(query, from, count),
	}
	policy := "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; require-trusted-types-for 'script'"
	name := s.name
	switch shape {
	case "navigate", "scroll", "endless":
		policy = strings.Replace(policy, "; require-trusted-types-for 'script'", "", 1) // they parse what they fetch
	case "rtl":
		page.Language, page.Direction = "he", "rtl"
	case "dark":
		page.Scheme = "dark"
	case "react":
		name = "react"
	case "strict":
		policy, page.Scripts = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'", nil
	case "hostile":
		page.Results = hostile(page.Results)
	}
	var content bytes.Buffer
	if err := templates.ExecuteTemplate(&content, name, page); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	page.Content = template.HTML(content.String())
	if shape == "broken" {
		page.Content = template.HTML(strings.NewReplacer(`data-layout="organic"`, `data-kind="web"`, "<h2>", "<h3>", "</h2>", "</h3>").Replace(content.String()))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Cache-Control", "no-store")
	if err := templates.ExecuteTemplate(w, "page", page); err != nil {
		fmt.Fprintf(w, "<p>%s", template.HTMLEscapeString(err.Error()))
	}
}

// bundle returns the page's script with React.
func bundle(react string) ([]byte, error) {
	source, err := assets.ReadFile("assets/react.js")
	if err != nil {
		return nil, err
	}
	built := api.Build(api.BuildOptions{
		Stdin:     &api.StdinOptions{Contents: string(source), ResolveDir: react, Sourcefile: "react.js"},
		NodePaths: []string{filepath.Join(react, "node_modules")},
		Define:    map[string]string{"process.env.NODE_ENV": `"production"`},
		Bundle:    true, Format: api.FormatIIFE, MinifySyntax: true,
	})
	if len(built.Errors) > 0 {
		return nil, fmt.Errorf("react.js: %s", built.Errors[0].Text)
	}
	return built.OutputFiles[0].Contents, nil
}
