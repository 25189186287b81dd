package main

import (
	"encoding/json"
	"io"
	"os"

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
