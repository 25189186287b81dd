package main

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// On a terminal there is a bar, which is taken away at the end of its stage.
func TestProgressBar(t *testing.T) {
	var b strings.Builder
	p := &progress{w: &b, terminal: true, input: func() (int64, int64) { return 30, 120 }}
	p.update("encode", 1, 0)
	p.shown = time.Time{} // as if time had passed
	p.update("encode", 500, 0)
	if !strings.Contains(b.String(), "encode 500 documents") || !strings.Contains(b.String(), "25%") {
		t.Errorf("no bar: %q", b.String())
	}
	drawn := b.Len()
	p.update("write", 1, 2)
	if rest := b.String()[drawn:]; !strings.HasPrefix(rest, "\x1b[2K\r") || !strings.HasSuffix(rest, "encode: 500 documents, 0.0 s\n") {
		t.Errorf("at the end of a stage: %q", rest)
	}
	drawn = b.Len()
	p.shown = time.Time{}
	p.update("write", 2, 2)
	p.stop()
	if rest := b.String()[drawn:]; strings.Contains(rest, "write:") {
		t.Errorf("a stage that was broken off: %q", rest)
	}
}

func TestProgressLines(t *testing.T) {
	var b strings.Builder
	p := &progress{w: &b}
	for done := range int64(1000) {
		p.update("encode", done, 1000)
	}
	if b.Len() > 0 {
		t.Errorf("too often: %q", b.String())
	}
	p.shown = time.Now().Add(-2 * lineInterval)
	p.update("encode", 500, 1000)
	p.update("write", 1, 1)
	p.end()
	p.least = time.Hour
	p.update("load", 5000, 5000)
	p.end()
	want := regexp.MustCompile(`^encode: 500 documents \(50 %\)\nencode: 500 documents, \d+\.\d s\nwrite: 1 file, 0\.0 s\n$`)
	if !want.MatchString(b.String()) {
		t.Errorf("%q", b.String())
	}
}
