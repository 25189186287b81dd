// Package console writes a command's messages beside its answer: warnings, remarks and
// progress.
package console

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/progress"
)

// Console writes to a terminal or a log. A nil Console is silent.
type Console struct {
	w   io.Writer
	log *slog.Logger // of warnings and remarks; nil: they are lines for people
}

// New writes to w.
func New(w io.Writer) *Console { return &Console{w: w} }

// JSON returns a console whose warnings and remarks are lines of JSON, for a log that programs read.
func (c *Console) JSON() *Console {
	if c == nil {
		return nil
	}
	return &Console{c.w, slog.New(slog.NewJSONHandler(c.w, nil))}
}

// Printf writes as fmt.Fprintf does. The caller must escape texts from outside.
func (c *Console) Printf(format string, args ...any) {
	fmt.Fprintf(c, format, args...)
}

// Write makes a Console an io.Writer, for logs.
func (c *Console) Write(b []byte) (int, error) {
	if c == nil {
		return len(b), nil
	}
	return c.w.Write(b)
}

// Warnf writes a warning of one line.
func (c *Console) Warnf(format string, args ...any) {
	c.line(slog.LevelWarn, "warning: ", format, args)
}

// Notef writes a remark of one line.
func (c *Console) Notef(format string, args ...any) { c.line(slog.LevelInfo, "", format, args) }

func (c *Console) line(level slog.Level, kind, format string, args []any) {
	text := human.Escape(fmt.Sprintf(format, args...))
	if c != nil && c.log != nil {
		c.log.Log(context.Background(), level, text)
		return
	}
	c.Printf("vantage: %s%s\n", kind, text)
}

// Progress is a progress bar on the console.
func (c *Console) Progress() *progress.Bar {
	if c == nil {
		return nil
	}
	return progress.New(c.w)
}
