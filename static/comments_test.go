package static

import (
	"bytes"
	"path"
	"testing"
)

func TestWithoutComments(t *testing.T) {
	for source, want := range map[string]string{
		"// a\n\nlet x = 1; // goes, it's said\n  // b\n":            "let x = 1;\n",
		"let u = 'a // b'; // stays\nlet v = /'/; // `\n":            "let u = 'a // b'; // stays\nlet v = /'/; // `\n",
		"/** one line */\nf();\n/*\n * many\n */\ng();\n":            "f();\ng();\n",
		"/* before */ f();\n":                                        "/* before */ f();\n",
		"const t = `a\n// text\n\n/* text */\n`;\n// gone\n":         "const t = `a\n// text\n\n/* text */\n`;\n",
		"const u = `http://${host}`;\n":                              "const u = `http://${host}`;\n",
		"const odd = '`';\n// kept, since nobody knows\n":            "const odd = '`';\n// kept, since nobody knows\n",
		"f();\n/* never closed\n":                                    "f();\n/* never closed\n",
		"a\n  * b;\n/* x */ /* y */\nc(); /* begins late\nends */\n": "a\n* b;\n/* x */ /* y */\nc(); /* begins late\nends */\n",
		"  if (x) {\n    f(`\n      kept\n    `, y);\n  }\n":         "if (x) {\nf(`\n      kept\n    `, y);\n}\n",
	} {
		if got := string(withoutComments([]byte(source))); got != want {
			t.Errorf("%q\nbecomes %q\nwant    %q", source, got, want)
		}
	}
}

// Of the files here, comments do go; that what is left still runs, the tests in
// Chromium show, which run on what a site serves.
func TestServedFilesAreSmaller(t *testing.T) {
	names, err := Page{}.names()
	if err != nil {
		t.Fatal(err)
	}
	before, after := 0, 0
	for _, name := range names {
		if path.Ext(name) != ".js" {
			continue
		}
		source, err := Files.ReadFile(source(name))
		if err != nil {
			t.Fatal(err)
		}
		served, err := read(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasPrefix(served, []byte("//")) || len(served) >= len(source) {
			t.Errorf("%s keeps its comments", name)
		}
		before, after = before+len(source), after+len(served)
	}
	if after*10 > before*9 {
		t.Errorf("%d bytes of scripts become %d", before, after)
	}
}
