// Package progress shows the progress of a command.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/vantage-search/vantage/internal/human"
)

// Intervals at which progress is shown: on a terminal, and as lines in a log.
const (
	barInterval = 100 * time.Millisecond
	// LineInterval is the time between lines in a log. Some commands also take it as Bar.Least.
	LineInterval = 5 * time.Second
)

// Names of stages. Other packages name further ones, and pireval has constants of its own for embed and rank.
const (
	Load   = "load"   // loads vectors, counts bytes
	Pull   = "pull"   // downloads a model, counts bytes
	Index  = "index"  // counts documents
	Search = "search" // counts queries
	Embed  = "embed"  // counts texts
	Rank   = "rank"   // counts rankings
	Detect = "detect" // counts pairs of a document and a perspective
	Verify = "verify" // counts files

	Classify = "classify" // counts texts
	Ask      = "ask"      // asks a chat model, counts questions
	Expand   = "expand"   // counts questions

	Intent  = "intent"  // counts queries
	Rewrite = "rewrite" // counts queries
	Answer  = "answer"  // counts queries
)

// units are the things that the stages count.
var units = map[string]string{
	"weigh": "document", "encode": "document", "centroids": "step", "tokens": "document", "write": "file", // stages of writing a collection
	"read": "document", "vocabulary": "token", "vectors": "pass", // stages of learning a model
	Load: "byte", Pull: "byte", Index: "document", Search: "query", Verify: "file",
	"round": "part", "compare": "layer", // stages of packing a model
	Embed: "text", Rank: "ranking", Detect: "pair", Classify: "text", "decompose": "task", "extract": "query", Ask: "question", Expand: "question", // stages of evaluations, and of embed
	Intent: "query", Rewrite: "query", Answer: "query", // stages of MVRAG
}

// Bar shows the progress of a command's stages: as a bar on a terminal, otherwise by a
// line every few seconds. Either way, a stage that took Least leaves a line when it ends.
// Its methods are called from one goroutine at a time; those of a nil Bar show nothing.
type Bar struct {
	// Least is the time that a stage must have taken to get a line at its end.
	Least time.Duration
	// Input returns how much of the input the things take that are done, and its size. It is used if a stage does not know
	// its total.
	Input func(done int64) (taken, size int64)

	w        io.Writer
	terminal bool

	stage          string
	done, total    int64
	started, shown time.Time
	pace           pace
	bar            *progressbar.ProgressBar
}

// New shows progress on w, which may be a terminal.
func New(w io.Writer) *Bar {
	f, ok := w.(*os.File)
	return &Bar{w: w, terminal: ok && term.IsTerminal(int(f.Fd()))}
}

// Update shows the progress of a stage; total is 0 if it is unknown.
func (p *Bar) Update(stage string, done, total int64) {
	if p == nil {
		return
	}
	if stage != p.stage {
		p.End()
		p.stage, p.started, p.shown, p.pace = stage, time.Now(), time.Now(), pace{}
		p.done, p.total = done, total
		p.mark()
	}
	p.done, p.total = done, total
	interval := LineInterval
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

// share is the amount done and the total; both are 0 if the total is unknown.
func (p *Bar) share() (at, of int64) {
	if p.total == 0 && p.Input != nil {
		at, of = p.Input(p.done)
	} else {
		at, of = p.done, p.total
	}
	return min(at, of), of
}

// mark records the current progress of the stage.
func (p *Bar) mark() {
	share := 0.0
	if at, of := p.share(); of > 0 {
		share = float64(at) / float64(of)
	}
	p.pace.mark(time.Now(), p.done, share)
}

// paced returns the pace of the stage as text, or "" for a stage that does not show it.
func (p *Bar) paced() string {
	if p.isPaced() {
		return p.pace.text(units[p.stage])
	}
	return ""
}

// isPaced reports whether the stage shows its pace: encoding takes long with a transformer.
func (p *Bar) isPaced() bool { return p.stage == "encode" || p.stage == Embed }

func (p *Bar) counted() string {
	switch unit := units[p.stage]; unit {
	case "byte":
		return human.Bytes(p.done)
	case "pass":
		return fmt.Sprintf("pass %d", p.done)
	default:
		return human.Count(p.done, unit)
	}
}

func (p *Bar) draw(at, of int64) {
	what := p.stage + " " + p.counted() + p.paced()
	if p.bar == nil || p.bar.GetMax64() != of && of > 0 {
		if of == 0 {
			of = -1 // a spinner
		}
		p.bar = progressbar.NewOptions64(of,
			progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription(what), progressbar.OptionUseANSICodes(true), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetWidth(24), progressbar.OptionSetPredictTime(of > 0 && !p.isPaced()))
	}
	p.bar.Set64(min(at, p.bar.GetMax64()-1)) // a full bar would remove itself
	p.bar.Describe(what)                     // draws the bar
}

// End ends the current stage.
func (p *Bar) End() {
	if p == nil {
		return
	}
	took := time.Since(p.started)
	stage := p.stage
	p.Stop()
	if stage != "" && took >= p.Least {
		p.stage = stage
		fmt.Fprintf(p.w, "%s: %s, %.1f s\n", stage, p.counted(), took.Seconds())
		p.stage = ""
	}
}

// Stop removes the bar, so that an error is not next to it.
func (p *Bar) Stop() {
	if p == nil {
		return
	}
	if p.bar != nil {
		p.bar.Clear()
		p.bar = nil
	}
	p.stage = ""
}
