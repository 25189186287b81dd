// Command pack puts the WebAssembly modules into the folder of the JavaScript
// library: core.wasm, built with the pinned toolchain and flags so that anyone
// gets the same bytes, gzipped; and copies of the kernel's, because the library
// is published as it lies.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/wasm/core/build"
	"github.com/vantage-search/vantage/wasm/core/pack/deflate"
	"github.com/vantage-search/vantage/wasm/kernel/binary"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: pack DIRECTORY")
	}
	core, err := build.Core(false)
	if err != nil {
		log.Fatal(err)
	}
	packed := deflate.Gzip(core)
	for name, content := range map[string][]byte{"core.wasm.gz": packed, "kernel.wasm": binary.Kernel, "shim.wasm": binary.Shim} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	log.Printf("core.wasm.gz: %d bytes, %d unpacked", len(packed), len(core))
}
