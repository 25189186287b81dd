package main

import (
	"encoding/json"
	"io"
	"os"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/file"
)

// stderr is where everything goes that is not the answer.
var stderr io.Writer = os.Stderr

// told is what tells people about a command beside its answer.
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
