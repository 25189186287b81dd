package corpus

import (
	"maps"
	"strings"
	"testing"
)

// addresses reads a corpus and returns the url of each document by its id.
func addresses(t testing.TB, path string, o Options) (map[string]string, map[string]int) {
	t.Helper()
	c, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for d, err := range c.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		got[d.ID], _ = d.Metadata["url"].(string)
	}
	return got, c.LeftOut()
}

func sameAddresses(t *testing.T, got, want map[string]string) {
	t.Helper()
	for id := range got {
		if _, ok := want[id]; !ok {
			t.Errorf("%s is read, with address %q", id, got[id])
		}
	}
	for id, address := range want {
		if g, ok := got[id]; !ok || g != address {
			t.Errorf("%s: address %q, want %q", id, g, address)
		}
	}
}

var plainPages = map[string]string{
	"index.md": "home", "a.md": "text", "b c.md": "text", "sub/README.md": "text", "sub/x.html": "<p>text", "two/index.html": "<p>text", "two/README.md": "text",
	"url.md":       "---\nurl: /posts/5/\n---\ntext\n# Über\nmore",
	"permalink.md": "---\npermalink: https://example.org/p#top\n---\ntext",
	"sub/slug.md":  "---\nslug: my-slug\naliases: [/old/]\n---\ntext",
	"script.md":    "---\nurl: javascript:alert(1)\n---\ntext",
	"template.md":  "---\npermalink: /x/{{ page.fileSlug }}/\n---\ntext",
	"dated.md":     "---\ndate: 2024-05-06\nlang: d/e\n---\ntext",
}

func TestAddresses(t *testing.T) {
	dir := folder(t, plainPages)
	got, leftOut := addresses(t, dir, Options{})
	want := map[string]string{
		"index.md": "./", "a.md": "a.html", "b c.md": "b%20c.html", "sub/README.md": "sub/", "sub/x.html": "sub/x.html", "two/index.html": "two/", "two/README.md": "two/README.html",
		"url.md": "/posts/5/", "url.md#über": "/posts/5/#%C3%BCber", "permalink.md": "https://example.org/p", "sub/slug.md": "sub/my-slug.html",
		"script.md": "script.html", "template.md": "template.html", "dated.md": "dated.html",
	}
	sameAddresses(t, got, want)
	if len(leftOut) != 0 {
		t.Errorf("left out %v", leftOut)
	}
	for _, base := range []string{"https://example.org/docs", "/docs/"} {
		got, _ = addresses(t, dir, Options{BaseURL: base})
		for id, address := range want {
			if address = strings.TrimPrefix(strings.TrimPrefix(address, "./"), "/"); !strings.Contains(address, ":") {
				address = strings.TrimSuffix(base, "/") + "/" + address
			}
			if got[id] != address {
				t.Errorf("%s with %s: address %q, want %q", id, base, got[id], address)
			}
		}
	}
	got, _ = addresses(t, folder(t, map[string]string{"p/dated.md": plainPages["dated.md"], "sub/index.md": "---\ndate: 2024-01-02T05:06:07Z\nlang: en\n---\nx", "url.md": plainPages["url.md"]}),
		Options{Link: "/{year}/{month}/{day}/{lang}/{path}/{slug}/"})
	sameAddresses(t, got, map[string]string{"p/dated.md": "/2024/05/06/d%2Fe/p/dated/dated/", "sub/index.md": "/2024/01/02/en/sub/sub/", "url.md": "/posts/5/", "url.md#über": "/posts/5/#%C3%BCber"})
	refused(t, dir+"/", Options{Link: "/{lang}/"}, 0, "a.md", `no field "lang" for --link`)
}

// If a document of a file has a url, the template does not replace it; the base is put before it unless it has a host.
func TestAddressesOfRecords(t *testing.T) {
	o := Options{Link: "/item/{id}/{n}?t={title}", BaseURL: "https://example.org/shop/"}
	for name, content := range map[string]string{
		"c.csv":   "id,title,text,n,url\na/b,T &,x,5,\nc,U,y,6,/own/\nd,V,y,7,http://other.example/\ne,E,y,8,\n",
		"c.jsonl": `{"_id": "a/b", "title": "T &", "text": "x", "n": 5}` + "\n" + `{"_id": "c", "text": "y", "url": "/own/"}` + "\n" + `{"_id": "d", "text": "y", "metadata": {"url": "http://other.example/"}}` + "\n" + `{"_id": "e", "text": "y", "n": 8, "title": "E", "url": ""}`,
	} {
		got, _ := addresses(t, write(t, name, content), o)
		want := map[string]string{"a/b": "https://example.org/shop/item/a%2Fb/5?t=T%20&", "c": "https://example.org/shop/own/", "d": "http://other.example/", "e": "https://example.org/shop/item/e/8?t=E"}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	path := write(t, "c.csv", "id,text,x\na,b,javascript:alert(1)\n")
	refused(t, path, Options{Link: "/{nothing}/"}, 0, `document "a"`, `"nothing"`)
	refused(t, path, Options{Link: "{x}"}, 0, "not an address")
	for _, o := range []Options{{Link: "/{a/"}, {Link: "/a}/"}, {Link: "/{}/"}, {Link: strings.Repeat("x", maxLinkBytes+1)}, {BaseURL: "example.org"},
		{BaseURL: "javascript:x"}, {BaseURL: "ftp://example.org/"}, {BaseURL: "https://example.org/?q"}, {BaseURL: "//example.org/"}, {BaseURL: "/" + strings.Repeat("x", maxLinkBytes)}} {
		if _, err := Open(path, o); err == nil {
			t.Errorf("%.50v is accepted", o)
		}
	}
}

func TestPagesLeftOut(t *testing.T) {
	got, leftOut := addresses(t, folder(t, map[string]string{
		"a.md": "---\ndraft: true\n---\nx", "b.md": "---\npublished: false\n---\nx", "c.md": "---\nnoindex: true\n---\nx", "d.md": "---\nrobots: noindex, follow\n---\nx",
		"e.md": "---\nunlisted: true\n---\nx", "f.md": "---\npermalink: false\n---\nx", "g.md": "+++\ndraft = true\n+++\nx", "m.md": "---\nrobots: [nofollow, None]\n---\nx",
		"h.html": `<meta name="Robots" content="NOINDEX"><p>x`, "i.html": `<meta name=robots content="nofollow,none"><p>x`,
		"j.html": `<meta http-equiv=refresh content="0; url=/new/"><p>moved`,
		"k.html": `<meta name=robots content="index, follow"><meta http-equiv=refresh content=30><p>x`,
		"n.md":   "---\npublished: No\n---\nx", "o.md": "---\ndraft: yes\n---\nx", "p.md": "---\nunlisted: on\n---\nx",
		"l.md": "---\npublished: yes\ndraft: false\nnoindex: off\nrobots: all\n---\n<meta name=robots content=noindex>\n\nx",
	}), Options{})
	sameAddresses(t, got, map[string]string{"k.html": "k.html", "l.md": "l.html"})
	if want := map[string]int{reasonDraft: 6, reasonUnlisted: 7, reasonRedirect: 1}; !maps.Equal(leftOut, want) {
		t.Errorf("left out %v", leftOut)
	}
}

func FuzzAddress(f *testing.F) {
	for _, link := range []string{"/posts/{slug}/", "{x}", "{", "https://example.org/{year}/{id}", "/{a}{b}?q={c}#{d}"} {
		f.Add(link, "/base/", "javascript:alert(1)")
		f.Add(link, "https://example.org", "ü /%2F..")
	}
	f.Fuzz(func(t *testing.T, link, base, value string) {
		l, err := newLinks(Options{Link: link, BaseURL: base})
		if err != nil {
			return
		}
		address, problem := l.expand(map[string]any{"a": value, "x": value}, func(string) string { return value })
		if problem != nil {
			return
		}
		if s := strings.ToLower(l.resolve(address)); strings.HasPrefix(s, "javascript:") || strings.HasPrefix(s, "data:") {
			t.Fatalf("%q", s)
		}
		if a, ok := webAddress(value); ok && strings.HasPrefix(strings.ToLower(a), "javascript:") {
			t.Fatalf("%q", a)
		}
	})
}
