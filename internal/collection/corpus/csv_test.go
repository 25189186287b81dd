package corpus

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
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
			if _, total := c.Progress(); total < c.size {
				t.Errorf("total %d", total)
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
		"no text":        {"id,body\n1,x\n", Options{}, 1, []string{`no column "text"`, `"id", "body"`, "--text-field"}},
		"no id":          {"text\nx\n", Options{}, 1, []string{`no column "id"`, `the columns are "text"`, "--id-field"}},
		"named text":     {"id,text\n1,x\n", Options{TextField: "body"}, 1, []string{`no column "body"`}},
		"named title":    {"id,text\n1,x\n", Options{TitleField: "head"}, 1, []string{`no column "head"`, `"id", "text"`, "--title-field"}},
		"semicolons":     {"id;text\n1;x\n", Options{}, 1, []string{"commas"}},
		"twice named":    {"id,text,a,a\n", Options{}, 1, []string{"3 and 4", `"a"`}},
		"nameless":       {"id,,text\n", Options{}, 1, []string{"column 2 has no name"}},
		"one for two":    {"id,text\n1,x\n", Options{TextField: "id"}, 1, []string{"one column", "--text-field", `"id", "text"`}},
		"short record":   {"id,text,a\n1,x,y\n2,x\n", Options{}, 3, []string{"2 columns, the header has 3"}},
		"long record":    {"id,text\n1,\"a\nb\"\n2,x,y\n", Options{}, 4, []string{"3 columns, the header has 2"}},
		"bare quote":     {"id,text\n1,a \"b\" c\n", Options{}, 2, []string{":2:5", "quote"}},
		"open quote":     {"id,text\n1,\"a\n", Options{}, 2, []string{"quote"}},
		"repeated id":    {"id,text\n1,a\n\n2,b\n1,c\n", Options{}, 5, []string{`"1"`, "line 2"}},
		"no id value":    {"id,text\n1,a\n ,b\n", Options{}, 3, []string{"id is empty"}},
		"not UTF-8":      {"id,text\n1,caf\xe9\n", Options{}, 2, []string{"not UTF-8", "column 2", "iconv"}},
		"not UTF-8 head": {"id,t\xe9xt\n1,x\n", Options{}, 1, []string{"not UTF-8"}},
		"endless record": {"id,text\n1,a\n2,\"" + strings.Repeat("x", MaxRecordBytes+10000), Options{}, 2, []string{"longer than 16 MB", "quote"}},
	} {
		c.o.FieldFlags = true
		t.Run(name, func(t *testing.T) { refused(t, write(t, "c.csv", c.text), c.o, c.line, c.words...) })
	}
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("id,title,text,n,b\na,T,\"x\ny\",1,true\nb,,z,,\n"))
	f.Add([]byte("\xef\xbb\xbf_ID,Text\n1,\"\"\"\"\n"))
	f.Add([]byte("id,text\n1,\"open"))
	f.Fuzz(func(t *testing.T, b []byte) {
		kinds, err := columnKinds(bytes.NewReader(b), "f")
		var docs []store.Document
		if err == nil {
			err = readCSV(bytes.NewReader(b), "f", Options{}, kinds, func(d store.Document) error { docs = append(docs, d); return nil })
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
		r := csv.NewReader(bytes.NewReader(b))
		records, err := r.ReadAll()
		if err != nil || len(records)-1 != len(docs) {
			t.Fatalf("%d documents of %d records (%v)", len(docs), len(records)-1, err)
		}
		compact(t, docs)
	})
}
