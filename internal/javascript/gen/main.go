// Command gen writes the constants that scripts share with Go into the directory named
// by its argument.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/javascript"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: gen DIRECTORY")
	}
	if err := os.WriteFile(filepath.Join(os.Args[1], javascript.FileName), []byte(javascript.Constants()), 0o644); err != nil {
		log.Fatal(err)
	}
}
