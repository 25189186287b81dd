package main

import (
	"encoding/json"
	"io"
	"os"
)

// stderr receives everything except the answer.
var stderr io.Writer = os.Stderr

// printJSON writes a value and a line break to stdout: numbers as the shortest
// decimals that read back the same, text as it is.
func printJSON(value any) error {
	return buffered(os.Stdout, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false) // as JSON.stringify
		return e.Encode(value)
	})
}

// printText writes lines for people to stdout.
func printText(write func(w io.Writer) error) error { return buffered(os.Stdout, write) }
