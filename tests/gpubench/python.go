package main

import (
	"fmt"
	"os/exec"

	"github.com/vantage-search/vantage/internal/testing/peer"
)

// startPython starts a process with sentence-transformers. If Python lacks it, it
// prints that and returns nil.
func startPython() (*peer.Process, error) {
	if output, err := exec.Command("python3", "-c", "import torch, sentence_transformers").CombinedOutput(); err != nil {
		fmt.Printf("no comparison with PyTorch: python3 cannot import torch and sentence_transformers (%v)\n%s", err, output)
		return nil, nil
	}
	return peer.Start(exec.Command("python3", "tests/gpubench/bench.py"))
}
