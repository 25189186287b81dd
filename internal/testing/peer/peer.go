// Package peer runs a second process for a measurement. The process follows orders:
// each is a JSON value on standard input, answered by one on standard output.
package peer

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Process is a running peer.
type Process struct {
	command *exec.Cmd
	in      io.WriteCloser
	answers *json.Decoder
}

// Start starts a command, whose standard error is ours.
func Start(command *exec.Cmd) (*Process, error) {
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Process{command, in, json.NewDecoder(out)}, command.Start()
}

// Ask sends an order and waits for its answer.
func (p *Process) Ask(order, answer any) error {
	if err := json.NewEncoder(p.in).Encode(order); err != nil {
		return fmt.Errorf("%s: %w", p.command, err)
	}
	if err := p.answers.Decode(answer); err != nil {
		return fmt.Errorf("%s: %w", p.command, err)
	}
	return nil
}

// Follow is the process's side: it executes orders until there are no more, and
// returns the exit status.
func Follow[O, A any](in io.Reader, out io.Writer, do func(O) A) int {
	orders, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var order O
		if err := orders.Decode(&order); err != nil {
			return 0
		}
		if err := answers.Encode(do(order)); err != nil {
			return 1
		}
	}
}

// Stop ends the process by closing its standard input.
func (p *Process) Stop() {
	p.in.Close()
	p.command.Wait()
}
