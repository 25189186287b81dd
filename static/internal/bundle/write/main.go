// Command write builds the scripts and styles of the folder static into it:
//
//	go run ./static/internal/bundle/write static
package main

import (
	"fmt"
	"os"

	"github.com/vantage-search/vantage/static/internal/bundle"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: write FOLDER")
		os.Exit(2)
	}
	if err := bundle.Write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
