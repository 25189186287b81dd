package command

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
)

// report is the output of `vantage index --json`.
type report struct {
	Collection, Site                           string
	Documents, Encoded, Reused, Removed, Empty int
	MostlyUnknown                              int `json:"mostly_unknown"`
	Files                                      int
	FilesWritten                               int `json:"files_written"`
	FilesRemoved                               int `json:"files_removed"`
	Bytes                                      int64
	Model                                      manifest.Model
	Resumed, Truncated                         int
	LeftOut                                    map[string]string `json:"left_out"`
	Notes                                      []string
	JudgedQueries                              int `json:"judged_queries"`
}

func indexJSON(t *testing.T, dir string, args ...string) report {
	t.Helper()
	return decode[report](t, must(t, dir, append(append([]string{"index"}, args...), "--json")...).stdout)
}

func TestIndexReport(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	r := indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "c", "--name", "Small")
	if r.Collection != "c" || r.Documents != 6 || r.Encoded != 6 || r.Reused != 0 || r.Model.ID == "" || r.Model.Language != "en" || r.Model.Kind != "static" {
		t.Errorf("%+v", r)
	}
	files := list(t, filepath.Join(dir, "c"))
	total := 0
	for _, content := range files {
		total += len(content)
	}
	if len(files) != r.Files || r.FilesWritten != r.Files || int64(total) != r.Bytes {
		t.Errorf("%d files of %d bytes, the report says %d written of %d, %d bytes", len(files), total, r.FilesWritten, r.Files, r.Bytes)
	}
	human := must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "c2")
	for _, part := range []string{"6 documents: 6 encoded, 0 unchanged, 0 removed", "vantage search c2"} {
		if !strings.Contains(human.stdout, part) {
			t.Errorf("stdout %q lacks %q", human.stdout, part)
		}
	}
	if !strings.Contains(human.stderr, "encode: 6 documents") {
		t.Errorf("no line at the end of a stage: %q", human.stderr)
	}
}

func TestIndexAgainReusesRows(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	before := list(t, filepath.Join(dir, "c"))
	if r := indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "c"); r.Reused != 6 || r.Encoded != 0 || r.Removed != 0 {
		t.Errorf("the same corpus: %+v", r)
	}
	if !maps.Equal(before, list(t, filepath.Join(dir, "c"))) {
		t.Error("the same corpus gives other files")
	}
	changed := strings.Replace(strings.Replace(smallCorpus, "fetch sticks", "chase balls", 1), `"bread"`, `"loaf"`, 1)
	write(t, dir, "corpus.jsonl", changed)
	if r := indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "c"); r.Reused != 5 || r.Encoded != 1 || r.Removed != 1 {
		t.Errorf("a document changed, another renamed: %+v", r)
	}
	fresh := indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "fresh")
	if fresh.Reused != 0 || !maps.Equal(list(t, filepath.Join(dir, "c")), list(t, filepath.Join(dir, "fresh"))) {
		t.Error("an updated collection differs from a new one")
	}
	if r := must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "c", "--quantize", "f32"); !strings.Contains(r.stderr, "encoded again") {
		t.Errorf("nothing says why everything is encoded again: %q", r.stderr)
	}
}

func TestIndexFormats(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "corpus.csv", "nr,heading,abstract,year\n1,One,The first text,2001\n2,Two,\"A second, longer text\",2002\n")
	write(t, dir, "pages/one.md", "# Rivers\n\nRivers flow to the sea.\n")
	write(t, dir, "pages/sub/two.html", "<html><head><title>Hills</title></head><body><p>Hills are small mountains.</p></body></html>")
	write(t, dir, "pages/.hidden.md", "# Hidden\n\nNobody reads this.\n")
	if r := indexJSON(t, dir, "--encoder", "light", "corpus.csv", "-o", "csv", "--id-field", "nr", "--title-field", "heading", "--text-field", "abstract"); r.Documents != 2 {
		t.Errorf("CSV: %+v", r)
	}
	hits := searchJSON(t, dir, "csv", "--query", "second text", "--filter", "year>=2002").Hits
	if len(hits) != 1 || hits[0].ID != "2" || hits[0].Title != "Two" {
		t.Errorf("CSV: %+v", hits)
	}
	r := must(t, dir, "index", "--encoder", "light", "pages", "-o", "html")
	if !strings.HasPrefix(r.stdout, "2 documents") || !strings.Contains(r.stderr, "passed over") {
		t.Errorf("pages: %q %q", r.stdout, r.stderr)
	}
	if r := indexJSON(t, dir, "--encoder", "light", "pages", "-o", "pages/.site/collection"); r.Documents != 2 {
		t.Errorf("output in a hidden folder of the corpus: %+v", r)
	}
}

func TestIndexWarnings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var many strings.Builder
	for i := range 70000 {
		fmt.Fprintf(&many, `{"_id": "%d", "text": "", "metadata": {"serial": "s%d"}}`+"\n", i, i)
	}
	write(t, dir, "many.jsonl", many.String())
	r := must(t, dir, "index", "--encoder", "light", "many.jsonl", "-o", "many")
	for _, part := range []string{"vantage: warning: 70000 documents with neither title nor text", `vantage: warning: field "serial" cannot be filtered by`} {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("%q lacks %q", r.stderr, part)
		}
	}
	write(t, dir, "german.jsonl", `{"_id": "1", "text": "Die Katze schläft den ganzen Tag und jagt in der Nacht nach Mäusen."}
{"_id": "2", "text": "Der Hund bewacht das Haus und holt Stöckchen aus dem Fluss zurück."}
`)
	r = must(t, dir, "index", "--encoder", "light", "german.jsonl", "-o", "german")
	if !strings.Contains(r.stderr, "English only") || !strings.Contains(r.stderr, "vantage fit german.jsonl") {
		t.Errorf("a German corpus: %q", r.stderr)
	}
	if r := must(t, dir, "index", "--encoder", "light", debates(t), "-o", "debates"); strings.Contains(r.stderr, "warning") {
		t.Errorf("an English corpus: %q", r.stderr)
	}
}

func TestIndexBadInput(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	write(t, dir, "broken.jsonl", smallCorpus+"{\"_id\": \"x\", \n")
	write(t, dir, "twice.jsonl", smallCorpus+smallCorpus)
	write(t, dir, "empty.jsonl", "")
	write(t, dir, "corpus.xml", "<corpus/>")
	write(t, dir, "corpus.docx", "PK")
	write(t, dir, "cut.jsonl.gz", "\x1f\x8b\x08\x00")
	write(t, dir, "latin.jsonl", "{\"_id\": \"1\", \"text\": \"caf\xe9\"}\n")
	write(t, dir, "escape.jsonl", "{\"_id\": \"a\x1b[31m\u202e\", \"text\": 7}\n")
	write(t, dir, "file", "")
	write(t, dir, "nomodel/config.json", "{}")
	write(t, dir, "badmodel/config.json", "{}")
	write(t, dir, "badmodel/tokenizer.json", "{}")
	write(t, dir, "badmodel/model.safetensors", "junk")
	for _, c := range []struct {
		args []string
		part string
	}{
		{[]string{"missing.jsonl"}, "missing.jsonl"},
		{[]string{"broken.jsonl"}, "broken.jsonl:7"},
		{[]string{"twice.jsonl"}, "twice.jsonl:7"},
		{[]string{"empty.jsonl"}, "no documents"},
		{[]string{"corpus.xml"}, "neither a sitemap nor a feed"},
		{[]string{"corpus.docx"}, "JSON lines"},
		{[]string{"cut.jsonl.gz"}, "gzip"},
		{[]string{"latin.jsonl"}, "UTF-8"},
		{[]string{"escape.jsonl"}, "escape.jsonl:1"},
		{[]string{"corpus.jsonl", "--model", "nowhere"}, "nowhere"},
		{[]string{"corpus.jsonl", "--model", "file"}, "file where a folder"},
		{[]string{"corpus.jsonl", "--model", "nomodel"}, "tokenizer.json"},
		{[]string{"corpus.jsonl", "--model", "badmodel"}, "badmodel"},
		{[]string{"corpus.jsonl", "--id-field", "nr"}, "nr"},
	} {
		fails(t, input, dir, append([]string{"index", "-o", "c"}, c.args...), c.part)
		if files := list(t, dir); slices.ContainsFunc(names(files), func(name string) bool { return strings.HasPrefix(name, "c/") }) {
			t.Fatalf("%v: something was written", c.args)
		}
	}
	write(t, dir, "jekyll/_config.yml", "")
	write(t, dir, "jekyll/a.md", "# A\n\nText.\n")
	r := try(t, dir, "index", "--encoder", "light", "jekyll", "-o", "c")
	for _, part := range []string{"no documents", "jekyll: read as a site of Jekyll", "1 page left out: without front matter"} {
		if r.code != input || !strings.Contains(r.stderr, part) {
			t.Errorf("exit code %d, %q lacks %q", r.code, r.stderr, part)
		}
	}
	fails(t, failed, dir, []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "file"}, "file")
	write(t, dir, "app/manifest.json", `{"name": "A web app"}`)
	fails(t, failed, dir, []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "app"}, "not that of a collection")
	if read(t, filepath.Join(dir, "app/manifest.json")) != `{"name": "A web app"}` {
		t.Error("another app's manifest was changed")
	}
}

func TestSite(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	r := indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "site", "--site")
	if r.Site != "site" || r.Collection != filepath.Join("site", "collection") {
		t.Errorf("%+v", r)
	}
	files := list(t, filepath.Join(dir, "site"))
	for _, name := range []string{"index.html", "lib/index.js", "lib/worker.js", "lib/core.wasm.gz", "lib/kernel.wasm", "lib/kernel-relaxed.wasm", "collection/manifest.json"} {
		if files[name] == "" {
			t.Errorf("the site lacks %s", name)
		}
	}
	for name := range files {
		if strings.HasPrefix(name, ".") {
			t.Errorf("%s was left behind", name)
		}
	}
	if hits := searchJSON(t, dir, "site", "--query", "sleeping cats").Hits; len(hits) == 0 || hits[0].ID != "cats" {
		t.Errorf("search in a site: %+v", hits)
	}
	// An update replaces the page and does not touch other files.
	write(t, dir, "site/CNAME", "example.org")
	write(t, dir, "site/lib/index.js", "old")
	write(t, dir, "site/.vantage-staging/index.html", "left by a run that was killed")
	if r := indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "site", "--site"); r.Reused != 6 {
		t.Errorf("%+v", r)
	}
	files["CNAME"] = "example.org"
	if got := list(t, filepath.Join(dir, "site")); !maps.Equal(got, files) {
		t.Errorf("files after an update: %v", names(got))
	}
	// A corpus that cannot be read changes nothing of the site.
	write(t, dir, "broken.jsonl", "{")
	fails(t, input, dir, []string{"index", "--encoder", "light", "broken.jsonl", "-o", "site", "--site"}, "broken.jsonl:1")
	if got := list(t, filepath.Join(dir, "site")); !maps.Equal(got, files) {
		t.Errorf("files after a failure: %v", names(got))
	}
	for _, flags := range [][]string{{"-o", "new", "--site"}, {"-o", "a/b/new", "--site"}, {"-o", "new"}, {"-o", "a/b/new"}} {
		fails(t, input, dir, append([]string{"index", "--encoder", "light", "broken.jsonl"}, flags...), "broken.jsonl:1")
		for _, name := range []string{"new", "a"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				t.Fatalf("index %v failed and left %s", flags, name)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	fails(t, input, dir, []string{"index", "--encoder", "light", "broken.jsonl", "-o", "empty"}, "broken.jsonl:1")
	if _, err := os.Lstat(filepath.Join(dir, "empty")); err != nil {
		t.Errorf("a folder that was there before is gone: %v", err)
	}
}

// A page that was changed by hand stays until --force is given, and a run that it stops
// changes nothing. The search page has the owner's name and examples, and no credit.
func TestSiteIsTheOwners(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	index := []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "site", "--site", "--name", "Cats & ships"}
	write(t, dir, "examples.txt", "sleeping cats\n")
	must(t, dir, append(index, "--examples", "examples.txt", "--no-credit")...)
	home := list(t, filepath.Join(dir, "site"))["index.html"]
	if lab := list(t, filepath.Join(dir, "site"))["lab.html"]; !strings.Contains(lab, `"examples":["sleeping cats"]`) {
		t.Errorf("the lab does not begin with the owner's example:\n%.2000s", lab)
	}
	for _, want := range []string{"<title>Cats &amp; ships</title>", `?q=sleeping%20cats">`} {
		if !strings.Contains(home, want) {
			t.Errorf("the page lacks %s:\n%s", want, home)
		}
	}
	if strings.Contains(home, "Vantage</a>") {
		t.Errorf("the page says who made it:\n%s", home)
	}
	write(t, dir, "site/theme.css", ":root { --accent: red; }")
	write(t, dir, "site/lab.html", "mine")
	before := list(t, filepath.Join(dir, "site"))
	fails(t, failed, dir, index, `changed by hand and would be overwritten: ["lab.html"]`, "--force")
	if after := list(t, filepath.Join(dir, "site")); !maps.Equal(after, before) {
		t.Errorf("a refused run changed %v", names(after))
	}
	must(t, dir, append(index, "--force")...)
	after := list(t, filepath.Join(dir, "site"))
	if after["lab.html"] == "mine" || after["theme.css"] != before["theme.css"] {
		t.Errorf("by force: %.100s, %s", after["lab.html"], after["theme.css"])
	}
	for flag, value := range map[string]string{"--examples": "examples.txt", "--template": "page.html", "--server": "./", "--no-credit": "", "--force": ""} {
		args := []string{"index", "corpus.jsonl", "-o", "c", flag}
		if value != "" {
			args = append(args, value)
		}
		fails(t, usage, dir, args, flag+" is for the pages of a site: give --site, too")
	}
	write(t, dir, "page.html", "<!doctype html>\n<h1>{{.Nme}}</h1>\n")
	fails(t, input, dir, append(index, "--template", "page.html"), "page.html:2:", "Nme")
	if again := list(t, filepath.Join(dir, "site")); !maps.Equal(again, after) {
		t.Errorf("a broken template changed %v", names(again))
	}
}

// A folder with other content is refused.
func TestSiteRefusesOtherFolders(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	write(t, dir, "home/index.html", "my home page")
	fails(t, failed, dir, []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "home", "--site"}, "index.html", "choose another folder")
	if files := list(t, filepath.Join(dir, "home")); len(files) != 1 || files["index.html"] != "my home page" {
		t.Errorf("%v", names(files))
	}
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "c", "--site"}, "collection itself")
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "site", "--site")
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "site"}, "is a site")
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "site/collection")
	// An update must not follow a link out of the site.
	outside := t.TempDir()
	if err := os.RemoveAll(filepath.Join(dir, "site", "lib")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "site", "lib")); err != nil {
		t.Fatal(err)
	}
	fails(t, failed, dir, []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "site", "--site"}, "lib")
	if files := list(t, outside); len(files) > 0 {
		t.Errorf("written outside: %v", names(files))
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	type fitted struct {
		Directory, ID, Revision string
		Documents               int
		VocabSize               int `json:"vocab_size"`
		Dim, Bytes              int
		Notes                   []string
	}
	r := must(t, dir, "fit", debates(t), "-o", "model", "--dim", "48", "--vocab-size", "1500", "--json")
	f := decode[fitted](t, r.stdout)
	if f.Directory != "model" || f.Documents < 100 || f.VocabSize > 1500 || f.Dim != 48 || f.Revision == "" || f.Notes == nil {
		t.Errorf("%+v", f)
	}
	i := indexJSON(t, dir, debates(t), "-o", "c", "--model", "model")
	if i.Model.ID != f.ID || i.Model.Revision != f.Revision {
		t.Errorf("fitted %+v, indexed with %+v", f, i.Model)
	}
	if s := searchJSON(t, dir, "c", "--query", "night trains deserve public subsidy"); s.Encoder.ID != f.ID || !strings.HasPrefix(s.Hits[0].ID, "night-trains") {
		t.Errorf("%+v", s)
	}
	// The documents are English, so that the collection also has a network that reads queries; these are not.
	write(t, dir, "german.jsonl", `{"_id": "1", "text": "Nachtzüge sind langsamer als Flugzeuge, aber man ist am Morgen da."}
{"_id": "2", "text": "Die Schule soll später beginnen, weil die Kinder dann ausgeschlafen sind."}`)
	must(t, dir, "fit", "german.jsonl", "-o", "german")
	indexJSON(t, dir, "german.jsonl", "-o", "g", "--model", "german")
	if english, german := must(t, dir, "inspect", "c").stdout, must(t, dir, "inspect", "g").stdout; !strings.Contains(english, "reader: 8") || strings.Contains(german, "reader") {
		t.Errorf("%s\n%s", english, german)
	}
	// A model other than the collection's is refused.
	fails(t, input, dir, []string{"search", "c", "--query", "night trains", "--model", "static"}, "does not match")
	searchJSON(t, dir, "c", "--query", "night trains", "--model", "model")
	write(t, dir, "one.jsonl", `{"_id": "1", "text": "alone"}`)
	fails(t, input, dir, []string{"fit", "one.jsonl", "-o", "m"}, "at least 2 documents")
	fails(t, input, dir, []string{"fit", "none.jsonl", "-o", "m"}, "none.jsonl")
	write(t, dir, "full/notes.txt", "mine")
	fails(t, failed, dir, []string{"fit", debates(t), "-o", "full", "--dim", "8", "--vocab-size", "500"}, "notes.txt")
}

// A folder's pages get the addresses that they are published at, and drafts are left out with a count.
func TestIndexAddresses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "pages/one.md", "# Rivers\n\nRivers flow to the sea.\n")
	write(t, dir, "pages/two.md", "---\ndate: 2024-05-06\nslug: hills\n---\nHills are small mountains.\n")
	write(t, dir, "pages/draft.md", "---\ndraft: true\n---\nNobody reads this.\n")
	r := must(t, dir, "index", "--encoder", "light", "pages", "-o", "c", "--base-url", "https://example.org/x", "--link", "/{slug}/")
	if !strings.Contains(r.stderr, "1 page left out: draft") {
		t.Errorf("%q", r.stderr)
	}
	for address, id := range map[string]string{"https://example.org/x/one/#rivers": "one.md#rivers", "https://example.org/x/hills/": "two.md"} {
		if hits := searchJSON(t, dir, "c", "--query", "land", "--filter", "url="+address).Hits; len(hits) != 1 || hits[0].ID != id {
			t.Errorf("%s: %+v", address, hits)
		}
	}
	fails(t, usage, dir, []string{"index", "pages", "-o", "d", "--base-url", "javascript:x"}, "--base-url", "https://example.org/docs/")
	fails(t, usage, dir, []string{"index", "pages", "-o", "d", "--link", "/{x"}, "--link", "/posts/{slug}/")
}

// What is left out within pages is counted, with an example that shows an owner whether it should be found.
func TestIndexPartsLeftOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"rivers", "hills", "lakes", "woods", "towns"} {
		write(t, dir, "pages/"+name+".html", "<p>All about "+name+".<p>Prices on request.\x1b[31m<p><a href=rivers.html>Rivers</a>")
	}
	r := must(t, dir, "index", "--encoder", "light", "pages", "-o", "c")
	const line = `vantage: left out within 5 pages: 5 lines that most pages have, such as "Prices on request.\u001b[31m", 5 lines with nothing but links to other pages or headings` + "\n"
	if !strings.Contains(r.stderr, line) {
		t.Errorf("%q lacks %q", r.stderr, line)
	}
	r = must(t, dir, "index", "--encoder", "light", "pages", "-o", "c", "--json")
	if !strings.Contains(strings.Join(strings.Fields(r.stdout), ""), `"parts_left_out":{"pages":5,"repeated_lines":5,"longest":"Pricesonrequest.\u001b[31m","link_lines":5,"teasers":0}`) {
		t.Errorf("%s", r.stdout)
	}
	write(t, dir, "one/a.html", "<p>Alone.")
	if r := must(t, dir, "index", "--encoder", "light", "one", "-o", "d", "--json"); strings.Contains(r.stdout, "parts_left_out") || strings.Contains(r.stderr, "left out") {
		t.Errorf("of nothing: %s %s", r.stdout, r.stderr)
	}
}

// A table as spreadsheets export it needs a flag for its encoding, and one for its addresses if they are wanted: the
// command finds the delimiter, the texts and the titles, and says what it took.
func TestIndexTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "c.csv", "Headline;Body;Link\r\nCaf\xe9;\"Coffee is a drink; a hot one\";https://example.org/1\r\nTea;Tea is a drink;\r\n")
	fails(t, input, dir, []string{"index", "c.csv", "-o", "c"}, "c.csv:2:1", "not UTF-8", "--charset")
	r := must(t, dir, "index", "--encoder", "light", "c.csv", "-o", "c", "--charset", "windows-1252", "--columns", "url=Link")
	for _, part := range []string{`texts are column "Body"`, `titles column "Headline"`, "numbered"} {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("%q lacks %q", r.stderr, part)
		}
	}
	if hits := searchJSON(t, dir, "c", "--query", "coffee", "--filter", "url=https://example.org/1").Hits; len(hits) != 1 || hits[0].Title != "Café" || hits[0].ID != "1" {
		t.Errorf("%+v", hits)
	}
	fails(t, usage, dir, []string{"index", "c.csv", "-o", "d", "--delimiter", "ab"}, "--delimiter", "semicolon")
	fails(t, usage, dir, []string{"index", "c.csv", "-o", "d", "--charset", "klingon"}, "--charset", "windows-1252")
}
