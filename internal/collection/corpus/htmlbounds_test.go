package corpus

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A small page cannot become a large tree.
func TestPageNodes(t *testing.T) {
	var reopened, attributes strings.Builder
	for i := range 400 {
		fmt.Fprintf(&reopened, "<b id=%d>", i)
	}
	reopened.WriteString(strings.Repeat("<p>x", 20_000))
	attributes.WriteString("<p")
	for i := range 1_100_000 {
		fmt.Fprintf(&attributes, " a%d", i)
	}
	attributes.WriteString(">text")
	for name, content := range map[string]string{
		"elements":         strings.Repeat("<i>", 4000),
		"paragraphs":       strings.Repeat("<p>", 1_000_001),
		"attributes":       attributes.String(),
		"reopened in each": reopened.String(),
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
	if _, problem := markdownPage([]byte(strings.Repeat("*a* ", 600_000)), nil); problem == nil || !strings.Contains(problem.Problem, "1000000 marks") {
		t.Errorf("markdown of 1,200,000 asterisks: %v", problem)
	}
}
