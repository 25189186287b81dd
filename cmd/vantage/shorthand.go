package main

import (
	"io"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func usagef(format string, args ...any) error { return fault.Errorf(fault.Query, format, args...) }
func inputf(format string, args ...any) error { return fault.Errorf(fault.Input, format, args...) }
func is[T error](err error) bool              { return fault.Is[T](err) }
func wrap(place string, err error) error      { return fault.At(place, err) }
func unnamed(err error) error                 { return fault.Unnamed(err) }

func escape(s string) string                      { return human.Escape(s) }
func oneLine(s string) string                     { return human.OneLine(s) }
func cut(s string, columns int) string            { return human.Cut(s, columns) }
func pad(s string, columns int, left bool) string { return human.Pad(s, columns, left) }
func bytesText(n int64) string                    { return human.Bytes(n) }
func are(n int) string                            { return human.Are(n) }

func count[N int | int64](n N, thing string) string { return human.Count(n, thing) }

// told returns the console of a command.
func told() *console.Console { return console.New(stderr) }

func newProgress() *progress.Bar { return progress.New(stderr) }

func replaceFile(path string, write func(io.Writer) error) error { return file.Replace(path, write) }
func unwritable(path string, err error) error                    { return file.Unwritable(path, err) }
func buffered(w io.Writer, write func(io.Writer) error) error    { return file.Buffered(w, write) }
