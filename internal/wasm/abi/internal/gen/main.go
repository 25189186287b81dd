// Command gen writes the JavaScript side of the ABI, abi.js and abi.d.ts,
// into the directory named by its argument.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/wasm/abi"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: gen DIRECTORY")
	}
	for name, text := range abi.JavaScript() {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
