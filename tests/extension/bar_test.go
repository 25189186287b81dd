package extension

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/wait"
	"github.com/vantage-search/vantage/static/extension"
)

// messages are the texts of the locale file.
var messages = sync.OnceValues(func() (map[string]struct {
	Message      string
	Placeholders map[string]struct{ Content string }
}, error) {
	files, err := built[extension.Chrome]()
	if err != nil {
		return nil, err
	}
	var all map[string]struct {
		Message      string
		Placeholders map[string]struct{ Content string }
	}
	return all, json.Unmarshal(files["_locales/en/messages.json"], &all)
})

// label returns a text of the locale file as the browser shows it.
func label(t testing.TB, key string, substitutions ...any) string {
	t.Helper()
	all, err := messages()
	if err != nil {
		t.Fatal(err)
	}
	m, ok := all[key]
	if !ok {
		t.Fatalf("the locale file has no %s", key)
	}
	s := m.Message
	for name, p := range m.Placeholders {
		s = regexp.MustCompile(`(?i)\$`+name+`\$`).ReplaceAllString(s, strings.ReplaceAll(p.Content, "$", "$$"))
	}
	for i, value := range substitutions {
		s = strings.ReplaceAll(s, fmt.Sprintf("$%d", i+1), fmt.Sprint(value))
	}
	return strings.ReplaceAll(s, "$$", "$")
}

// found lists what assistive technology finds in the page, the bar and badges included.
func (x tab) found(role, name string) []harness.Node {
	x.t.Helper()
	document, err := x.Find("document")
	if err != nil {
		x.t.Fatal(err)
	}
	nodes, err := document.Named(role, name)
	if err != nil {
		x.t.Fatal(err)
	}
	return nodes
}

// bar waits for the bar, and returns it. To look through a page with many results takes long,
// so it is remembered.
func (x tab) bar() harness.Node {
	x.t.Helper()
	if connected, err := harness.CallOn[bool](*x.known, `function () { return this.isConnected; }`); err == nil && connected {
		return *x.known
	}
	var bars []harness.Node
	wait.Until(x.t, "a bar", func() bool {
		bars = x.found("region", label(x.t, "barLabel"))
		return len(bars) > 0
	})
	if len(bars) > 1 {
		x.t.Fatalf("%d bars", len(bars))
	}
	*x.known = bars[0]
	return bars[0]
}

// host finds the bar's element, a div with no attributes and no children: all it has is its shadow root.
const host = `Array.from(document.querySelectorAll('div')).find(({ attributes, childNodes }) => attributes.length + childNodes.length === 0)`

// control waits for a control of the bar, and returns it.
func (x tab) control(role, name string) harness.Node {
	x.t.Helper()
	var nodes []harness.Node
	for end := time.Now().Add(time.Minute); len(nodes) == 0; time.Sleep(20 * time.Millisecond) {
		var err error
		if nodes, err = x.bar().Named(role, name); err != nil {
			x.t.Fatal(err)
		}
		if len(nodes) == 0 && time.Now().After(end) {
			x.t.Fatalf("the bar has no %s %q; it says %q", role, name, x.status())
		}
	}
	if len(nodes) > 1 {
		x.t.Fatalf("the bar has %d of %s %q", len(nodes), role, name)
	}
	return nodes[0]
}

// press presses a button of the bar, by the key of its name.
func (x tab) press(key string, substitutions ...any) {
	x.t.Helper()
	x.click(x.control("button", label(x.t, key, substitutions...)))
}

func (x tab) click(node harness.Node) {
	x.t.Helper()
	if _, err := harness.CallOn[any](node, `function () { this.click(); }`); err != nil {
		x.t.Fatal(err)
	}
}

// noToolbar fails the test unless the bar's buttons are those that its status offers: there are no results to order.
func (x tab) noToolbar(offered ...string) {
	x.t.Helper()
	nodes, err := x.bar().Named("button", "")
	if err != nil {
		x.t.Fatal(err)
	}
	var got, want []string
	for _, node := range nodes {
		got = append(got, node.Name)
	}
	for _, key := range offered {
		want = append(want, label(x.t, key))
	}
	if !slices.Equal(got, want) {
		x.t.Errorf("the bar has the buttons %q, want %q", got, want)
	}
}

// enter types words into the field of a chip.
func (x tab) enter(key, words string) {
	x.t.Helper()
	x.click(x.control("button", label(x.t, key)+"…"))
	if _, err := harness.CallOn[any](x.control("textbox", label(x.t, key)), `function (words) { this.value = words; this.form.requestSubmit(); }`, words); err != nil {
		x.t.Fatal(err)
	}
}

// status is what the bar says.
func (x tab) status() string {
	x.t.Helper()
	nodes, err := x.bar().Named("status", "")
	if err != nil || len(nodes) == 0 {
		return ""
	}
	said, err := harness.CallOn[string](nodes[0], `function () { return this.innerText; }`)
	if err != nil && !errors.Is(err, harness.ErrNone) {
		x.t.Fatal(err)
	}
	return said
}

// waitStatus waits until the bar says a text.
func (x tab) waitStatus(text string) {
	x.t.Helper()
	said := ""
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if said = x.status(); strings.Contains(said, text) {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("the bar says %q, not %q", said, text)
		}
	}
}

// calm waits until nothing is under way.
func (x tab) calm() {
	x.t.Helper()
	wait.Until(x.t, "all is said", func() bool {
		return callOn[bool](x, x.bar(), `function () { return this.querySelector('.busy') === null; }`)
	})
}

// badges lists what the badges say, in the order of the page.
func (x tab) badges() (said []string) {
	x.t.Helper()
	for _, node := range x.found("image", "") {
		said = append(said, node.Name)
	}
	return said
}

// waitTitles waits until the results stand in an order.
func (x tab) waitTitles(list string, want []string) {
	x.t.Helper()
	var got []string
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if got = x.titles(list); slices.Equal(got, want) {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("the results are\n%s\nwant\n%s\nThe bar says %q", strings.Join(got, "\n"), strings.Join(want, "\n"), x.status())
		}
	}
}

// waitBadges waits until there are badges that begin with these texts.
func (x tab) waitBadges(want []string) {
	x.t.Helper()
	var got []string
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if got = x.badges(); slices.EqualFunc(got, want, strings.HasPrefix) {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("the badges say\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
