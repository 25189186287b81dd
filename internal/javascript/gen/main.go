// Command gen writes the constants that scripts share with Go, and Unicode's properties of
// characters, into the directory named by its argument.
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
	unicode, err := javascript.Unicode()
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range map[string]string{javascript.FileName: javascript.Constants(), javascript.UnicodeName: unicode} {
		if err := os.WriteFile(filepath.Join(os.Args[1], filepath.FromSlash(name)), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
