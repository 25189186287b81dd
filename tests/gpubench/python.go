package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// python is a process with sentence-transformers.
type python struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startPython returns nil, and says so, where Python lacks what is measured
// against.
func startPython() (*python, error) {
	if output, err := exec.Command("python3", "-c", "import torch, sentence_transformers").CombinedOutput(); err != nil {
		fmt.Printf("without PyTorch beside it: python3 does not load torch and sentence_transformers (%v)\n%s", err, output)
		return nil, nil
	}
	p := &python{command: exec.Command("python3", "tests/gpubench/bench.py")}
	p.command.Stderr = os.Stderr
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.command.Start()
}

// ask sends a task and waits for its answer.
func (p *python) ask(task, answer any) error {
	b, err := json.Marshal(task)
	if err != nil {
		return err
	}
	if _, err := p.in.Write(append(b, '\n')); err != nil {
		return err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("python3 tests/gpubench/bench.py ended: %w", err)
	}
	return json.Unmarshal(line, answer)
}

func (p *python) stop() {
	p.in.Close()
	p.command.Wait()
}
