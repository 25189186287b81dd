package corpus

import (
	"bytes"
	"encoding/csv"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestCSV(t *testing.T) {
	text := "\ufeffID,Title,TEXT,year,open,zip,mixed,empty,note\r\n" +
		"a,\"T, with comma\",\"two\nlines \"\"quoted\"\"\",1999,true,01234,1,,x\r\n" +
		"\r\n" +
		" 7 ,, tail ,-2.5e3,FALSE,99999,yes,,\r\n" +
		"c,t,u,,,,,,  \n"
	want := `{"_id":"a","title":"T, with comma","text":"two\nlines \"quoted\"","metadata":{"mixed":"1","note":"x","open":true,"year":1999,"zip":"01234"}}
{"_id":"7","text":" tail ","metadata":{"mixed":"yes","open":false,"year":-2.5e3,"zip":"99999"}}
{"_id":"c","title":"t","text":"u"}
`
	for name, content := range map[string]string{"c.csv": text, "c.csv.gz": gzipped(text)} {
		c, err := Open(write(t, name, content), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			var docs []store.Document
			for d, err := range c.Documents() {
				if err != nil {
					t.Fatal(err)
				}
				docs = append(docs, d)
			}
			if got := compact(t, docs); got != want {
				t.Errorf("%s:\n%s", name, got)
			}
			if done, total := c.Progress(1); done != 1 || total != int64(len(docs)) {
				t.Errorf("%d of %d", done, total)
			}
		}
	}
	docs, err := read(write(t, "c.csv", "key,body,_id\nk,b,5\n"), Options{IDField: "KEY", TextField: "body"})
	if got := compact(t, docs); err != nil || got != `{"_id":"k","text":"b","metadata":{"_id":5}}`+"\n" {
		t.Errorf("%v %s", err, got)
	}
}

func TestCSVKinds(t *testing.T) {
	for cells, want := range map[string]kind{
		"": kindEmpty, "1,2": kindNumber, "1,,2.5e-3,-0": kindNumber, "true,FALSE": kindBool, "1,true": kindString, "01": kindString, "+1": kindString,
		"1e999": kindString, "NaN": kindString, "0x10": kindString, ".5": kindString, "x": kindString, "5.": kindString, "1_000": kindString, "true,": kindBool,
	} {
		k := kindEmpty
		for cell := range strings.SplitSeq(cells, ",") {
			k = k.and(kindOf(cell))
		}
		if k != want {
			t.Errorf("%q: kind %d, want %d", cells, k, want)
		}
	}
}

func TestCSVRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		o     Options
		line  int64
		words []string
	}{
		"empty":          {"", Options{}, 1, []string{"empty", "id,title,text"}},
		"no text":        {"id,body,see\n1,5,http://x\n", Options{}, 1, []string{`no column "text"`, `"id", "body"`, "--text-field"}},
		"no id":          {"text\nx\n", Options{IDField: "nr"}, 1, []string{`no column "nr"`, `the columns are "text"`, "--id-field"}},
		"no column":      {"id,text\n1,x\n", Options{Columns: map[string]string{"url": "Link"}}, 1, []string{`no column "Link"`, `"id", "text"`, "--columns"}},
		"taken column":   {"id,text,url,link\n1,x,,\n", Options{Columns: map[string]string{"url": "Link"}}, 1, []string{`column 3 is already named "url"`, "--columns"}},
		"named text":     {"id,text\n1,x\n", Options{TextField: "body"}, 1, []string{`no column "body"`}},
		"named title":    {"id,text\n1,x\n", Options{TitleField: "head"}, 1, []string{`no column "head"`, `"id", "text"`, "--title-field"}},
		"given comma":    {"id;text\n1;x\n", Options{Delimiter: "comma"}, 1, []string{`no column "text"`, "semicolons", "--delimiter"}},
		"bars":           {"id|text\n1|x\n", Options{}, 1, []string{`no column "text"`, "--delimiter"}},
		"twice named":    {"id,text,a,a\n", Options{}, 1, []string{"3 and 4", `"a"`}},
		"sep alone":      {"sep=;\r\n", Options{}, 1, []string{"empty"}},
		"after sep":      {"sep=;\nid;text\n1;x;y\n", Options{}, 3, []string{"3 columns, the header has 2"}},
		"no sep":         {"sep=;;\nid;text\n", Options{}, 1, []string{"column 2 has no name"}},
		"nameless":       {"id,,text\n", Options{}, 1, []string{"column 2 has no name"}},
		"one for two":    {"id,text\n1,x\n", Options{TextField: "id"}, 1, []string{"one column", "--text-field", `"id", "text"`}},
		"short record":   {"id,text,a\n1,x,y\n2,x\n", Options{}, 3, []string{"2 columns, the header has 3"}},
		"long record":    {"id,text\n1,\"a\nb\"\n2,x,y\n", Options{}, 4, []string{"3 columns, the header has 2"}},
		"bare quote":     {"id,text\n1,a \"b\" c\n", Options{}, 2, []string{":2:5", "quote"}},
		"open quote":     {"id,text\n1,\"a\n", Options{}, 2, []string{"quote"}},
		"repeated id":    {"id,text\n1,a\n\n2,b\n1,c\n", Options{}, 5, []string{`"1"`, "line 2"}},
		"no id value":    {"id,text\n1,a\n ,b\n", Options{}, 3, []string{"id is empty"}},
		"not UTF-8":      {"id,text\n1,caf\xe9\n", Options{}, 2, []string{"not UTF-8", "column 2", "--charset", "windows-1252"}},
		"not UTF-8 head": {"id,t\xe9xt\n1,x\n", Options{}, 1, []string{"not UTF-8"}},
		"UTF-16BE":       {mustEncode(t, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "Headline;Body;Link\r\na;b;c\r\n"), Options{}, 1, []string{"UTF-16", "--charset"}},
		"UTF-16LE":       {mustEncode(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "Headline;Body;Link\r\na;b;c\r\n"), Options{}, 1, []string{"UTF-16", "--charset"}},
		"quoted UTF-16":  {mustEncode(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "\"Headline\";\"Body\"\r\n\"a\";\"b\"\r\n"), Options{}, 1, []string{"UTF-16", "--charset"}},
		"zero byte":      {"id,text\n1,a\n2,b\x00c\n", Options{}, 3, []string{"zero byte", "column 2"}},
		"inner line":     {"id,text\n1,\"a\nb\nc\x00\"\n", Options{}, 4, []string{":4:2", "zero byte"}},
		"and too many":   {"id,text\n1,b\xe9,c\n", Options{}, 2, []string{"not UTF-8", "column 2"}},
		"wrong charset":  {mustEncode(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "id,text\n1,a\n"), Options{Charset: "windows-1252"}, 1, []string{"UTF-16"}},
		"endless record": {"id,text\n1,a\n2,\"" + strings.Repeat("x", MaxRecordBytes+10000), Options{}, 2, []string{"longer than 16 MB", "quote"}},
	} {
		c.o.FieldFlags = true
		t.Run(name, func(t *testing.T) { refused(t, write(t, "c.csv", c.text), c.o, c.line, c.words...) })
	}
}

// In files with tabs, a text may begin with a quotation mark. It must not take the rows after it.
func TestTabsAndQuotes(t *testing.T) {
	const rows = "id\tlabel\ttext\nr1\tpos\t\"Great film, said my brother.\nr2\tneg\tDull.\nr3\tpos\tThe last word was superb\"\nr4\tneg\tNo.\n"
	refused(t, write(t, "c.tsv", rows), Options{FieldFlags: true}, 2, "rows", "--quote none", "--quote double")
	refused(t, write(t, "c.csv", rows), Options{FieldFlags: true, Delimiter: "tab"}, 2, "rows")
	refused(t, write(t, "c.tsv", "id\ttext\n1\tsome \"text\"\n"), Options{FieldFlags: true}, 2, "--quote none")
	for _, c := range []struct{ file, content, quote, want string }{
		{"c.tsv", rows, "none", `r1="Great film, said my brother.|r2=Dull.|r3=The last word was superb"|r4=No.`},
		{"c.tsv", "\ufeffid\ttext\r\n\r\n1\t\"a\r\n2\tb \"c\" d", "none", `1="a|2=b "c" d`},
		{"c.csv", "sep=;\nid;\"text\n1;\"a\n", "none", `1="a`},
		{"c.tsv", rows, "double", "r1=Great film, said my brother.\nr2\tneg\tDull.\nr3\tpos\tThe last word was superb|r4=No."},
		{"c.tsv", "id\ttext\n1\t\"a\nb\"\n2\t\"a\tb\"\n", "", "1=a\nb|2=a\tb"},
	} {
		docs, err := read(write(t, c.file, c.content), Options{Quote: c.quote, TextField: map[bool]string{true: `"text`}[strings.Contains(c.content, ";\"text")]})
		if err != nil {
			t.Fatalf("%q: %v", c.content, err)
		}
		var got []string
		for _, d := range docs {
			got = append(got, d.ID+"="+d.Text)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q, quotes %q: %q", c.content, c.quote, got)
		}
	}
	refused(t, write(t, "c.tsv", "id\ttext\n1\ta\tb\n"), Options{Quote: "none"}, 2, "3 columns, the header has 2")
	refused(t, write(t, "c.tsv", "id\ttext\n1\tcaf\xe9\n"), Options{Quote: "none"}, 2, ":2:3", "not UTF-8")
	refused(t, write(t, "c.tsv", "id\ttext\n1\t"+strings.Repeat("x", MaxRecordBytes)), Options{Quote: "none"}, 1, "longer than 16 MB")
	for file, quote := range map[string]string{"c.tsv": "single", "c.jsonl": "none"} {
		if _, err := Open(write(t, file, "x\n"), Options{Quote: quote}); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "--quote") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Tables as people export them.
func TestCSVAsPeopleHaveIt(t *testing.T) {
	const note = `texts are column "Body", which has the most text, titles column "Headline"`
	plain := `{"_id":"1","title":"Ä","text":"b; long, enough","metadata":{"Link":"https://example.org/a/very/long/address/of/a/page","n":5}}
{"_id":"2","text":"é","metadata":{"n":6}}
`
	table := "Headline;Body;Link;n\r\nÄ;\"b; long, enough\";https://example.org/a/very/long/address/of/a/page;5\r\n;é;;6\r\n"
	quotedTable := strings.Replace(table, "Headline", `"Headline"`, 1)
	encode := func(e encoding.Encoding) string { return mustEncode(t, e, table) }
	tabs := strings.NewReplacer("b; ", "b; ", ";", "\t").Replace(table)
	for name, c := range map[string]struct {
		file, content string
		o             Options
	}{
		"semicolons":   {"c.csv", table, Options{}},
		"tabs":         {"c.csv", tabs, Options{}},
		"tsv":          {"c.tsv", tabs, Options{}},
		"named":        {"c.csv", strings.NewReplacer("b; ", "b; ", ";", "|").Replace(table), Options{Delimiter: "|"}},
		"UTF-16LE":     {"c.csv", encode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)), Options{}},
		"UTF-16BE":     {"c.csv.gz", gzipped(encode(unicode.UTF16(unicode.BigEndian, unicode.UseBOM))), Options{}},
		"windows-1252": {"c.csv", encode(charmap.Windows1252), Options{Charset: "Latin1"}}, // browsers' name for it
		"macintosh":    {"c.csv", encode(charmap.Macintosh), Options{Charset: "macintosh"}},
		"quoted":       {"c.csv", "\ufeff" + quotedTable, Options{}}, // as Excel writes it
		"quoted TSV":   {"c.tsv", "\ufeff" + strings.NewReplacer("b; ", "b; ", ";", "\t").Replace(quotedTable), Options{}},
		"quoted LE":    {"c.csv", mustEncode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), quotedTable), Options{}},
		"named LE":     {"c.csv", mustEncode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), quotedTable), Options{Charset: "utf-16le"}},
		"gb18030":      {"c.csv", mustEncode(t, simplifiedchinese.GB18030, "\ufeff"+quotedTable), Options{Charset: "gb18030"}},
		"quoted UTF-8": {"c.csv.gz", gzipped("\ufeff" + quotedTable), Options{Charset: "utf-8"}},
		"mark wins":    {"c.csv", "\ufeff" + table, Options{Charset: "shift_jis"}},
		"old Mac":      {"c.csv", strings.ReplaceAll(table, "\r\n", "\r"), Options{}},
		"Mac, charset": {"c.csv.gz", gzipped(strings.ReplaceAll(encode(charmap.Macintosh), "\r\n", "\r")), Options{Charset: "macintosh"}},
		"sep, Mac":     {"c.csv", "sep=;\r" + strings.ReplaceAll(table, "\r\n", "\r"), Options{}},
		"sep":          {"c.csv", "sep=;\r\n" + table, Options{}}, // as files for Excel begin
		"sep, quoted":  {"c.csv", "\ufeff\"SEP=;\"\n" + quotedTable, Options{}},
		"sep, tab":     {"c.csv", "sep=\t\n" + tabs, Options{}},
		"sep, bar":     {"c.csv", "sep=|\n" + strings.NewReplacer("b; ", "b; ", ";", "|").Replace(table), Options{}},
		"sep in TSV":   {"c.tsv", "sep=;\n" + table, Options{}},
		"sep, LE":      {"c.csv", mustEncode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "sep=;\n"+table), Options{}},
		"sep, named":   {"c.csv", "sep=,\n" + table, Options{Delimiter: ";"}}, // the user knows better
	} {
		f, err := Open(write(t, c.file, c.content), c.o)
		if err != nil {
			t.Fatal(err)
		}
		var docs []store.Document
		for d, err := range f.Documents() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			docs = append(docs, d)
		}
		if got := compact(t, docs); got != plain || !strings.HasPrefix(f.Note(), note) || !strings.Contains(f.Note(), "numbered") {
			t.Errorf("%s: %q\n%s", name, f.Note(), got)
		}
	}
	docs, err := read(write(t, "c.csv", table), Options{Columns: map[string]string{"text": "headline", "title": "Body", "url": "link", "id": "n"}})
	if want := `{"_id":"5","title":"b; long, enough","text":"Ä","metadata":{"url":"https://example.org/a/very/long/address/of/a/page"}}
{"_id":"6","title":"é","text":""}
`; err != nil || compact(t, docs) != want {
		t.Errorf("%v %s", err, compact(t, docs))
	}
	path := write(t, "c.csv", table)
	for _, o := range []Options{{Charset: "klingon"}, {Charset: "iso-2022-kr"}, {Delimiter: "ab"}, {Delimiter: "\""}, {Delimiter: "\xff"}, {TitleField: "x", Columns: map[string]string{"title": "y"}}, {Columns: map[string]string{"": "y"}}} {
		if _, err := Open(path, o); !errors.Is(err, fault.Query) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	lines, pages := write(t, "c.jsonl", "{}"), filepath.Dir(write(t, "a.md", "# A\n\ntext"))
	feed := write(t, "f.xml", `<rss version="2.0"><channel><item><title>A</title><link>https://example.org/a</link><description>text</description></item></channel></rss>`)
	for _, c := range []struct {
		path string
		o    Options
	}{
		{lines, Options{Columns: map[string]string{"url": "link"}}}, {lines, Options{Delimiter: ","}}, {pages, Options{Delimiter: ";"}},
		{pages, Options{TextField: "x"}}, {pages, Options{Columns: map[string]string{"title": "x"}}}, {feed, Options{IDField: "x"}},
	} {
		if _, err := Open(c.path, Options{}); err != nil {
			t.Error(err)
		}
		if _, err := Open(c.path, c.o); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: %+v: %v", c.path, c.o, err)
		}
	}
}

func mustEncode(t *testing.T, e encoding.Encoding, s string) string {
	t.Helper()
	encoded, err := e.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("id,title,text,n,b\na,T,\"x\ny\",1,true\nb,,z,,\n"))
	f.Add([]byte("\xef\xbb\xbf_ID,Text\n1,\"\"\"\"\n"))
	f.Add([]byte("\ufeff\"id\",\"text\"\n1,x\n"))
	f.Add([]byte("id,text\n1,\"open"))
	f.Add([]byte("\ufeffsep=;\r\nHeadline;Body\nx;a,b\n"))
	f.Add([]byte("\r\nHeadline;Body;Link\nx;\"a;b\";http://x\n"))
	f.Add([]byte("a\tb\nlonger text\tx\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var columns []column
		first, err := newTable(bytes.NewReader(b), "f", Options{})
		if err == nil {
			columns, _, err = columnsOf(first)
		}
		var docs []store.Document
		if err == nil {
			var again *table
			if again, err = newTable(bytes.NewReader(b), "f", Options{}); err != nil {
				t.Fatal(err)
			}
			err = again.documents(Options{}, columns, func(string) {}, func(d store.Document) error { docs = append(docs, d); return nil })
		}
		var e *InputError
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Remedy == "") {
			t.Fatalf("error %v", err)
		}
		if err != nil {
			return
		}
		// There are as many documents as encoding/csv finds records after the header,
		// and they can be written as JSON.
		b = bytes.TrimPrefix(b, []byte(byteOrderMark))
		comma, length := namedSeparator(b)
		b = b[length:]
		if length == 0 {
			comma = separatorOf(b[:min(len(b), maxHeadBytes)], true)
		}
		r := csv.NewReader(bytes.NewReader(b))
		r.Comma = comma
		records, err := r.ReadAll()
		if err != nil || len(records)-1 != len(docs) {
			t.Fatalf("%d documents of %d records (%v)", len(docs), len(records)-1, err)
		}
		compact(t, docs)
	})
}
