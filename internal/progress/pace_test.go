package progress

import (
	"testing"
	"time"
)

// The pace is measured over the last paceWindow, so that the work of an earlier run is
// soon forgotten.
func TestPace(t *testing.T) {
	var p pace
	start := time.Now()
	p.mark(start, 0, 0)
	if got := p.text("text"); got != "" {
		t.Errorf("at the start: %q", got)
	}
	for i := range 24 {
		done := int64(10_000 + 50*(i+1))
		p.mark(start.Add(time.Duration(i+1)*5*time.Second), done, float64(done)/20_000)
	}
	if got := p.text("text"); got != ", 10 texts/s, 14m40s left" {
		t.Errorf("%q", got)
	}
	p.mark(start.Add(125*time.Second), 11_202, 1)
	if got := p.text("text"); got != ", 8.4 texts/s" {
		t.Errorf("%q", got)
	}
}
