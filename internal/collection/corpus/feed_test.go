package corpus

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const rssText = `<?xml version="1.0" encoding="ISO-8859-1"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>All</title><link>https://example.org/</link>
<item><title>Caf` + "\xe9" + ` &amp;amp; tea</title><link>https://example.org/1</link><pubDate>Mon, 06 May 2024 07:08:09 +0000</pubDate>
<description>short</description><content:encoded><![CDATA[<p>Long&nbsp;text</p><h2 id="more">More</h2><p>Rest</p><script>x</script>]]></content:encoded></item>
<item><title>Two</title><guid>tag:two</guid><description>&lt;b&gt;Bold&lt;/b&gt; text</description></item>
<item><title>Three</title><guid> https://example.org/3 </guid><description>text</description></item>
<item><title>Four</title><guid isPermaLink="false">https://example.org/4</guid><description>text</description></item>
</channel></rss>`

const atomText = `<feed xmlns="http://www.w3.org/2005/Atom"><title>All</title><link href="https://example.org/"/>
<entry><title type="html">A &amp;lt; B</title><link rel="self" href="/self"/><link rel="alternate" href="/posts/1/"/><id>urn:1</id><updated>2024-05-06T07:08:09Z</updated><summary>short</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Whole <iframe src="/x" title='>' /><i>text</i><br/></p></div></content></entry>
<entry><title>1 &lt; 2</title><link href="javascript:alert(1)"/><content type="text">a &lt;b&gt; c</content></entry></feed>`

// The bases of a feed and of an entry go before its relative addresses (RFC 4287, section 2).
const basedText = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/blog/">
<entry><title>One</title><link href="one/"/><content>a</content></entry>
<entry xml:base="2024/"><title>Two</title><link href="two/"/><content>b</content></entry>
<entry xml:base="%%"><title>Three</title><link href="https://example.com/three/"/><content>c</content></entry></feed>`

// Episodes that all link to their show, entries that repeat an id, and those with neither. All elements of RSS are optional.
const podcastText = `<rss version="2.0"><channel>
<item><title>One</title><link>https://show.example/</link><guid isPermaLink="false">ep1</guid><description>a</description></item>
<item><title>Two</title><link>https://show.example/</link><guid isPermaLink="false">ep2</guid><description>b</description></item>
<item><title>Three</title><link>https://show.example/</link><guid isPermaLink="false">ep2</guid><description>c</description></item>
<item><title>Four</title><guid isPermaLink="false">5</guid><description>d</description></item>
<item><description>e</description></item></channel></rss>`

func TestFeeds(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"f.xml": {rssText, `{"_id":"https://example.org/1","title":"Café & tea","text":"Long text","metadata":{"date":"2024-05-06T07:08:09Z","url":"https://example.org/1"}}
{"_id":"https://example.org/1#more","title":"Café & tea: More","text":"Rest","metadata":{"date":"2024-05-06T07:08:09Z","url":"https://example.org/1#more"}}
{"_id":"tag:two","title":"Two","text":"Bold text"}
{"_id":"https://example.org/3","title":"Three","text":"text","metadata":{"url":"https://example.org/3"}}
{"_id":"https://example.org/4","title":"Four","text":"text"}
`},
		"f.atom.gz": {gzipped(atomText), `{"_id":"/posts/1/","title":"A < B","text":"Whole text","metadata":{"date":"2024-05-06T07:08:09Z","url":"https://example.org/posts/1/"}}
{"_id":"javascript:alert(1)","title":"1 < 2","text":"a <b> c"}
`},
		"p.rss": {podcastText, `{"_id":"https://show.example/","title":"One","text":"a","metadata":{"url":"https://show.example/"}}
{"_id":"ep2","title":"Two","text":"b","metadata":{"url":"https://show.example/"}}
{"_id":"3","title":"Three","text":"c","metadata":{"url":"https://show.example/"}}
{"_id":"5","title":"Four","text":"d"}
{"_id":"6","title":"6","text":"e"}
`},
		"b.atom": {basedText, `{"_id":"https://example.org/blog/one/","title":"One","text":"a","metadata":{"url":"https://example.org/blog/one/"}}
{"_id":"https://example.org/blog/2024/two/","title":"Two","text":"b","metadata":{"url":"https://example.org/blog/2024/two/"}}
{"_id":"https://example.com/three/","title":"Three","text":"c","metadata":{"url":"https://example.com/three/"}}
`},
	} {
		docs, err := read(write(t, name, c.content), Options{BaseURL: "https://example.org"})
		if got := compact(t, docs); err != nil || got != c.want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

// Each xml:base is relative to the one around it, wherever they stand; the outermost one may be relative, too.
func TestBasesOfFeeds(t *testing.T) {
	entry := func(attributes, link string) string {
		return `<entry ` + attributes + `><title>x</title>` + link + `<content>a</content></entry>`
	}
	deep := strings.Repeat(`<x xml:base="`+strings.Repeat("y", 1000)+`/">`, 1000)
	for content, want := range map[string]string{
		`<feed xml:base="/blog/">` + entry("", `<link href="one/"/>`) + `</feed>`:                                                                                              "/blog/one/",
		`<feed xml:base="blog/">` + entry("", `<link href="one/?q#f"/>`) + `</feed>`:                                                                                           "blog/one/?q#f",
		`<feed xml:base="blog/index.atom">` + entry(`xml:base="2024/"`, `<link href="../one/"/>`) + `</feed>`:                                                                  "blog/one/",
		`<feed xml:base="./">` + entry("", `<link href="one/"/>`) + `</feed>`:                                                                                                  "one/",
		`<feed xml:base="./">` + entry("", `<link href="./"/>`) + `</feed>`:                                                                                                    "./",
		`<feed xml:base="./">` + entry("", `<link href="./a:b"/>`) + `</feed>`:                                                                                                 "./a:b",
		`<feed xml:base="blog/">` + entry("", `<link href="/one/"/>`) + `</feed>`:                                                                                              "/one/",
		`<feed xml:base="blog/">` + entry("", `<link href="https://example.org/one/"/>`) + `</feed>`:                                                                           "https://example.org/one/",
		`<feed xml:base="https://example.org/a/">` + entry(`xml:base="%%"`, `<link href="one/"/>`) + `</feed>`:                                                                 "https://example.org/a/one/",
		`<feed xml:base="https://example.org/a/">` + entry(`xml:base="b/"`, `<link xml:base="c/" href="one/"/>`) + `</feed>`:                                                   "https://example.org/a/b/c/one/",
		`<feed xml:base="urn:x">` + entry("", `<link href="one/"/>`) + `</feed>`:                                                                                               "one/",
		`<rss xml:base="https://example.org/"><channel xml:base="a/"><image xml:base="no/"></image><item><link>one/</link><description>a</description></item></channel></rss>`: "https://example.org/a/one/",
		`<rss><channel xml:base="https://example.org/a/"></channel><item><link>one/</link><description>a</description></item></rss>`:                                           "one/",
		`<rss xml:base="https://example.org/">` + deep + `<item><link>one/</link><description>a</description></item>` + strings.Repeat("</x>", 1000) + `</rss>`:                "https://example.org/" + strings.Repeat(strings.Repeat("y", 1000)+"/", 2) + "one/",
	} {
		docs, err := read(write(t, "f.xml", content), Options{})
		if err != nil || len(docs) != 1 || docs[0].ID != want {
			t.Errorf("%.200s: %v %.200v, want %.200s", content, err, docs, want)
		}
	}
}

var sitemapPages = map[string]string{
	"index.html": "<p>home", "a/index.html": "<p>text<h2 id=x>X</h2>more", "b.html": "<p>text", "c.html": "<meta name=robots content=noindex><p>text", "unlisted.html": "<p>text", "notes.txt": "no",
	"sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url><url><loc> https://example.org/a/ </loc><lastmod>2024-05-06</lastmod></url>
<url><loc>https://example.org/b</loc></url><url><loc>https://example.org/b.html</loc></url><url><loc>https://example.org/c.html</loc></url><url><loc>https://example.org/gone/</loc></url><url><loc>https://example.org/../../x.html</loc></url><url><loc>ftp://example.org/a/</loc></url></urlset>`,
	"all.xml": `<sitemapindex><sitemap><loc>https://example.org/maps/sitemap.xml</loc></sitemap></sitemapindex>`,
	"own.rss": `<rss><channel><item><link>https://example.org/b</link></item></channel></rss>`,
}

func TestSitemap(t *testing.T) {
	dir := folder(t, sitemapPages)
	want := map[string]string{"index.html": "https://example.org/", "a/index.html": "https://example.org/a/", "a/index.html#x": "https://example.org/a/#x", "b.html": "https://example.org/b"}
	for _, file := range []string{"sitemap.xml", "all.xml"} {
		got, leftOut := addresses(t, filepath.Join(dir, file), Options{})
		sameAddresses(t, got, want)
		if wantOut := map[string]int{reasonUnlisted: 1, reasonMissing: 3}; !maps.Equal(leftOut, wantOut) {
			t.Errorf("%s: left out %v", file, leftOut)
		}
	}
	languages := folder(t, map[string]string{
		"sitemap.xml":    `<sitemapindex><sitemap><loc>https://example.org/s/en/sitemap.xml</loc></sitemap><sitemap><loc>https://example.org/s/de/sitemap.xml</loc></sitemap></sitemapindex>`,
		"en/sitemap.xml": `<urlset><url><loc>https://example.org/s/en/a.html</loc></url></urlset>`, "en/a.html": "<p>text",
		"de/sitemap.xml": `<urlset><url><loc>https://example.org/s/de/a.html</loc></url></urlset>`, "de/a.html": "<p>Text",
	})
	got, _ := addresses(t, filepath.Join(languages, "sitemap.xml"), Options{BaseURL: "https://example.org/s/"})
	sameAddresses(t, got, map[string]string{"en/a.html": "https://example.org/s/en/a.html", "de/a.html": "https://example.org/s/de/a.html"})
	got, _ = addresses(t, filepath.Join(dir, "own.rss"), Options{Base: dir})
	sameAddresses(t, got, map[string]string{"b.html": "https://example.org/b"})
	got, _ = addresses(t, write(t, "s.xml", strings.ReplaceAll(sitemapPages["sitemap.xml"], "example.org/", "example.org/docs/")), Options{Base: dir, BaseURL: "https://example.org/docs"})
	sameAddresses(t, got, map[string]string{"index.html": "https://example.org/docs/", "a/index.html": "https://example.org/docs/a/", "a/index.html#x": "https://example.org/docs/a/#x", "b.html": "https://example.org/docs/b"})
	got, _ = addresses(t, write(t, "s.xml", strings.ReplaceAll(sitemapPages["sitemap.xml"], "example.org/", "example.org/caf%C3%A9/")), Options{Base: dir, BaseURL: "https://example.org/café/"})
	sameAddresses(t, got, map[string]string{"index.html": "https://example.org/caf%C3%A9/", "a/index.html": "https://example.org/caf%C3%A9/a/", "a/index.html#x": "https://example.org/caf%C3%A9/a/#x", "b.html": "https://example.org/caf%C3%A9/b"})
	docs, err := read(filepath.Join(dir, "sitemap.xml"), Options{})
	if err != nil || docs[1].Metadata["modified"] != "2024-05-06" {
		t.Errorf("%v %+v", err, docs)
	}
}

func TestFeedsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		o       Options
		line    int64
		words   []string
	}{
		"no XML":      {"id,text\n", Options{}, 2, []string{"not XML"}},
		"HTML":        {"\n<html></html>", Options{}, 2, []string{"<html> is neither"}},
		"cut off":     {"<rss>\n<channel>\n<item><title>x", Options{}, 3, []string{"not XML"}},
		"long":        {"<rss><item><title>" + strings.Repeat("x", MaxRecordBytes+10000), Options{}, 1, []string{"longer than 16 MB"}},
		"nowhere":     {"<urlset><url><loc>https://example.org/x/</loc></url></urlset>", Options{}, 0, []string{"none of its pages", "--base", "--base-url"}},
		"no folder":   {"<urlset/>", Options{Base: "/does/not/exist"}, 0, nil},
		"entity bomb": {`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><item><link>&b;</link></item></rss>`, Options{}, 1, []string{"not XML"}},
	} {
		if name == "no folder" {
			if _, err := Open(write(t, "f.xml", c.content), c.o); err == nil || !strings.Contains(err.Error(), "--base") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		t.Run(name, func(t *testing.T) { refused(t, write(t, "f.xml", c.content), c.o, c.line, c.words...) })
	}
	dir := folder(t, map[string]string{"a.xml": "<sitemapindex><sitemap><loc>a.xml</loc></sitemap></sitemapindex>"})
	refused(t, filepath.Join(dir, "a.xml"), Options{}, 0, "within another")
}

// Addresses are kept only if they lead to pages, and only if they are not too long.
func TestLongLocations(t *testing.T) {
	spaces, long := strings.Repeat(" ", 100_000), strings.Repeat("x", 100_000)
	entry := "<url><loc>%s</loc><lastmod>" + long + "</lastmod></url>"
	dir := folder(t, map[string]string{
		"index.html": "<p>text",
		"s.xml":      "<urlset>" + fmt.Sprintf(entry, spaces+"https://example.org/"+spaces) + strings.Repeat(fmt.Sprintf(entry, "https://example.org/"+long), 200) + "</urlset>",
		"twice.xml":  "<sitemapindex>" + strings.Repeat("<sitemap><loc>https://example.org/s.xml</loc></sitemap>", 1000) + "</sitemapindex>",
		"feed.xml":   "<rss><channel>" + strings.Repeat("<item><link>https://example.org/"+long+"</link><title>t</title></item>", 200) + "</channel></rss>",
	})
	for _, file := range []string{"s.xml", "twice.xml"} {
		docs, err := read(filepath.Join(dir, file), Options{})
		if err != nil || len(docs) != 1 || docs[0].Metadata["modified"] != nil {
			t.Errorf("%s: %v %+v", file, err, docs)
		}
		got, leftOut := addresses(t, filepath.Join(dir, file), Options{})
		sameAddresses(t, got, map[string]string{"index.html": "https://example.org/"})
		if leftOut[reasonMissing] != 200 {
			t.Errorf("%s: left out %v", file, leftOut)
		}
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := Open(filepath.Join(dir, "s.xml"), Options{})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); err != nil || kept > 100_000 {
		t.Errorf("%d KB are kept, %v", kept>>10, err)
	}
	runtime.KeepAlive(c)
	refused(t, filepath.Join(dir, "feed.xml"), Options{}, 1, "the id has")
	refused(t, filepath.Join(dir, "feed.xml"), Options{Base: dir}, 0, "none of its pages")
	docs, err := read(write(t, "f.xml", "<rss><item><link>a</link><title>t</title><pubDate>"+long+"</pubDate></item></rss>"), Options{})
	if err != nil || len(docs) != 1 || docs[0].Metadata["date"] != nil {
		t.Errorf("%v %+v", err, docs)
	}
}

// The date of an entry does not depend on the zone of the machine that reads the feed.
func TestFeedDates(t *testing.T) {
	local := time.Local
	t.Cleanup(func() { time.Local = local })
	time.Local = time.FixedZone("EST", 7200)
	for date, want := range map[string]string{
		"Mon, 06 May 2024 07:08:09 +0200": "2024-05-06T07:08:09+02:00",
		"Mon, 06 May 2024 07:08:09 EST":   "2024-05-06T07:08:09-05:00",
		"Mon, 6 May 2024 07:08:09 PDT":    "2024-05-06T07:08:09-07:00",
		"6 May 24 07:08 GMT":              "2024-05-06T07:08:00Z",
		"Mon, 06 May 2024 07:08:09 CEST":  "2024-05-06T07:08:09Z", // no zone of the standard
		"2024-05-06":                      "2024-05-06",
		"MAY":                             "MAY",
		"in MAY":                          "in MAY",
	} {
		docs, err := read(write(t, "f.xml", "<rss><item><link>a</link><title>t</title><pubDate>"+date+"</pubDate></item></rss>"), Options{})
		if err != nil || len(docs) != 1 || docs[0].Metadata["date"] != want {
			t.Errorf("%s: %v %+v, want %s", date, err, docs, want)
		}
	}
}

func FuzzFeeds(f *testing.F) {
	f.Add(rssText)
	f.Add(atomText)
	f.Add("<rss><item><link>a</link><title>" + strings.Repeat("title ", 1000) + "</title><pubDate>" + strings.Repeat("1", 1000) + "</pubDate><description>x&lt;h2>y&lt;/h2>z</description></item></rss>")
	f.Add("<urlset><url><loc>https://example.org/" + strings.Repeat("x", maxLinkBytes) + "</loc></url></urlset>")
	f.Add(sitemapPages["sitemap.xml"])
	f.Fuzz(func(t *testing.T, content string) {
		docs, err := read(write(t, "f.xml", content), Options{BaseURL: "/x/"})
		var e *InputError
		if err != nil && (!errors.As(err, &e) || e.Remedy == "") {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, d := range docs {
			if address := fmt.Sprint(d.Metadata["url"]); ids[d.ID] || strings.HasPrefix(strings.ToLower(address), "javascript:") {
				t.Fatalf("%+v", d)
			}
			ids[d.ID] = true
		}
	})
}
