package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
)

// How often progress is shown: on a terminal, and as lines in a log.
const (
	barInterval  = 100 * time.Millisecond
	lineInterval = 5 * time.Second
)

// units are what the stages count.
var units = map[string]string{
	"weigh": "document", collection.StageEncode: "document", "write": "file", // index
	"read": "document", "vocabulary": "token", "vectors": "pass", // fit
	"index": "document", "search": "query", // eval
	"verify":           "file",
	loadStage:          "byte",
	pullStage:          "byte",
	pireval.StageEmbed: "text", pireval.StageRank: "ranking", decomposeStage: "task", // eval pir
}

// loadStage is the loading of vectors, counted in bytes.
const loadStage = "load"

// progress shows how far the stages of a command are, on stderr: a bar on a
// terminal, else a line every few seconds and one at the end of each stage.
// Its methods are called from one goroutine at a time.
type progress struct {
	w        io.Writer
	terminal bool
	// least is how long a stage must have taken to be worth a line at its end.
	least time.Duration
	// input tells how much of the input has been read; it stands in where a
	// stage does not know its total.
	input func() (read, size int64)

	stage          string
	done, total    int64
	started, shown time.Time
	pace           pace
	bar            *progressbar.ProgressBar
}

func newProgress() *progress {
	return &progress{w: stderr, terminal: term.IsTerminal(int(os.Stderr.Fd()))}
}

// update is told how far a stage is; total is 0 where it is not known.
func (p *progress) update(stage string, done, total int64) {
	if stage != p.stage {
		p.end()
		p.stage, p.started, p.shown, p.pace = stage, time.Now(), time.Now(), pace{}
		p.done, p.total = done, total
		p.mark()
	}
	p.done, p.total = done, total
	interval := lineInterval
	if p.terminal {
		interval = barInterval
	}
	if time.Since(p.shown) < interval {
		return
	}
	p.shown = time.Now()
	p.mark()
	at, of := p.share()
	if p.terminal {
		p.draw(at, of)
		return
	}
	percent := ""
	if of > 0 {
		percent = fmt.Sprintf(" (%d %%)", 100*at/of)
	}
	fmt.Fprintf(p.w, "%s: %s%s%s\n", p.stage, p.counted(), percent, p.paced())
}

// share is how much of how much is done, 0 of 0 where nobody knows.
func (p *progress) share() (at, of int64) {
	if p.total == 0 && p.input != nil {
		at, of = p.input()
	} else {
		at, of = p.done, p.total
	}
	return min(at, of), of
}

// mark notes how far the stage is now.
func (p *progress) mark() {
	share := 0.0
	if at, of := p.share(); of > 0 {
		share = float64(at) / float64(of)
	}
	p.pace.mark(time.Now(), p.done, share)
}

// paced tells the pace of encoding, which takes long where a transformer does it.
func (p *progress) paced() string {
	if p.isPaced() {
		return p.pace.text(units[p.stage])
	}
	return ""
}

func (p *progress) isPaced() bool { return p.stage == collection.StageEncode || p.stage == embedStage }

func (p *progress) counted() string {
	switch unit := units[p.stage]; unit {
	case "byte":
		return bytesText(p.done)
	case "pass":
		return fmt.Sprintf("pass %d", p.done)
	default:
		return count(p.done, unit)
	}
}

func (p *progress) draw(at, of int64) {
	what := p.stage + " " + p.counted() + p.paced()
	if p.bar == nil || p.bar.GetMax64() != of && of > 0 {
		if of == 0 {
			of = -1 // a spinner
		}
		p.bar = progressbar.NewOptions64(of,
			progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription(what), progressbar.OptionUseANSICodes(true), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetWidth(24), progressbar.OptionSetPredictTime(of > 0 && !p.isPaced()))
	}
	p.bar.Set64(min(at, p.bar.GetMax64()-1)) // a full bar would go by itself
	p.bar.Describe(what)                     // which draws it
}

// end closes the present stage.
func (p *progress) end() {
	took := time.Since(p.started)
	stage := p.stage
	p.stop()
	if stage != "" && took >= p.least {
		p.stage = stage
		fmt.Fprintf(p.w, "%s: %s, %.1f s\n", stage, p.counted(), took.Seconds())
		p.stage = ""
	}
}

// stop takes the bar away, so that an error stands alone.
func (p *progress) stop() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar = nil
	}
	p.stage = ""
}
