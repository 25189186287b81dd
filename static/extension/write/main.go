// Command write builds the browser extension of the repository in the current folder:
//
//	go run ./static/extension/write build/extension
package main

import (
	"fmt"
	"os"

	"github.com/vantage-search/vantage/static/extension"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: write FOLDER")
		os.Exit(2)
	}
	sizes, err := extension.Write(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "extension:", err)
		os.Exit(1)
	}
	for _, browser := range extension.Browsers {
		fmt.Printf("%s/vantage-%s.zip: %d bytes; unpacked in %[1]s/%[2]s\n", os.Args[1], browser, sizes[browser])
	}
}
