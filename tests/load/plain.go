package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/testing/peer"
)

// plainOrder is a line that the plain process reads: a model to open, or a text.
type plainOrder struct {
	Model string
	Text  string
}

// plainAnswer is the line that the process writes.
type plainAnswer struct{ Error string }

// startPlain starts a process that reads texts from a pipe, encodes them and reports
// that. It separates the server's overhead from that of any second process.
func startPlain(p plan) (*peer.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), roleVariable+"="+plainRole, "GOMAXPROCS="+strconv.Itoa(p.Threads))
	process, err := peer.Start(command)
	if err != nil {
		return nil, err
	}
	if err := askPlain(process, plainOrder{Model: p.Model}); err != nil {
		process.Stop()
		return nil, err
	}
	return process, nil
}

func askPlain(p *peer.Process, o plainOrder) error {
	var a plainAnswer
	if err := p.Ask(o, &a); err != nil {
		return err
	}
	if a.Error != "" {
		return fmt.Errorf("the plain process: %s", a.Error)
	}
	return nil
}

// runPlain is the role of that process. It ends with its standard input.
func runPlain(in io.Reader, out io.Writer) int {
	var encoder model.Encoder
	return peer.Follow(in, out, func(o plainOrder) (a plainAnswer) {
		var err error
		if o.Model != "" {
			encoder, err = model.Open(context.Background(), o.Model, model.Options{})
		} else {
			err = encode(encoder, o.Text)
		}
		if err != nil {
			a.Error = err.Error()
		}
		return a
	})
}
