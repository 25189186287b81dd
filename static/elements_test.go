package static

import (
	"os"
	"regexp"
	"testing"
)

// The element types in the pages' scripts must match the pages' HTML.
func TestElementsAreWhatTheHTMLHas(t *testing.T) {
	tags := map[string]string{}
	for _, name := range []string{"demo/lab.html", "demo/eval.html", "search/index.html"} {
		html, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`<(\w+)[^>]*\bid="([\w-]+)"`).FindAllSubmatch(html, -1) {
			tags[string(m[2])] = string(m[1])
		}
	}
	types := map[string]string{
		"HTMLButtonElement": "button", "HTMLDetailsElement": "details", "HTMLFormElement": "form", "HTMLInputElement": "input",
		"HTMLProgressElement": "progress", "HTMLSelectElement": "select",
	}
	script, err := os.ReadFile("demo/parts/dom.js")
	if err != nil {
		t.Fatal(err)
	}
	listed := regexp.MustCompile(`(?m)^ \*   '?([\w-]+)'?: (HTML\w+),$`).FindAllSubmatch(script, -1)
	if len(listed) < 15 {
		t.Fatalf("only %d elements found in dom.js", len(listed))
	}
	for _, m := range listed {
		if tag := tags[string(m[1])]; tag == "" || tag != types[string(m[2])] {
			t.Errorf("dom.js: %s is a %s, the HTML has <%s>", m[1], m[2], tag)
		}
	}
	// Every id that scripts look up must be in the HTML.
	for name, content := range scripts(t) {
		for _, m := range regexp.MustCompile(`\bbyId\('([\w-]+)'\)`).FindAllStringSubmatch(content, -1) {
			if tags[m[1]] == "" && !regexp.MustCompile(`id: '`+m[1]+`'`).MatchString(content) {
				t.Errorf("%s looks up the element %s, which the HTML lacks", name, m[1])
			}
		}
	}
}
