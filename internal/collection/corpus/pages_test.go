package corpus

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const markdownText = "---\n" +
	"title: \"The guide\"   # shown in the list\n" +
	"year: 2024\n" +
	"draft: false\n" +
	"tags: [a, 'b c', 3]\n" +
	"authors:\n" +
	"  - Ann\n" +
	"  - Bob\n" +
	"nested:\n" +
	"  key: value\n" +
	"summary: >\n" +
	"  folded\n" +
	"---\n" +
	"Lead with *emphasis*, `code` & an &eacute;ntity, a [link](http://example.org) and \\*stars\\*.\n\n" +
	"# The guide\n\n" +
	"## Install it\n\n" +
	"- one\n- two\n  more\n\n" +
	"| a | b |\n|---|---|\n| 1 | 2 |\n\n" +
	"```sh\nmake  all\n\n  indented\n```\n\n" +
	"### On Linux\n\n<div><b>Raw</b> HTML</div><script>no()</script>\n\n" +
	"## Install it\n\nAgain.\n\n" +
	"## Über uns: Größe?\n\nText.\n"

const htmlText = `<!DOCTYPE html><html><head><title> A page </title><style>x{}</style></head><body>
<nav>Menu</nav><header>Site</header>
<main><p>Lead   of
the page.</p><section id="first"> <h2>First <a class="headerlink" href="#first">¶</a></h2><p>One.</p><p>Two<br>lines.</p></section>
<h2 id="own">Own</h2><table><tr><th>k</th><td>v</td></tr><tr><td>3</td><td>4</td></tr></table>
<h3>No id</h3><pre>  keep
   this</pre><p hidden>gone</p><p aria-hidden="true">gone</p><template>gone</template><svg><text>gone</text></svg>
<h2>Empty</h2></main><footer>Foot</footer><script>gone()</script></body></html>`

func TestPages(t *testing.T) {
	dir := folder(t, map[string]string{
		"guide.md": markdownText, "sub/page.html": htmlText, "b.markdown": "plain text\n", "z/.hidden.md": "no", ".git/x.md": "no",
		"notes.txt": "no", "sub/empty.htm": "<p> </p>", "one article.HTML": "<body>out<article><h1>Title</h1>in</article>",
	})
	outside := folder(t, map[string]string{"secret.md": "secret"})
	for link, to := range map[string]string{"link.md": outside + "/secret.md", "linked": outside, "again.md": "guide.md", "broken.md": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skipf("symbolic links cannot be made here: %v", err)
		}
	}
	c, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Skipped() != 6 {
		t.Errorf("%d skipped", c.Skipped())
	}
	docs, err := read(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	front := `"authors":["Ann","Bob"],"draft":false,"path":"guide.md","summary":"folded\n","tags":["a","b c",3],"url":"guide.html`
	want := `{"_id":"b.markdown","title":"b","text":"plain text","metadata":{"path":"b.markdown","url":"b.html"}}
{"_id":"guide.md","title":"The guide","text":"Lead with emphasis, code & an éntity, a link and *stars*.","metadata":{` + front + `","year":2024}}
{"_id":"guide.md#install-it","title":"The guide: Install it","text":"one\ntwo more\na b\n1 2\nmake  all\n\n  indented","metadata":{` + front + `#install-it","year":2024}}
{"_id":"guide.md#on-linux","title":"The guide: Install it: On Linux","text":"Raw HTML","metadata":{` + front + `#on-linux","year":2024}}
{"_id":"guide.md#install-it-1","title":"The guide: Install it","text":"Again.","metadata":{` + front + `#install-it-1","year":2024}}
{"_id":"guide.md#über-uns-größe","title":"The guide: Über uns: Größe?","text":"Text.","metadata":{` + front + `#%C3%BCber-uns-gr%C3%B6%C3%9Fe","year":2024}}
{"_id":"one article.HTML#title","title":"Title","text":"in","metadata":{"path":"one article.HTML","url":"one%20article.HTML"}}
{"_id":"sub/page.html","title":"A page","text":"Lead of the page.","metadata":{"path":"sub/page.html","url":"sub/page.html"}}
{"_id":"sub/page.html#first","title":"A page: First","text":"One.\nTwo lines.","metadata":{"path":"sub/page.html","url":"sub/page.html#first"}}
{"_id":"sub/page.html#own","title":"A page: Own","text":"k v\n3 4","metadata":{"path":"sub/page.html","url":"sub/page.html#own"}}
{"_id":"sub/page.html#no-id","title":"A page: Own: No id","text":"  keep\n   this","metadata":{"path":"sub/page.html","url":"sub/page.html"}}
`
	if got := compact(t, docs); got != want {
		a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range max(len(a), len(b)) {
			if i >= len(a) || i >= len(b) || a[i] != b[i] {
				t.Errorf("line %d:\n%s\n%s", i, strings.Join(a[i:min(i+1, len(a))], ""), strings.Join(b[i:min(i+1, len(b))], ""))
			}
		}
	}
	if done, total := c.Progress(0); done != 0 || total < 1000 {
		t.Errorf("%d of %d", done, total)
	}
}

// Sphinx names the main part and its menus by roles.
func TestRoles(t *testing.T) {
	docs, err := read(folder(t, map[string]string{
		"a.html": `<title>T</title><div role="navigation">menu</div><div role="main"><ul role="navigation"><li>crumbs</ul><p>text</div><div>foot</div>`,
		"b.html": `<title>T</title><div role="main">not this</div><main>text</main>`,
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"_id":"a.html","title":"T","text":"text","metadata":{"path":"a.html","url":"a.html"}}
{"_id":"b.html","title":"T","text":"text","metadata":{"path":"b.html","url":"b.html"}}
`
	if got := compact(t, docs); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The title and the slug of front matter may look like numbers. A blank title is none.
func TestNumbersAsTitles(t *testing.T) {
	docs, err := read(folder(t, map[string]string{
		"a.md": "---\ntitle: 1984\nslug: 2024\n---\n# A review\n\nx", "b.md": "+++\ntitle = 2001\n+++\nx", "c.md": "---\ntitle: ' '\n---\nx",
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"_id":"a.md#a-review","title":"1984: A review","text":"x","metadata":{"path":"a.md","slug":2024,"url":"2024.html#a-review"}}
{"_id":"b.md","title":"2001","text":"x","metadata":{"path":"b.md","url":"b.html"}}
{"_id":"c.md","title":"c","text":"x","metadata":{"path":"c.md","url":"c.html"}}
`
	if got := compact(t, docs); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The sign of a heading's link to itself is no part of its text. A sign that belongs to the text stays.
func TestSignsOfHeadings(t *testing.T) {
	docs, err := read(folder(t, map[string]string{"a.html": `<title>T</title><h2 id=a>Learning C#</h2>x<h2 id=b>F#<a href="#b">#</a></h2>x<h2 id=c><a href="#c">§</a>Panics</h2>x
<h2 id=d>Intro<a href="#d" title="Direct link">&ZeroWidthSpace;</a></h2>x<h2 id=e>Plain <span>#</span></h2>x<h2 id=f>Link <a href="#f">🔗</a></h2>x<h2 id=g><a href="#g">About C#</a> ¶</h2>x`}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, d := range docs {
		titles = append(titles, d.Title)
	}
	if want := []string{"T: Learning C#", "T: F#", "T: Panics", "T: Intro", "T: Plain", "T: Link", "T: About C#"}; !slices.Equal(titles, want) {
		t.Errorf("%q, want %q", titles, want)
	}
}

// Words on different lines of a heading or of code stay apart. Generators make anchors of headings without the line ends.
func TestLinesOfHeadings(t *testing.T) {
	docs, err := read(folder(t, map[string]string{
		"a.html": "<h1>Annual<br>Report</h1><p>x<h2><div>One</div><div>t<b>w</b>o<wbr>s</div></h2><pre>line one<br>line two<br/>\n  end</pre>",
		"b.md":   "# Annual<br>Report\n\nx\n",
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"_id":"a.html#annual-report","title":"Annual Report","text":"x","metadata":{"path":"a.html","url":"a.html"}}
{"_id":"a.html#one-twos","title":"Annual Report: One twos","text":"line one\nline two\n\n  end","metadata":{"path":"a.html","url":"a.html"}}
{"_id":"b.md#annualreport","title":"Annual Report","text":"x","metadata":{"path":"b.md","url":"b.html#annualreport"}}
`
	if got := compact(t, docs); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Imports and exports of MDX are not text. The words are, in a paragraph and in code. What Jekyll and Hugo take for a
// comment is not published.
func TestCodeBetweenTexts(t *testing.T) {
	mdx := "---\ntitle: T\n---\nimport A from 'a';\nimport {\n  B,\n} from \"b\"\n# One\nexport const meta = {\n  x: 'y',\n  z: 1,\n};\n\nYou can\nexport your data and\nimport it again.\n\n" +
		"~~~~js\n\nimport C from 'c';\n~~~\n~~~~\nexport default A;\n\n{/* no\nno */}The end.\n"
	for _, c := range []struct{ file, config, content, want string }{
		{"a.mdx", "x.txt", mdx, "You can export your data and import it again.\nimport C from 'c';\n~~~\nThe end."},
		{"docs/a.md", "docusaurus.config.js", mdx, "You can export your data and import it again.\nimport C from 'c';\n~~~\nThe end."},
		{"a.md", "_config.yml", "---\ntitle: T\n---\na {% comment %}{{ secret }}\n\nsecret{% endcomment %} b {%- comment note -%} secret {%- endcomment -%} c {% if x %}d{% endif %}", "a b c d"},
		{"content/a.md", "hugo.toml", "a {{< comment >}} secret {{< /comment >}} b {{% comment %}}secret{{% /comment %}} c {{< fig >}}d", "a b c d"},
	} {
		docs, err := read(folder(t, map[string]string{c.file: c.content, c.config: ""}), Options{})
		if err != nil || len(docs) != 1 || docs[0].Text != c.want {
			t.Errorf("%s: %v %+v, want %q", c.file, err, docs, c.want)
		}
	}
}

// Expressions of MDX are not text, in attributes or in braces, and code, formulas and the anchors of headings are no expressions.
func TestExpressionsOfMDX(t *testing.T) {
	const page = "---\ntitle: '{T}'\n---\n<img src={require('./x.png').default} alt=\"x\" width=\"20\" />\n\n<Tabs\n  defaultValue=\"a\"\n  values={[\n    {label: 'A', value: () => 'a'},\n\n  ]}>\n  <TabItem value=\"a\" {...props}><motion.b\n  x=\"y\"\n>\nAn apple.</motion.b>\n</TabItem>\n</Tabs>\n\n" +
		"<span style={{color: 'red'}}>Red</span> {props.x}and <>*more*</>, `{code} <a.b>` and ```{code}``` too.\n\n" +
		"## Part {#part}\n\n~~~\n{code}\n~~~\n\nOpen { brace, \\{escaped\\}, $x_{1}$ for {price} $5.\n\n$$\ny_{2}\n$$\n\n# End\n\nA } brace\n"
	for file, config := range map[string]string{"a.mdx": "x.txt", "docs/a.md": "docusaurus.config.js"} {
		docs, err := read(folder(t, map[string]string{config: "", file: page}), Options{})
		var got []string
		for _, d := range docs {
			got = append(got, d.Title+": "+d.Text)
		}
		want := []string{"{T}: An apple.\nRed and more, {code} <a.b> and {code} too.", "{T}: Part: {code}\nOpen { brace, {escaped}, $x_{1}$ for $5.\n$$ y_{2} $$", "{T}: End: A } brace"}
		if config == "x.txt" {
			want[1] = strings.Replace(want[1], "Part", "Part {#part}", 1)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v\n%q\nwant\n%q", file, err, got, want)
		}
	}
	for _, part := range []string{"{", "}", "{}", " a={", " a={}", "<a.b ", "<a.", "`", "`{", "$", "$_", "{#}", "<>"} {
		long := strings.Repeat(part, maxMarks/2-1)
		if got := withoutExpressions([]byte(long + strings.Repeat("}", 1<<20))); len(got) > len(long)+1<<20 {
			t.Errorf("%s: %d bytes", part, len(got))
		}
	}
}

// A tag of MDX that closes itself has no content, whatever element of HTML has its name.
func TestEmptyTags(t *testing.T) {
	for content, want := range map[string]string{
		"a\n\n<iframe width=\"560\" src=\"https://example.org/\" allowFullScreen />\n\nb":                   "a\nb",
		"a <Button to=\"/x\" label='>' /> b <Select\n  options={[{a: '}'}]}\n  on={() => x}\n/> c <Nav/> d": "a b c d",
		"a <svg:path d=\"\"/> <UI.Select icon={<Icon name=\"x\" />} /> b <br/> c <b x=\"1\">d</b> <a":       "a b c d <a",
		"a `<Nav/>` and ``<Nav/> ` <Nav/>``, ` <Nav/>\n\n` \\<Nav/>":                                        "a <Nav/> and <Nav/> ` <Nav/>, `\n` <Nav/>",
		"a\n\n```jsx\n<Nav/>\n~~~\n````\n\n<Nav/>\n  ~~~\n  <Nav/>\n  ~~~":                                  "a\n<Nav/>\n~~~\n<Nav/>",
		"---\nx: \"<Nav/>\"\n---\na <https://example.org/> <Nav":                                            "a https://example.org/ <Nav",
	} {
		for _, site := range []map[string]string{{"a.mdx": content}, {"docusaurus.config.js": "", "docs/a.md": content}} {
			docs, err := read(folder(t, site), Options{})
			if err != nil || len(docs) != 1 || docs[0].Text != want {
				t.Errorf("%q: %v %+v, want %q", content, err, docs, want)
			}
			if x := docs[0].Metadata["x"]; strings.HasPrefix(content, "---") && x != "<Nav/>" {
				t.Errorf("the front matter has %q", x)
			}
		}
	}
	for _, unit := range []string{"<a {", "<a \"", "<a ", "` `` ``` ", "<a `", "<a x={'"} { // no tag and no code
		content := strings.Repeat(unit, 4<<20/len(unit))
		if got := withoutEmptyTags([]byte(content)); string(got) != content {
			t.Errorf("%q changed", unit)
		}
	}
}

// If a link replaces a page after the folder was listed, it does not lead out of the
// folder.
func TestPagesSwappedForLink(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "text"})
	outside := folder(t, map[string]string{"secret.md": "secret"})
	c, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(dir + "/a.md")
	if err := os.Symlink(outside+"/secret.md", dir+"/a.md"); err != nil {
		t.Skipf("symbolic links cannot be made here: %v", err)
	}
	for d, err := range c.Documents() {
		if err == nil {
			t.Errorf("read %q", d.Text)
		}
	}
}

func TestPassages(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "Sentence number %d is about naïve cafés. ", i)
		if i%40 == 39 {
			b.WriteString("\n\n")
		}
	}
	b.WriteString("\n\n## Wörter\n\n" + strings.Repeat("ohneleerzeichenü", 100) + "\n\n## Wörter~2\n\nx\n")
	text := b.String()
	for _, limit := range []int{0, 1, 3, 50, 333, 1600, 1 << 20} {
		docs, err := read(folder(t, map[string]string{"a.md": text}), Options{PassageBytes: limit})
		if err != nil {
			t.Fatal(err)
		}
		if limit == 0 {
			limit = DefaultPassageBytes
		}
		ids := map[string]bool{}
		var all strings.Builder
		for _, d := range docs {
			if ids[d.ID] {
				t.Errorf("id %s twice", d.ID)
			}
			ids[d.ID] = true
			if len(d.Text) > max(limit, 2) || !utf8.ValidString(d.Text) || strings.TrimSpace(d.Text) == "" {
				t.Fatalf("limit %d: %q", limit, d.Text)
			}
			if limit >= 50 && limit < 2000 && strings.HasPrefix(d.Text, "Sentence") && !strings.HasSuffix(d.Text, ".") {
				t.Errorf("limit %d: cut within a sentence: %q", limit, d.Text)
			}
			all.WriteString(d.Text)
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got, want := squeeze(all.String()), squeeze(strings.ReplaceAll(strings.ReplaceAll(text, "## Wörter~2", ""), "## Wörter", "")); got != want {
			t.Errorf("limit %d: text was lost: %d of %d bytes", limit, len(got), len(want))
		}
	}
}

func TestPageEncodings(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"utf8":       {"<title>é</title>x", "é"},
		"bom":        {"\ufeff<title>é</title>x", "é"},
		"declared":   {`<meta charset="iso-8859-2"><title>` + "\xb1" + `</title>x`, "ą"},
		"nothing":    {"<title>caf\xe9</title>x", "café"},
		"http-equiv": {`<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><title>` + "\xc0" + `</title>x`, "А"},
	} {
		docs, err := read(folder(t, map[string]string{"a.html": c.content}), Options{})
		if err != nil || len(docs) != 1 || docs[0].Title != c.want {
			t.Errorf("%s: %v %v", name, docs, err)
		}
	}
	refused(t, folder(t, map[string]string{"a.md": "one\ntwo \xe9\n"})+"/", Options{}, 2, "a.md:2:5", "not UTF-8")
	be := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	refused(t, folder(t, map[string]string{"a.md": mustEncode(t, be, "# A\n\none\n")})+"/", Options{FieldFlags: true}, 1, "a.md:1:1", "UTF-16", "--charset")
	refused(t, folder(t, map[string]string{"a.md": "# A\n\none\x00\n"})+"/", Options{Charset: "windows-1252"}, 3, "a.md:3:4", "zero byte")
	refused(t, folder(t, map[string]string{"a.html": mustEncode(t, be, "<title>é</title>x")})+"/", Options{}, 1, "a.html:1:1", "UTF-16")
	for name, c := range map[string]struct{ content, charset string }{
		"utf-16be":        {mustEncode(t, be, "# Nächte\n\nüber\n"), "utf-16be"},
		"html":            {mustEncode(t, be, "<title>Nächte</title><p>über"), "utf-16be"},
		"iso-2022-jp":     {mustEncode(t, japanese.ISO2022JP, "# 夜行列車\n\n本文\n"), "iso-2022-jp"},
		"windows-1252":    {mustEncode(t, charmap.Windows1252, "# Nächte\n\nüber\n"), "windows-1252"},
		"UTF-8 all along": {"# Nächte\n\nüber\n", "windows-1252"},
	} {
		file, title := "a.md", "Nächte"
		if name == "html" {
			file = "a.html"
		}
		if name == "iso-2022-jp" {
			title = "夜行列車"
		}
		docs, err := read(folder(t, map[string]string{file: c.content}), Options{Charset: c.charset})
		if err != nil || len(docs) != 1 || docs[0].Title != title {
			t.Errorf("%s: %+v %v", name, docs, err)
		}
	}
	docs, err := read(folder(t, map[string]string{"a.md": "---\rtitle: Mac\r---\rone\r\r## Two\r\rthree\r"}), Options{}) // old lines
	if err != nil || len(docs) != 2 || docs[1].Title != "Mac: Two" || docs[1].Text != "three" {
		t.Errorf("%+v %v", docs, err)
	}
	docs, err = read(folder(t, map[string]string{"a.html": "<title>é</title>x\x00y"}), Options{}) // as browsers read it
	if err != nil || len(docs) != 1 || docs[0].Title != "é" {
		t.Errorf("%+v %v", docs, err)
	}
	refused(t, folder(t, map[string]string{"a.html": strings.Repeat("<div>", 600)})+"/", Options{}, 0, "a.html", "512")
	refused(t, folder(t, map[string]string{"a.html": strings.Repeat("x", MaxRecordBytes+1)})+"/", Options{}, 0, "longer than 16 MB")
}

// A page without text is found by its description and headings, or by its title. One that has none of these is counted.
func TestPagesWithoutText(t *testing.T) {
	dir := folder(t, map[string]string{
		"headings.md": "# Events\n\n## Concert in June\n\n## Lecture on otters\n", "picture.md": "---\ntitle: Gallery\ndescription: Pictures of Norway\n---\n![x](a.jpg)",
		"title.md": "---\ntitle: Only\n---\n", "title.html": "<title>App</title><div id=app></div>", "twice.html": "<title>App</title><h1>App</h1>",
		"empty.md": "\n", "empty.html": "<p> </p><title> </title><h1></h1>", "text.md": "# A\n\n## B\n\nText\n\n## C\n",
		"search.html": "<title>Search</title><h1>Search</h1><main data-vantage-ignore></main>",
	})
	docs, err := read(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"_id":"headings.md","title":"Events","text":"Concert in June\nLecture on otters","metadata":{"path":"headings.md","url":"headings.html"}}
{"_id":"picture.md","title":"Gallery","text":"Pictures of Norway","metadata":{"description":"Pictures of Norway","image":"a.jpg","path":"picture.md","url":"picture.html"}}
{"_id":"text.md#b","title":"A: B","text":"Text","metadata":{"path":"text.md","url":"text.html#b"}}
{"_id":"title.html","title":"App","text":"App","metadata":{"path":"title.html","url":"title.html"}}
{"_id":"title.md","title":"Only","text":"Only","metadata":{"path":"title.md","url":"title.html"}}
{"_id":"twice.html","title":"App","text":"App","metadata":{"path":"twice.html","url":"twice.html"}}
`
	if got := compact(t, docs); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if _, leftOut := addresses(t, dir, Options{}); !maps.Equal(leftOut, map[string]int{reasonEmpty: 2, reasonIgnored: 1}) {
		t.Errorf("left out %v", leftOut)
	}
	docs, err = read(write(t, "f.xml", "<rss><channel><item><link>https://example.org/a</link><title>News</title></item><item><link>https://example.org/b</link></item></channel></rss>"), Options{})
	if err != nil || len(docs) != 1 || docs[0].Title != "News" || docs[0].Text != "News" {
		t.Errorf("of a feed: %v %+v", err, docs)
	}
}

func TestFrontMatter(t *testing.T) {
	for text, want := range map[string]string{
		"no front matter":                           "",
		"---\nnot closed: x\n":                      "",
		"---\n---\nx":                               "{}",
		"---\r\na: 1\r\n...\r\nx":                   `{"a":1}`,
		"+++\na = \"x\"\nb = 2\n[t]\nc = 3\n+++\nx": `{"a":"x","b":2}`,
		"---\n# comment\na: null\nb: 'it''s' # c\nc: a # b\nd: a#b\n\"e\": \"\\u00e9\"\nf: http://x/y\n---\n":                                                                                                         `{"b":"it's","c":"a","d":"a#b","e":"é","f":"http://x/y"}`,
		"---\na: {x: 1}\nb: [1, [2]]\nd: |\n  text\ne: &x 1\nf:\n- x: 1\n- y\ng:\n- \"k: v\"\nh: -1\ni: 007\nj: []\n---\n":                                                                                            `{"d":"text\n","e":1,"g":["k: v"],"h":-1,"i":"007","j":[]}`,
		"---\nsee: &s [a, b]\nalso: *s\nmore: [*s]\nname: &n Ann\nby: [*n, *n]\n<<: {x: 1}\n1: one\nat: 2024-05-06\nbig: 1e999\n---\n":                                                                                `{"1":"one","also":["a","b"],"at":"2024-05-06","big":"1e999","by":["Ann","Ann"],"name":"Ann","see":["a","b"]}`,
		"---\n? [a]\n: b\n\"\": 5\nt: True\nn: ~\nl:\n- a\n- ~\n---\n":                                                                                                                                                `{"t":true}`,
		"+++\na = 1_000\nb = 1.5\nc = [\n  \"x\", # one\n  'y',\n]\nd = 2024-05-06\ne = 2024-05-06T07:08:09Z\nf = inf\ng = [[1]]\nh = true\ni = {x = 1}\nj = \"\"\"\ntwo\nlines\"\"\"\n\"\" = 5\n[[t]]\nc = 3\n+++\n": `{"a":1000,"b":1.5,"c":["x","y"],"d":"2024-05-06","e":"2024-05-06T07:08:09Z","h":true,"j":"two\nlines"}`,
		"---\nProse between two rules.\n---\nx": "",
	} {
		metadata, body, problem := frontMatter([]byte(text))
		got := ""
		if metadata != nil {
			got = asJSON(t, metadata)
		}
		if got != want || problem != nil {
			t.Errorf("%q: %s, want %s; %v", text, got, want, problem)
		}
		if want == "" && string(body) != text {
			t.Errorf("%q: what is not front matter is the page: %q", text, body)
		}
	}
	_, rest, _ := frontMatter([]byte("---\na: 1\n---\nbody\n"))
	if string(rest) != "body\n" {
		t.Errorf("%q", rest)
	}
}

// Unreadable front matter is refused with its file and line. Front matter that would
// grow without limit is refused quickly.
func TestFrontMatterIsRefused(t *testing.T) {
	var laughs strings.Builder // a billion strings if the aliases were expanded
	laughs.WriteString("---\na0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	laughs.WriteString("---\ntext\n")
	long := "long: &l [" + strings.Repeat("x, ", 1000) + "x]\n"
	for i := range 1000 {
		long += fmt.Sprintf("b%d: *l\n", i)
	}
	for name, c := range map[string]struct {
		page string
		line int64
		want []string
	}{
		"aliases":       {"---\n" + long + "---\n", 0, []string{"aliases", "64 KB"}},
		"laughs":        {laughs.String(), 0, []string{"aliases", "64 KB"}},
		"within itself": {"---\na: &a [b, *a]\n---\n", 0, []string{"aliases"}},
		"long":          {"---\na: " + strings.Repeat("x", 64<<10) + "\n---\n", 0, []string{"longer than 64 KB"}},
		"deep":          {"---\na: " + strings.Repeat("[", 60_000) + "\n---\n", 2, []string{"not YAML", "depth"}},
		"deep TOML":     {"+++\na = " + strings.Repeat("[", 60_000) + "\n+++\n", 2, []string{"not TOML"}},
		"itself":        {"---\na: &a *a\n---\n", 2, []string{"not YAML"}},
		"unknown alias": {"---\na: *nobody\n---\n", 2, []string{"not YAML", "nobody"}},
		"open list":     {"---\na: 1\nc: [x\nd: 2\n---\n", 4, []string{"not YAML", "empty line"}},
		"no pairs":      {"---\n: x\n- y\n a: z\n{: 3\n''\n\"\": 5\n---\n", 4, []string{"not YAML"}},
		"twice":         {"---\na: 1\nb: 2\na: 3\n---\n", 4, []string{`"a" twice`}},
		"twice TOML":    {"+++\na = 1\nb = 2\na = 3\n+++\n", 4, []string{"not TOML"}},
		"bad TOML":      {"+++\na = 1\nb = x\n+++\n", 3, []string{"not TOML"}},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, folder(t, map[string]string{"a.md": c.page})+"/", Options{}, c.line, append(c.want, "a.md")...)
		})
	}
}

// A page may repeat one heading many times: each has an anchor of its own.
func TestManyHeadings(t *testing.T) {
	docs, err := read(folder(t, map[string]string{"a.md": strings.Repeat("# A\n\nx\n\n", 50_000)}), Options{})
	if err != nil || len(docs) != 50_000 || docs[49_999].ID != "a.md#a-49999" {
		t.Errorf("%d documents, %v", len(docs), err)
	}
}

// Titles, headings and anchors are repeated with each passage, so long titles and headings are shortened, and a page
// with a long anchor is refused.
func TestLongTitles(t *testing.T) {
	long := strings.Repeat("A long title. ", 15_000)
	sections := strings.Repeat("<h2>x</h2>y", 2000)
	blocks := strings.Repeat("<p>"+strings.Repeat("words ", 300), 2000)
	feed := func(title, text string) string {
		return "<rss><channel><item><link>https://example.org/</link><title>" + title + "</title><description><![CDATA[" + text + "]]></description></item></channel></rss>"
	}
	for name, c := range map[string]struct {
		path    string
		least   int
		refused string
	}{
		"title":        {folder(t, map[string]string{"a.html": "<title>" + long + "</title>" + sections}), 2000, ""},
		"heading":      {folder(t, map[string]string{"a.html": "<h1 id=x>" + long + "</h1>z" + sections}), 2001, ""},
		"one word":     {folder(t, map[string]string{"a.html": "<title>" + strings.Repeat("ü", 200_000) + "</title>" + sections}), 2000, ""},
		"front matter": {folder(t, map[string]string{"a.md": "---\ntitle: " + long[:60_000] + "\n---\n" + strings.Repeat("## x\n\ny\n\n", 2000)}), 2000, ""},
		"feed":         {write(t, "f.xml", feed(long, sections)), 2000, ""},
		"anchor":       {folder(t, map[string]string{"a.html": "<h1 id=" + strings.Repeat("x", 200_000) + ">z</h1>" + blocks}) + "/", 0, "too long for an id"},
		"anchor, feed": {write(t, "f.xml", feed("t", "<h1 id="+strings.Repeat("x", 200_000)+">z</h1>"+blocks)), 0, "too long for an id"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		corpus, err := Open(c.path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for d, problem := range corpus.Documents() {
			if err = problem; err != nil {
				break
			}
			n++
			if len(d.Title) > 2*maxTitleBytes+len(": ")+len(": x") || !utf8.ValidString(d.Title) {
				t.Fatalf("%s: a title of %d bytes", name, len(d.Title))
			}
		}
		runtime.ReadMemStats(&after)
		if more := after.TotalAlloc - before.TotalAlloc; more > 100<<20 {
			t.Errorf("%s: %d MB were allocated", name, more>>20)
		}
		if n < c.least || (c.refused != "") != (err != nil) || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %d documents, %v", name, n, err)
		}
	}
	if got := short(long); len(got) > maxTitleBytes || !strings.HasSuffix(got, "title.…") {
		t.Errorf("%q", got)
	}
}

func FuzzPages(f *testing.F) {
	f.Add([]byte(markdownText), true)
	f.Add([]byte(htmlText), false)
	f.Add([]byte("---\nx: 1\n---\na <B c={`}`} d='>' />`<E/>`\n```\n<F/>\n```\n\\<G\n/>"), true)
	f.Add([]byte("<title>"+strings.Repeat("title ", 1000)+"</title><h1>"+strings.Repeat("heading ", 1000)+"</h1>x<h2>y</h2>z"), false)
	f.Add([]byte("# A\n{: #a}\n*b*{:c}\n: d[^e]\n\n[^e]: f\n\n- ```\n  {% highlight x %}{% raw %}{{ y }}{% endraw %}\n{% endhighlight %}\n{{</* z */>}}<A b={c}\n>{#d}</A>`"), true)
	for _, pages := range hostileMarkdown() {
		for _, c := range pages {
			f.Add([]byte(c.page[:min(len(c.page), 1000)]), true) // a small one, from which larger ones are found
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, md bool) {
		if !utf8.Valid(b) {
			return
		}
		var p *page
		var problem *InputError
		if md {
			withoutExpressions(withoutEmptyTags(liquid.apply(b, false)))
			markdownPage(shortcodes.apply(b, false), &generator{kramdown: true, definitions: true})
			p, problem = markdownPage(b, nil)
		} else {
			p, problem = htmlPage(b)
		}
		if problem != nil {
			return
		}
		p.standIn()
		ids := map[string]bool{}
		for d := range p.passages("p.md", "p.html", 40) {
			if ids[d.ID] || len(d.Text) > 40 || strings.TrimSpace(d.Text) == "" || !utf8.ValidString(d.Text) {
				t.Fatalf("%+v", d)
			}
			ids[d.ID] = true
			asJSON(t, d.Metadata)
		}
	})
}
