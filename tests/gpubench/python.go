package main

import (
	"fmt"
	"os/exec"

	"github.com/vantage-search/vantage/internal/testing/peer"
)

// startPython starts a process with sentence-transformers. It returns nil, and says
// so, if Python lacks what is measured against.
func startPython() (*peer.Process, error) {
	if output, err := exec.Command("python3", "-c", "import torch, sentence_transformers").CombinedOutput(); err != nil {
		fmt.Printf("without PyTorch beside it: python3 does not load torch and sentence_transformers (%v)\n%s", err, output)
		return nil, nil
	}
	return peer.Start(exec.Command("python3", "tests/gpubench/bench.py"))
}
