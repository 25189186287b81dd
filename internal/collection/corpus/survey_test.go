package corpus

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// What most HTML pages of a folder repeat, what only leads to other pages, and lists of other pages are not texts to find.
func TestSurvey(t *testing.T) {
	shell := func(title, content string) string {
		return "<title>" + title + ` | Blog</title><body><header><h2><a href="/start/">Blog</a></h2><p>Without hurry</header>` + content +
			`<section><h2>Related</h2><ul><li><a href="/post1/">← Post 1</a> <a href="/post2">Post 2</a></ul></section>` +
			`<section><h2>Cookies</h2><p>We use cookies.<p><a href="https://other.example/">Elsewhere</a></section><pre>import x</pre>`
	}
	files := map[string]string{
		"start/index.html": shell("Start", "<h1>Start</h1><p>Welcome."), "404.html": shell("Lost", "<h1>Lost</h1><p>Not here."),
		"tag/index.html": "<title>Tag | Blog</title><h1>Tag</h1><article><h2><a href=../post1/>Post 1</a></h2><p>Text 1.</article><a href='/post3/'><h3>Post 3</h3></a><p>Text 3.",
		"links.html":     "<title>Links | Blog</title><p><a href=post1/>Post 1</a>",
		"faq.html":       shell("FAQ", `<h2><a href="#own">Own</a></h2><p>Answer.<h2><a href="https://other.example/post9/">Far</a></h2><p>Far away.<h2>See <a href="/post1/">this</a></h2><p>Seen.<div data-pagefind-ignore>no</div><dialog>no</dialog>`),
	}
	want := map[string]string{
		"start/index.html#start": "Welcome.", "links.html": "Post 1", "faq.html#own": "Answer.", "faq.html#far": "Far away.", "faq.html#see-this": "Seen.",
	}
	for i := range 5 {
		name := fmt.Sprintf("post%d", i)
		files[name+"/index.html"] = shell(fmt.Sprint("Post ", i), fmt.Sprintf(`<h1><a href="/post%d/">Post %d</a></h1><p>Text %d<a role="doc-noteref" href="#n">1</a>.`, i, i, i))
		want[name+"/index.html#"+fmt.Sprintf("post-%d", i)] = fmt.Sprintf("Text %d.", i)
	}
	for _, name := range []string{"start/index.html", "faq.html", "post0/index.html", "post1/index.html", "post2/index.html", "post3/index.html", "post4/index.html"} {
		want[name+"#cookies"] = "import x"
	}
	for base, options := range map[string]Options{"/": {}, "/blog/": {BaseURL: "/blog/"}, "https://blog.example/": {}} {
		there := map[string]string{}
		for name, content := range files {
			there[name] = strings.ReplaceAll(content, `href="/`, `href="`+base)
		}
		dir := folder(t, there)
		docs, err := read(dir, options)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, d := range docs {
			got[d.ID] = d.Text
		}
		// Links to the site elsewhere are lines like any other.
		if !maps.Equal(got, want) {
			t.Errorf("%s:\n%q\nwant\n%q", base, got, want)
		}
		if _, leftOut := addresses(t, dir, options); !maps.Equal(leftOut, map[string]int{reasonLost: 1, reasonList: 1}) {
			t.Errorf("%s: left out %v", base, leftOut)
		}
	}
}

// A line that leads to its own page is its text, such as the term of a manual. Lists of its headings repeat those.
func TestLinksWithinThePage(t *testing.T) {
	docs, err := read(folder(t, map[string]string{"man.html": `<title>tool</title><ul><li><a href="#notes">1. Notes</a><li><a href="man.html#all">All of them</a></ul>
<dl><dt id=all><a href="#all"><code>--all</code></a><dd>Take everything.</dl><h2 id=notes>1. Notes</h2><p><a href="man.html#all">See the zebra option</a><p><a href="#">Up</a><p><a href="#Top">To the top</a><p><a href="other.html#all">Other</a>`,
		"other.html": "<p>Other."}), Options{})
	if err != nil || len(docs) != 3 || docs[0].Text != "All of them\n--all\nTake everything." || docs[1].Text != "See the zebra option" {
		t.Errorf("%v %q", err, docs)
	}
}

// What is left out within pages is counted, anew at each reading, so that an owner can see that it was too much. A page that
// stays as it is does not count.
func TestPartsLeftOut(t *testing.T) {
	files := map[string]string{"markdown.md": "A line that most pages have.\n", "bare.html": "<p>Short."}
	for i := range 6 {
		files[fmt.Sprintf("%d.html", i)] = fmt.Sprintf("<h1>Page</h1><p>Text %d.<p>Short.<p>A line that most pages have.", i)
	}
	files["0.html"] += "<p><a href=1.html>One</a><p><a href=2.html>Two</a><h2><a href=3.html>Three</a></h2><p>Its first words."
	files["list.html"] = "<h2><a href=3.html>Three</a></h2><p>Its first words."
	c, err := Open(folder(t, files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, err := range c.Documents() {
			if err != nil {
				t.Fatal(err)
			}
		}
		if want := (Parts{Pages: 6, Repeated: 12, Longest: "A line that most pages have.", Links: 2, Teasers: 1}); c.PartsLeftOut() != want {
			t.Errorf("%+v, want %+v", c.PartsLeftOut(), want)
		}
	}
}

// A page that is made for Pagefind says itself what its text is.
func TestMadeForPagefind(t *testing.T) {
	docs, err := read(folder(t, map[string]string{
		"a.html": "<main>no<article data-pagefind-body>text<p data-pagefind-ignore=all>no</article><div data-pagefind-body>more<p data-pagefind-body>inside</div></main>",
		"b.html": "<main>no</main>", "c.md": "Markdown",
	}), Options{})
	if err != nil || len(docs) != 2 || docs[0].Text != "text\nmore\ninside" || docs[1].Text != "Markdown" {
		t.Errorf("%v %+v", err, docs)
	}
}

// In a folder of few pages, equal lines may be text.
func TestFewPagesRepeatNothing(t *testing.T) {
	files := map[string]string{}
	for i := range 4 {
		files[fmt.Sprintf("%d.html", i)] = fmt.Sprintf("<p>Page %d.<p>The same.", i)
	}
	for _, n := range []int{4, 5} {
		want := "Page 0.\nThe same."
		if n == 5 {
			want = "Page 0."
			files["4.html"] = "<p>Page 4.<p>The same."
			files["5.html"] = "<p>The same." // of this one nothing would remain
		}
		by := readBy(t, files, Options{})
		if got := by["0.html"].Text; got != want {
			t.Errorf("%d pages: %q, want %q", n, got, want)
		}
		if n == 5 && by["5.html"].Text != "The same." {
			t.Errorf("a page with nothing else: %q", by["5.html"].Text)
		}
	}
}
