package corpus

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A small page cannot become a large tree.
func TestPageNodes(t *testing.T) {
	var reopened, attributes, thousand strings.Builder
	for i := range 400 {
		fmt.Fprintf(&reopened, "<b id=%d>", i)
	}
	for i := range 1000 {
		fmt.Fprintf(&thousand, " a%d", i)
	}
	paragraphs := strings.Repeat("<p>x", 20_000)
	reopened.WriteString(paragraphs)
	attributes.WriteString("<p")
	for i := range 1_100_000 {
		fmt.Fprintf(&attributes, " a%d", i)
	}
	attributes.WriteString(">text")
	for name, content := range map[string]string{
		"elements":                    strings.Repeat("<i>", 4000),
		"paragraphs":                  strings.Repeat("<p>", 1_000_001),
		"attributes":                  attributes.String(),
		"reopened in each":            reopened.String(),
		"closed by another's end tag": "<p><b><i" + thousand.String() + "></b></b>" + paragraphs,
		"an end tag in a cell":        "<p><b" + thousand.String() + "><table><tr><td></b></table>" + paragraphs,
		"an end tag in another cell":  "<table><tr><b" + thousand.String() + "><td></b></table>" + paragraphs,
		"an end tag in a list":        "<p><b" + thousand.String() + "><select></b></select>" + paragraphs,
		"an end tag in an SVG":        "<p><b" + thousand.String() + "><object><svg><foreignObject></object></b></foreignObject></svg></object>" + paragraphs,
		"a link that is never closed": "<p><a" + thousand.String() + ">" + paragraphs,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, problem := htmlPage([]byte(content))
		runtime.ReadMemStats(&after)
		if problem == nil || !strings.Contains(problem.Problem, "1000000 elements") {
			t.Errorf("%s: %v", name, problem)
		}
		if more := after.TotalAlloc - before.TotalAlloc; more > 500<<20 {
			t.Errorf("%s: %d MB were allocated", name, more>>20)
		}
	}
	legitimate := "<h1>One</h1>" + strings.Repeat("<p>some <b>bold <i>and</i></b> <a href=x title=y>linked</a> words<br>", 20_000)
	if p, problem := htmlPage([]byte(legitimate)); problem != nil || len(p.sections) != 2 {
		t.Errorf("a page of %d bytes: %v", len(legitimate), problem)
	}
	// DocBook writes anchors as empty elements, which HTML takes for links that are never closed. Each closes the last.
	anchors := strings.Repeat(`<h2><a id="x"/>Title</h2><p>A <a href="y">link</a> in a text.</p>`, 20_000)
	tables := strings.Repeat("<font size=2><table><tr><td><b>one</b><td><i>two</i></table></font>", 20_000)
	for _, content := range []string{anchors, tables} {
		if _, problem := htmlPage([]byte(content)); problem != nil {
			t.Errorf("%.40s…: %v", content, problem)
		}
	}
	if _, problem := markdownPage([]byte(strings.Repeat("*a* ", 600_000)), nil); problem == nil || !strings.Contains(problem.Problem, "1000000 marks") {
		t.Errorf("markdown of 1,200,000 asterisks: %v", problem)
	}
}
