//go:build !linux

package main

import "os"

// frameOutput is stdout: only on Linux are there libraries that print there.
func frameOutput() (*os.File, error) { return os.Stdout, nil }
