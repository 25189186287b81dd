// Command vantage indexes corpora, searches them by point of view and serves them to
// browsers. See `vantage help`.
package main

import "os"

func main() { os.Exit(run(os.Args[1:])) }
