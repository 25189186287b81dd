package main

import (
	"encoding/json"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/vantage-search/vantage/internal/answers"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/file"
)

// stderr receives everything except the answer.
var stderr io.Writer = os.Stderr

// told returns the console for messages to people, as opposed to the answer.
func told() *console.Console { return console.New(stderr) }

// printJSON writes a value and a line break to stdout: numbers as the shortest
// decimals that read back the same, text as it is.
func printJSON(value any) error {
	return file.Buffered(os.Stdout, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false) // as JSON.stringify
		return e.Encode(value)
	})
}

// printText writes lines for people to stdout.
func printText(write func(w io.Writer) error) error { return file.Buffered(os.Stdout, write) }

// checkedOutput is stdout, and keeps the first error of writing to it: cobra prints help without looking at errors.
type checkedOutput struct{ err error }

func (c *checkedOutput) Write(b []byte) (int, error) {
	n, err := os.Stdout.Write(b)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// fileWidth is the width of a table that is not printed to a terminal.
const fileWidth = 120

// printAnswer writes an answer: as JSON, or for people with remarks on stderr.
func printAnswer(asJSON bool, value any, answer answers.Answer) error {
	if asJSON {
		return printJSON(value)
	}
	answer.About(stderr)
	width := fileWidth
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && columns > 0 {
		width = columns
	}
	return printText(func(w io.Writer) error { return answer.Table(w, width) })
}
