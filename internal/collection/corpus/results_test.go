package corpus

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
)

// readBy returns the first document of each page by its path.
func readBy(t *testing.T, files map[string]string, o Options) map[string]store.Document {
	t.Helper()
	docs, err := read(folder(t, files), o)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]store.Document{}
	for _, d := range docs {
		name, _ := d.Metadata["path"].(string)
		if _, there := by[name]; !there {
			by[name] = d
		}
	}
	return by
}

// Pages that are left out do not count: a search that was copied into the folder changes no title, and no image.
func TestRepeatedWithoutLeftOut(t *testing.T) {
	files := map[string]string{}
	for _, page := range []string{"a", "b", "c", "d", "e"} {
		files[page+".html"] = `<title>` + page + ` – My Site</title><img src="/logo.png"><p>text`
	}
	for _, page := range []string{"f", "g", "h"} {
		files[page+".html"] = `<title>` + page + `</title><img src="/` + page + `.png"><p>text`
	}
	before := readBy(t, files, Options{BaseURL: "/"})
	if title := before["a.html"].Title; title != "a" {
		t.Fatalf("the title is %q", title)
	}
	for page, html := range map[string]string{
		"search/index.html": `<title>Search</title><main data-vantage-ignore></main>`,
		"search/lab.html":   `<meta name="robots" content="noindex"><title>Lab</title><p>text`,
		"search/eval.html":  `<title>Evaluation</title><body data-pagefind-ignore><p>text`,
		"old/index.html":    `<meta http-equiv="refresh" content="0; url=/"><title>Moved</title>`,
		"404.html":          `<title>Lost</title><p>text`,
	} {
		files[page] = html
	}
	if after := readBy(t, files, Options{BaseURL: "/"}); !reflect.DeepEqual(after, before) {
		t.Errorf("%v became %v", before, after)
	}
}

// What most titles of a folder end with is not repeated in the results. Other ends stay,
// and so does a title that is nothing else.
func TestTitleEndings(t *testing.T) {
	html := func(title string) string { return "<title>" + title + "</title><body><p>text" }
	for name, c := range map[string]struct{ pages, want map[string]string }{
		"a site": {
			map[string]string{"a": "Trains – My Site", "b": "Ships &ndash; My\n Site", "c": "Well-known – cars – My Site", "d": "My Site", "e": "Other"},
			map[string]string{"a": "Trains", "b": "Ships", "c": "Well-known – cars", "d": "My Site", "e": "Other"},
		},
		"two levels": {
			map[string]string{"a": "A | Docs | Firm", "b": "B | Docs | Firm", "c": "C | Docs | Firm", "d": "D | Blog | Firm"},
			map[string]string{"a": "A", "b": "B", "c": "C", "d": "D | Blog"},
		},
		"two pages": {map[string]string{"a": "A - S", "b": "B - S"}, map[string]string{"a": "A - S", "b": "B - S"}},
		"half": {
			map[string]string{"a": "A - S", "b": "B - S", "c": "C - S", "d": "D", "e": "E", "f": "F - T"},
			map[string]string{"a": "A - S", "c": "C - S", "f": "F - T"},
		},
		"no divider": {
			map[string]string{"a": "A-S", "b": "B-S", "c": "C-S"},
			map[string]string{"a": "A-S", "b": "B-S", "c": "C-S"},
		},
		"nothing before": {
			map[string]string{"a": " - S", "b": "B - S", "c": "C - S", "d": "D - S"},
			map[string]string{"a": "- S", "b": "B"},
		},
		"long": {
			map[string]string{"a": strings.Repeat("x", maxTitle) + " - S", "b": "B - S", "c": "C - S", "d": "D - S"},
			map[string]string{"a": strings.Repeat("x", maxTitle) + " - S", "b": "B"},
		},
	} {
		files := map[string]string{}
		for page, title := range c.pages {
			files[page+".html"] = html(title)
		}
		files["z.md"] = "---\ntitle: Notes – My Site\n---\ntext\n"
		got := readBy(t, files, Options{})
		for page, want := range c.want {
			if title := got[page+".html"].Title; title != want {
				t.Errorf("%s: %q became %q, want %q", name, c.pages[page], title, want)
			}
		}
		if title := got["z.md"].Title; title != "Notes – My Site" {
			t.Errorf("%s: the title in front matter became %q", name, title)
		}
	}
	// In another encoding, and with the title behind much else.
	latin := map[string]string{"far.html": html("")}
	for i := range 4 {
		latin[fmt.Sprintf("%d.html", i)] = fmt.Sprintf("<meta charset=windows-1252><script>%s</script><title>T%d \x96 Caf\xe9</title><p>text", strings.Repeat(" ", 50_000), i)
	}
	if got := readBy(t, latin, Options{})["2.html"].Title; got != "T2" {
		t.Errorf("windows-1252: %q", got)
	}
}

// A page's image is an address on the web or relative to the site; icons and scripts are none.
func TestPageImages(t *testing.T) {
	og := func(src string) string { return `<meta property="og:image" content="` + src + `"><p>text` }
	img := func(attributes string) string { return `<main><p>text <img ` + attributes + `></main>` }
	matter := func(field, src string) string {
		return "---\n" + field + ": \"" + src + "\"\n---\ntext ![x](inside.png)\n"
	}
	files, wants := map[string]string{}, map[string]string{}
	for name, c := range map[string]struct{ content, want, based string }{
		"blog/preview.html":  {og("https://cdn.example/p.png") + `<img src="first.png">`, "https://cdn.example/p.png", "https://cdn.example/p.png"},
		"blog/relative.html": {og("../img/a b.png"), "img/a%20b.png", "https://site.example/x/img/a%20b.png"},
		"blog/first.html":    {img(`src="first.png"`), "blog/first.png", "https://site.example/x/blog/first.png"},
		"blog/rooted.html":   {img(`src="/img/r.png"`), "/img/r.png", "https://site.example/img/r.png"},
		"blog/icon.html":     {img(`src="icon.png" width="16"`), "", ""},
		"blog/pixels.html":   {img(`src="icon.png" height=" 48px "`), "", ""},
		"blog/second.html":   {img(`src="icon.png" width=16><img src=second.png width=640`), "blog/second.png", "https://site.example/x/blog/second.png"},
		"blog/menu.html":     {`<body><nav><img src="logo.png"></nav><p>text</body>`, "", ""},
		"blog/data.html":     {img(`src="data:image/png;base64,AAAA"`), "", ""},
		"blog/script.html":   {og("javascript:alert(1)"), "", ""},
		"blog/file.html":     {og("file:///etc/passwd"), "", ""},
		"blog/none.html":     {"<p>text", "", ""},
		"blog/matter.md":     {matter("image", "/m.png"), "/m.png", "https://site.example/m.png"},
		"blog/cover.md":      {matter("cover", "c.png"), "blog/c.png", "https://site.example/x/blog/c.png"},
		"blog/inside.md":     {matter("title", "t"), "blog/inside.png", "https://site.example/x/blog/inside.png"},
		"blog/evil.md":       {matter("image", "javascript:alert(1)") + "\n![x](data:x)", "blog/inside.png", "https://site.example/x/blog/inside.png"},
		"blog/up.html":       {og("../../../../up.png"), "up.png", "https://site.example/up.png"},
	} {
		files[name] = c.content
		wants[name], wants["based "+name] = c.want, c.based
	}
	for base, prefix := range map[string]string{"": "", "https://site.example/x/": "based "} {
		got := readBy(t, files, Options{BaseURL: base})
		if len(got) != len(files) {
			t.Fatalf("%d pages of %d", len(got), len(files))
		}
		for name := range files {
			if image, _ := got[name].Metadata["image"].(string); image != wants[prefix+name] {
				t.Errorf("base %q: %s has the image %q, want %q", base, name, image, wants[prefix+name])
			}
		}
	}
	// Docusaurus publishes relative images under other names.
	site := readBy(t, map[string]string{
		"docusaurus.config.js": "export default { baseUrl: '/d/' };", "docs/a.md": "text ![x](./a.png)\n", "docs/b.md": "text ![x](/img/b.png)\n",
	}, Options{})
	if image := site["docs/a.md"].Metadata["image"]; image != nil {
		t.Errorf("a relative image of Docusaurus: %v", image)
	}
	if image := site["docs/b.md"].Metadata["image"]; image != "/img/b.png" {
		t.Errorf("a rooted image of Docusaurus: %v", image)
	}
}

// An image that most pages of a folder have, such as a logo, is no page's image.
func TestSharedImages(t *testing.T) {
	logo := func(up string) string {
		return `<title>T</title><meta property="og:image" content="` + up + `share.png"><body><p><img src="` + up + `logo.png">text`
	}
	files := map[string]string{
		"a.html": logo("") + `<img src="a.png">`, "b.html": logo("") + `<img src="/own/b.png"/>`, "deep/c.html": logo("../"), "d.html": `<img src="logo2.png">text`,
		"e.html": `<img src="twice.png">text`, "f.md": "![x](logo.png)\n\ntext",
	}
	docs, err := read(folder(t, files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a.html": "a.png", "b.html": "/own/b.png", "deep/c.html": nil, "d.html": "logo2.png", "e.html": "twice.png", "f.md": nil}
	for _, d := range docs {
		if d.Metadata["image"] != want[d.ID] {
			t.Errorf("%s has the image %v, want %v", d.ID, d.Metadata["image"], want[d.ID])
		}
	}
	if len(docs) != len(want) {
		t.Errorf("%d documents", len(docs))
	}
}
