package progress

import (
	"fmt"
	"time"
)

// paceWindow is the time over which the pace of a stage is measured. It is long enough
// to smooth over batches, and short enough to forget the work of an earlier run.
const paceWindow = 30 * time.Second

// pace measures the speed of a stage over the last paceWindow.
type pace struct{ marks []mark }

// mark is the progress of a stage at a time: the number of things done, and the share
// of the input from 0 to 1.
type mark struct {
	at    time.Time
	done  int64
	share float64
}

func (p *pace) mark(now time.Time, done int64, share float64) {
	p.marks = append(p.marks, mark{now, done, share})
	for len(p.marks) > 2 && now.Sub(p.marks[1].at) >= paceWindow {
		p.marks = p.marks[1:]
	}
}

// text says things per second and the time left, as far as they are known.
func (p *pace) text(thing string) string {
	if len(p.marks) < 2 {
		return ""
	}
	first, last := p.marks[0], p.marks[len(p.marks)-1]
	seconds := last.at.Sub(first.at).Seconds()
	if seconds < 1 || last.done <= first.done {
		return ""
	}
	rate := float64(last.done-first.done) / seconds
	out := fmt.Sprintf(", %.0f %ss/s", rate, thing)
	if rate < 10 {
		out = fmt.Sprintf(", %.1f %ss/s", rate, thing)
	}
	if gone := last.share - first.share; gone > 0 && last.share < 1 {
		left := (1 - last.share) / gone * seconds
		out += fmt.Sprintf(", %s left", time.Duration(left*float64(time.Second)).Round(time.Second))
	}
	return out
}
