// Command pack puts the WebAssembly modules into the folder static, where the
// JavaScript library is: core.wasm, built with the pinned toolchain and flags so that
// anyone gets the same bytes, and packed by zopfli, which makes smaller gzip files (by 5 %).
// It also copies the kernel's modules, because that folder is published as it is. The
// shim, of some hundred bytes, is put into a script.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/wasm/core/build"
	"github.com/vantage-search/vantage/internal/wasm/kernel/binary"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: pack FOLDER")
	}
	core, err := build.Core(false)
	if err != nil {
		log.Fatal(err)
	}
	packed, err := pack(core)
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range map[string][]byte{"lib/core.wasm.gz": packed, "lib/kernel.wasm": binary.Kernel, "lib/kernel-relaxed.wasm": binary.Relaxed, "src/engine/shim.js": binary.ShimScript()} {
		if err := os.WriteFile(filepath.Join(os.Args[1], filepath.FromSlash(name)), content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	log.Printf("core.wasm.gz: %d bytes, %d unpacked", len(packed), len(core))
}

// pack packs b with zopfli and checks that the result unpacks to b.
func pack(b []byte) ([]byte, error) {
	file, err := os.CreateTemp("", "core.wasm")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(b); err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	packed, err := exec.Command("zopfli", "--i15", "-c", file.Name()).Output()
	if err != nil {
		return nil, fmt.Errorf("zopfli: %w: install it, as scripts/zopfli.sh does", err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("zopfli: %w", err)
	}
	if unpacked, err := io.ReadAll(r); err != nil || !bytes.Equal(unpacked, b) {
		return nil, errors.Join(errors.New("what zopfli wrote does not unpack to its input"), err)
	}
	return packed, nil
}
