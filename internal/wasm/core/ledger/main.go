// Command ledger prints sizes in the browser module: bytes of code by package (of packages of
// Go itself only the large ones), the data, and the size of core and kernel under brotli. If it gets
// function numbers from a browser's stack trace (wasm-function[283]), it prints the
// names of these functions.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/vantage-search/vantage/internal/wasm/core/build"
	"github.com/vantage-search/vantage/internal/wasm/kernel/binary"
)

func main() {
	named, err := build.Core(true)
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) > 1 {
		printNames(named, os.Args[1:])
		return
	}
	shipped, err := build.Core(false)
	if err != nil {
		log.Fatal(err)
	}
	s, err := measure(named)
	if err != nil {
		log.Fatal(err)
	}
	ours, others := 0, 0
	fmt.Printf("%9s  package\n", "code")
	for _, pkg := range slices.SortedFunc(maps.Keys(s.code), func(a, b string) int { return cmp.Compare(s.code[b], s.code[a]) }) {
		size := s.code[pkg]
		if strings.HasPrefix(pkg, "(") {
			others += size
		} else {
			ours += size
		}
		if !strings.HasPrefix(pkg, "(") || size >= 10_000 {
			fmt.Printf("%9d  %s\n", size, pkg)
		}
	}
	fmt.Printf("\n%9d  code of our packages\n%9d  other code: the runtime, the standard library, entry points, equality and hashing of types\n%9d  data\n%9d  other sections\n", ours, others, s.data, s.other)
	fmt.Printf("\n%9d  core.wasm\n%9d  core.wasm under brotli 11\n%9d  kernel.wasm under brotli 11\n%9d  kernel-relaxed.wasm under brotli 11\n", len(shipped), compressed(shipped), compressed(binary.Kernel), compressed(binary.Relaxed))
	fmt.Printf("%9d  the core and the larger kernel; the budget is %d\n", compressed(shipped)+max(compressed(binary.Kernel), compressed(binary.Relaxed)), 512<<10)
}

func printNames(named []byte, numbers []string) {
	s, err := measure(named)
	if err != nil {
		log.Fatal(err)
	}
	for _, number := range numbers {
		i, err := strconv.Atoi(number)
		name, known := s.names[i]
		if err != nil || !known {
			log.Fatalf("%s is the number of no function that the core defines", number)
		}
		fmt.Printf("%9d  %s\n", i, name)
	}
}

func compressed(b []byte) int {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotli.BestCompression)
	if _, err := w.Write(b); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return out.Len()
}
