package console

import (
	"encoding/json"
	"strings"
	"testing"
)

// Warnings are single lines that are safe for a terminal. Without a console there are
// none.
func TestConsole(t *testing.T) {
	var b strings.Builder
	for _, c := range []*Console{nil, New(&b)} {
		c.Warnf("the file %s is odd", "a\x1b[1m\nb")
		c.Notef("the %s is new", "engine\n")
		c.Printf("%d files\n", 2)
		bar := c.Progress()
		bar.Update("write", 1, 1)
		bar.End()
	}
	if got := b.String(); !strings.HasPrefix(got, `vantage: warning: the file a\u001b[1m\u000ab is odd`+"\nvantage: the engine\\u000a is new\n2 files\nwrite: 1 file, ") {
		t.Errorf("%q", got)
	}
	b.Reset()
	for _, c := range []*Console{nil, New(&b)} {
		c.JSON().Notef("it is %d", 1)
		b.Reset()
		c.JSON().Warnf("the file %s is odd", "a\nb")
	}
	var line struct{ Level, Msg string }
	if err := json.Unmarshal([]byte(b.String()), &line); err != nil || line.Level != "WARN" || line.Msg != `the file a\u000ab is odd` {
		t.Errorf("%q %v", b.String(), err)
	}
}
