package progress

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// On a terminal there is a bar, which is removed at the end of its stage.
func TestProgressBar(t *testing.T) {
	var b strings.Builder
	p := &Bar{w: &b, terminal: true, Input: func(int64) (int64, int64) { return 30, 120 }}
	p.Update("encode", 1, 0)
	p.shown = time.Time{} // pretend that time has passed
	p.Update("encode", 500, 0)
	if !strings.Contains(b.String(), "encode 500 documents") || !strings.Contains(b.String(), "25%") {
		t.Errorf("no bar: %q", b.String())
	}
	drawn := b.Len()
	p.Update("write", 1, 2)
	if rest := b.String()[drawn:]; !strings.HasPrefix(rest, "\x1b[2K\r") || !strings.HasSuffix(rest, "encode: 500 documents, 0.0 s\n") {
		t.Errorf("at the end of a stage: %q", rest)
	}
	drawn = b.Len()
	p.shown = time.Time{}
	p.Update("write", 2, 2)
	p.Stop()
	if rest := b.String()[drawn:]; strings.Contains(rest, "write:") {
		t.Errorf("an interrupted stage: %q", rest)
	}
}

func TestProgressLines(t *testing.T) {
	var b strings.Builder
	p := &Bar{w: &b}
	for done := range int64(1000) {
		p.Update("encode", done, 1000)
	}
	if b.Len() > 0 {
		t.Errorf("too often: %q", b.String())
	}
	p.shown = time.Now().Add(-2 * LineInterval)
	p.Update("encode", 500, 1000)
	p.Update("write", 1, 1)
	p.End()
	p.Least = time.Hour
	p.Update("load", 5000, 5000)
	p.End()
	want := regexp.MustCompile(`^encode: 500 documents \(50 %\)\nencode: 500 documents, \d+\.\d s\nwrite: 1 file, 0\.0 s\n$`)
	if !want.MatchString(b.String()) {
		t.Errorf("%q", b.String())
	}
}
