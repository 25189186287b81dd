package browser

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// file is a file that is dropped on the page.
type file struct {
	Name    string
	Content []byte // base64 in JSON
}

// parsed is a reader's result: documents, or the line at fault.
type parsed struct {
	Documents []document
	Fault     string
	Line      int64
}

type document struct {
	ID, Title, Text string
	Metadata        map[string]any
}

// parseInPage reads files with the page's readers, in chunks of a given size.
const parseInPage = `async (files, chunk) => {
	const { readFile } = await import('/static/demo/parts/corpus/read.js');
	const out = [];
	for (const { Name, Content } of files) {
		const bytes = Uint8Array.from(atob(Content ?? ''), (c) => c.charCodeAt(0));
		const file = new File([bytes], Name);
		// The browser would choose the size of chunks; here the test does.
		file.stream = () => new ReadableStream({
			start(out) {
				for (let at = 0; at < bytes.length; at += chunk) out.enqueue(bytes.slice(at, at + chunk));
				out.close();
			},
		});
		const documents = [];
		try {
			await readFile(file, { take: (document) => documents.push(document) });
			out.push({ documents });
		} catch (error) {
			if (error.name !== 'FileError') throw error;
			out.push({ documents, fault: error.message, line: error.line });
		}
	}
	return out;
}`

// parseNatively reads a file like the command.
func parseNatively(t *testing.T, f file) parsed {
	t.Helper()
	path := filepath.Join(t.TempDir(), f.Name)
	if err := os.WriteFile(path, f.Content, 0o666); err != nil {
		t.Fatal(err)
	}
	var out parsed
	fail := func(err error) parsed {
		var e *corpus.InputError
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		out.Fault, out.Line = e.Error(), e.Line
		return out
	}
	c, err := corpus.Open(path, corpus.Options{})
	if err != nil {
		return fail(err)
	}
	for d, err := range c.Documents() {
		if err != nil {
			return fail(err)
		}
		out.Documents = append(out.Documents, document{d.ID, d.Title, d.Text, doubles(d.Metadata).(map[string]any)})
	}
	return out
}

// doubles converts numbers to JavaScript's. JSON has null for those beyond its
// range.
func doubles(v any) any {
	switch v := v.(type) {
	case json.Number:
		x, err := v.Float64()
		if err != nil || math.IsInf(x, 0) {
			return nil
		}
		return x
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = doubles(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			out[name] = doubles(value)
		}
		return out
	}
	return v
}

func sameParse(t *testing.T, f file, got, want parsed) {
	t.Helper()
	if (got.Fault == "") != (want.Fault == "") || got.Line != want.Line {
		t.Errorf("%s %.300q:\npage    %s (line %d)\ncommand %s (line %d)", f.Name, f.Content, got.Fault, got.Line, want.Fault, want.Line)
		return
	}
	if len(got.Documents) != len(want.Documents) {
		t.Errorf("%s %.300q: %d documents in the page, %d in the command", f.Name, f.Content, len(got.Documents), len(want.Documents))
		return
	}
	for i := range got.Documents {
		if !reflect.DeepEqual(got.Documents[i], want.Documents[i]) {
			t.Errorf("%s %.300q, document %d:\npage    %+v\ncommand %+v", f.Name, f.Content, i, got.Documents[i], want.Documents[i])
		}
	}
}

// Files with special cases of each format, alone and combined.
var parserSeeds = []file{
	{"a.jsonl", []byte("\ufeff{\"_id\": \"a\", \"title\": \"T\", \"text\": \"one ünit\", \"metadata\": {\"url\": \"x\", \"n\": 12345678901234567890}}\r\n\n  \n{\"_id\": 7, \"text\": \"\", \"title\": null, \"metadata\": null}\n{\"id\": \"b\", \"text\": \"<b> & \\u00e9\", \"year\": 1999, \"metadata\": {\"tags\": [\"x\"], \"year\": 2000}, \"lang\": \"en\"}\n{\"_id\": \"c\", \"id\": \"other\", \"text\": \"no end\", \"metadata\": {}}")},
	{"m.csv", []byte("id,text,n\r1,\"a\rb\",2\r2,c,3\r")}, {"n.csv", []byte("\ufeffid,text\r\r1,a")},
	{"t.tsv", []byte("id\ttext\n1\t\"a\n2\tb\"\n3\tc\n")}, {"u.tsv", []byte("id\ttext\n1\t\"a\nb\"\n2\t\"a\tb\"\n")},
	{"z.csv", []byte("id,text\n1,a\n2,b\x00c\n")}, {"w.csv", []byte("\x00i\x00d\x00,\x00t\x00\n\x001\x00,\x00a\x00\n")}, {"w.jsonl", []byte("{\x00}\x00\n")},
	{"b.ndjson", []byte("{\"_id\": 1e5, \"text\": \"\\ud800 \\ud83d\\ude00 \\udc00\", \"\\udfff\": 1e999}\n{\"_id\": 12345678901234567890, \"text\": \"\", \"m\": {\"_id\": 3}}\n{\"\\u005fid\": -0.50, \"text\": \"x\", \"__proto__\": {\"a\": 1}, \"deep\": [[{\"_id\": 9}]]}\n")},
	{"n.jsonl", []byte(`{"_id": "b", "text": "a, {b}: [c]", "m": [{"a": 1}, {"a": [], "b": {"a": {}}}], "metadata": {"_id": 1, "m": 2}, "a": [[], {}, [ ]] }`)},
	{"c.json", []byte("{\"_id\": \"a\", \"text\": \"1\"}\u00a0\n\u2003\n{\"_id\": \"b\", \"text\": \"2\"}\v\n\ufeff\n")},
	{"d.csv", []byte("\ufeffID,Title,TEXT,n,flag,code,mixed,empty\r\n1,\"a \"\"b\"\", c\",\"two\nlines\r\nthree\",1.5,TRUE,007,1,\n\r\n\"2\", t , x ,-2e3, false ,+1,x, \n3,,,,,,true,\n")},
	{"e.csv", []byte("_id,text\n\" a \",\"x\"\r\nb,\"\"\"q\"\"\"\nc,d\r")},
	{"f.csv", []byte("id;text\n1;2\n")},
	{"h.csv", []byte("Headline;Body;Link;n\r\nÄ;\"b; long, enough\";https://example.org/a/very/long/address;5\r\n;é😀;;6\r\n")},
	{"i.csv", []byte("a\tb\tname\n😀😀x\tfive5\tz\n\tx\ty\n")},
	{"j.tsv", []byte("text,x\tc\n1\t2\n")},
	{"k.csv", []byte("\ufeff\"id\",\"text\",\"n\"\r\n\"1\",\"a\",\"2\"\r\n")},
	{"l.csv", []byte("\ufeff\"a;\"\"b\"\"\";\"two\nlines\";text\n1;2;3\n")},
	{"m.csv", []byte("\n\ufeffid,text\n1,2\n")},
	{"s.csv", []byte("\ufeffsep=;\r\nid;text;n\r\n1;\"a;b\";2\r\n3;c,d,e;4\r\n")},
	{"s.tsv", []byte("\"Sep=|\"\nid|text\n1|a\tb\n")},
	{"t.csv", []byte("sep=\t\r\nid\ttext\n1\ta\n")},
	{"g.csv", []byte("id,text,x\n1,2,falſe\n2,3,tRUE\n")},
}

// Documents at the limit of depth.
var parserDeep = []file{
	{"a.jsonl", []byte("{\"_id\": 1, \"text\": \"\", \"metadata\": " + strings.Repeat("{\"a\": ", 63) + "1" + strings.Repeat("}", 63) + "}")},
	{"a.jsonl", []byte("{\"_id\": 1, \"text\": \"\", \"a\": " + strings.Repeat("[", 62) + strings.Repeat("]", 62) + "}")},
}

// UTF-16, also with half a pair and half a unit.
var parserUTF16 = []file{
	{"a.csv", []byte("\xff\xfei\x00d\x00,\x00t\x00e\x00x\x00t\x00\n\x001\x00,\x00\xe9\x00\n\x002\x00,\x00=\xd8\x00\xde\n\x003\x00,\x00=\xd8\n\x00")},
	{"a.jsonl.gz", zipped("\xfe\xff\x00{\x00\"\x00i\x00d\x00\"\x00:\x001\x00,\x00\"\x00t\x00e\x00x\x00t\x00\"\x00:\x00\"\x00\xe9\x00\"\x00}")},
	{"a.csv", []byte("\xff\xfei\x00d\x00,\x00t\x00e\x00x\x00t\x00\n\x001\x00,\x00x\x00y")},
}

// Files with a fault.
var parserFaults = []file{
	{"a.jsonl", []byte("{\"_id\": \"a\", \"text\": \"x\"}\n{\"text\": \"x\"}")},
	{"a.jsonl", []byte("\n[{\"_id\": \"a\"}]")},
	{"a.jsonl", []byte("{\"_id\": \"a\", \"text\": \"caf\xe9\"}")},
	{"a.jsonl", []byte("{\"_id\": \"a\", \"text\": \"x\"} {}")},
	{"a.jsonl", []byte("{\"_id\": true, \"text\": \"x\"}")},
	{"a.jsonl", []byte("{\"_id\": \"a\", \"text\": \"x\"}\n{\"_id\": \"b\", \"text\": \"x\", \"_id\": \"c\"}")},
	{"a.jsonl", []byte(`{"_id": "b", "text": "x", "te\u0078t": "y"}`)},
	{"a.jsonl", []byte(`{"_id": "b", "text": "x", "n": [], "n": [1, 2]}`)},
	{"a.jsonl", []byte(`{"_id": "b", "text": "", "metadata": {"a": 1, "a": {}}}`)},
	{"a.jsonl", []byte(`{"_id": "b", "text": "", "m": [{}, {"a": 1, "a": "a"}]}`)},
	{"a.jsonl", []byte(`{"_id": "b", "text": "", "__proto__": 1, "__proto__": 2}`)},
	{"a.jsonl", []byte(`{"_id": "b", "text": "", "\ud800": 1, "\udfff": 2}`)},
	{"a.jsonl", []byte(`{"_id": "b", "text": "", "": 1, "": 2}`)},
	{"a.jsonl", []byte("{\"_id\": \"" + strings.Repeat("é", 2049) + "\", \"text\": \"x\"}")},
	{"a.csv", nil},
	{"a.csv", []byte("id,,text\n")},
	{"a.csv", []byte("id,text,id\n1,2,3\n")},
	{"a.csv", []byte("id,text\n1,2,3\n")},
	{"a.csv", []byte("id,text\n1,\"2\n\n3")},
	{"a.csv", []byte("id,text\n1,\"2\"x\n")},
	{"a.csv", []byte("id,text\n\"\n\",1\n")},
	{"a.csv", []byte("id,text\n1,2\"3\n")},
	{"a.csv", []byte("id,text\n1,a\n\"1\",b\n")},
	{"a.csv", []byte("\ufeff\"id\"x,text\n1,a\n")},
	{"a.csv", []byte("\ufeff\n")},
	{"a.csv", []byte("id,text\n1,caf\xe9\n")},
	{"a.csv", []byte("id,title\n")},
	{"a.csv", []byte("id|body\n1|x\n")},
	{"a.csv", []byte("n,see\n1,http://example.org/\n")},
	{"a.csv", []byte("\xff\xfe")},
	{"a.csv", []byte("sep=;")},
	{"a.csv", []byte("sep=;\r")},
	{"a.csv", []byte("sep=;;\nid;text\n1;2\n")},
	{"a.csv", []byte("sep=\"\nid;text\n1;2\n")},
	{"a.csv", []byte("\nsep=;\nid;text\n1;2\n")},
	{"a.csv", []byte("sep=;\nid;text\n1;2;3\n")},
	{"a.txt", []byte("x")},
	{"a.jsonl", []byte("{\"_id\": 1, \"text\": \"\", \"metadata\": " + strings.Repeat("{\"a\": ", 64) + "1" + strings.Repeat("}", 64) + "}")},
	{"a.jsonl", []byte("{\"_id\": 1, \"text\": \"\", \"a\": " + strings.Repeat("[", 63) + strings.Repeat("]", 63) + "}")},
	{"a.jsonl.gz", zipped("{\"_id\": 1, \"text\": \"\", \"metadata\": {\"a\": [" + strings.Repeat("{},", 1_000_000) + "0]}}")},
	{"a.jsonl.gz", zipped(strings.Repeat(strings.Repeat(" ", 1<<20)+"\n", 17))},
}

func zipped(content string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(content))
	z.Close()
	return b.Bytes()
}

// The page and the command read files alike: the same documents, or a fault in
// the same line.
func TestParsers(t *testing.T) {
	t.Parallel()
	files := slices.Concat(parserFaults, parserUTF16, parserDeep, parserSeeds)
	seeds := len(parserFaults) + len(parserUTF16) + len(parserDeep) // of the seeds, some have a fault
	for _, f := range parserSeeds {
		files = append(files, file{f.Name + ".gz", zipped(string(f.Content))})
	}
	small := len(files)
	bundled, err := os.ReadFile(debatesFile)
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, file{"corpus.jsonl", bundled})
	page := demo(t, debates(t))
	for _, chunk := range []int{1 << 16, 3, 1} {
		for i, got := range call[[]parsed](t, page, parseInPage, files, chunk) {
			want := parseNatively(t, files[i])
			sameParse(t, files[i], got, want)
			if i < seeds && (want.Fault != "") != (i < len(parserFaults)) {
				t.Errorf("%s %.300q: the fault is %q", files[i].Name, files[i].Content, want.Fault)
			}
		}
		files = files[:small] // the corpus is read only once
	}
}

// The same holds for random mutations of these files.
func TestParsersOnMutations(t *testing.T) {
	t.Parallel()
	const rounds = 1500
	rng := rand.New(rand.NewPCG(5, 25))
	pieces := []string{"\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "\r", "{", "}", "[", "]", ":", "\\", "null", "true", "0", "-", "1e9", " ", "\u00a0", "\ufeff", "é", "\u2028", "_id", "id", "text", "metadata", "\\ud800", "\x01", "x"}
	var files []file
	for range rounds {
		seed := parserSeeds[rng.IntN(len(parserSeeds))]
		content := string(seed.Content)
		for range 1 + rng.IntN(4) {
			runes := []rune(content) // not within a character: for bytes that are not UTF-8, as for zero bytes, the two name different lines of a record
			at := rng.IntN(len(runes) + 1)
			end := min(len(runes), at+rng.IntN(3))
			if rng.IntN(4) == 0 {
				content = string(runes[:at]) + string(runes[end:])
			} else {
				content = string(runes[:at]) + pieces[rng.IntN(len(pieces))] + string(runes[end:])
			}
		}
		files = append(files, file{seed.Name, []byte(content)})
	}
	page := demo(t, debates(t))
	faults := 0
	for i, got := range call[[]parsed](t, page, parseInPage, files, 7) {
		want := parseNatively(t, files[i])
		sameParse(t, files[i], got, want)
		if want.Fault != "" {
			faults++
		}
	}
	if faults < rounds/10 || faults > rounds*9/10 {
		t.Errorf("%d of %d files have a fault: the test needs both kinds", faults, rounds)
	}
}

// A line may be as long as the limit allows, whatever it holds: white space inside it, many columns, or an id that is a
// number beside a long text. The time that it takes grows with its length only.
func TestParsersOnLongLines(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	got := call[[]string](t, page, `async () => {
		const { readFile } = await import('/static/demo/parts/corpus/read.js');
		const { trim } = await import('/static/demo/parts/corpus/lines.js');
		const spaces = ' '.repeat(15e6);
		const long = 'x'.repeat(15e6);
		const columns = Array.from({ length: 1e6 }, (_, i) => 'c' + i).join();
		const said = [];
		for (const [name, parts] of [
			['a.jsonl', ['{"_id": "a", "text": "b', spaces, 'c"}']],
			['a.csv', ['id,text\n1,"a', spaces, 'b"\n']],
			['a.csv', ['id,text,n\n1,a,', spaces, '5', '\n']],
			['a.csv', ['text,', columns, ',c0\n']],
			['a.jsonl', ['{"text": "', long, '", "_id": 12345678901234567890}']],
			['a.jsonl', ['{"m": [', '"\\\\\\"",'.repeat(1e5), '{"id": 5}], "text": "', '\\"'.repeat(7e6), '", "id"', spaces.slice(0, 1e5), ': 1e5}']],
		]) {
			await readFile(new File(parts, name), {
				take: ({ id, text, metadata }) => said.push([id, text.length, metadata.n ?? ''].join(' ')),
			}).catch((error) => said.push(String(error.message)));
		}
		said.push(trim('\u3000\ta' + spaces + 'b\u00a0\n').length + trim(spaces) + trim('\ufeff'));
		return said;
	}`)
	want := []string{"a 15000002", "1 15000002", "1 1 5", "a.csv, line 1: columns 2 and 1000002 are both named \"c0\": give every column a name of its own", "12345678901234567890 15000000", "1e5 7000000", "15000002\ufeff"}
	for i := range want {
		if i >= len(got) || strings.TrimSpace(got[i]) != want[i] {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
