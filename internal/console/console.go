// Package console writes what a command tells people while it runs, in addition to
// its answer: warnings, remarks and progress.
package console

import (
	"fmt"
	"io"

	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/progress"
)

// Console writes to a terminal or a log. A nil Console is silent.
type Console struct{ w io.Writer }

// New writes to w.
func New(w io.Writer) *Console { return &Console{w} }

// Printf writes as fmt.Fprintf does. Texts from outside have to be escaped.
func (c *Console) Printf(format string, args ...any) {
	if c != nil {
		fmt.Fprintf(c.w, format, args...)
	}
}

// Warnf writes a warning of one line.
func (c *Console) Warnf(format string, args ...any) {
	c.Printf("vantage: warning: %s\n", human.Escape(fmt.Sprintf(format, args...)))
}

// Progress shows how far something is.
func (c *Console) Progress() *progress.Bar {
	if c == nil {
		return nil
	}
	return progress.New(c.w)
}
