// Command load measures `vantage serve --model` under many sockets against the
// bare encoder: the server, its clients and this program are separate processes
// on one machine, and the server and the bare encoder alternate.
//
//	go run ./tests/load -idle 5000 -active 500
//
// It fails if an answer is lost, if a text is encoded twice, if something is left behind
// in the server, or if an idle socket takes too much memory. Times are only
// printed, beside their goals.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// plan has the settings of a measurement.
type plan struct {
	Model   string        `json:"model"` // a shape, "static", or a folder
	Idle    int           `json:"idle_sockets"`
	Active  int           `json:"active_sockets"`
	Share   float64       `json:"load"` // of the bare encoder's throughput, for latencies
	Turns   int           `json:"turns"`
	Turn    time.Duration `json:"turn_ns"`
	Threads int           `json:"threads"` // of the model, bare and served
	dir     string        // for files
	vantage string        // the command
}

func main() {
	runRole()
	p := plan{}
	var asJSON bool
	flag.StringVar(&p.Model, "model", "MiniLM-L6", "MiniLM-L6, BERT-base or tiny with random weights, static, or a model's folder")
	flag.IntVar(&p.Idle, "idle", 5000, "idle sockets")
	flag.IntVar(&p.Active, "active", 500, "active sockets")
	flag.Float64Var(&p.Share, "load", .6, "load at which latencies are measured, as a share of the bare encoder's throughput")
	flag.IntVar(&p.Turns, "turns", 9, "turns of each")
	flag.DurationVar(&p.Turn, "turn", 4*time.Second, "length of a turn")
	flag.IntVar(&p.Threads, "threads", max(1, runtime.NumCPU()-1), "threads of the model; the clients, which would be on other machines, have the remaining processors")
	flag.BoolVar(&asJSON, "json", false, "print JSON")
	h := hoarding{}
	hoard := flag.Bool("hoard", false, "instead, let clients make the server hold as much memory as possible, and measure it")
	flag.IntVar(&h.Session, "session-bytes", 512<<20, "of the server, with -hoard")
	flag.IntVar(&h.Cache, "cache-bytes", 64<<20, "of the server, with -hoard")
	flag.IntVar(&h.Sockets, "hoarders", 40, "clients at a time, with -hoard")
	flag.DurationVar(&h.Each, "hoard-time", 30*time.Second, "for each way to hoard")
	flag.DurationVar(&h.Resume, "resume", 30*time.Second, "of the server, with -hoard")
	flag.DurationVar(&h.After, "hoard-after", time.Minute, "time for the server to return the memory")
	flag.StringVar(&h.Only, "hoard-only", "", "only the ways whose names contain this `TEXT`")
	flag.Parse()
	if p.Idle < leastIdle || p.Active < 1 || p.Threads < 1 {
		fmt.Fprintf(os.Stderr, "load: -idle %d, -active %d, -threads %d: at least %d, 1 and 1\n", p.Idle, p.Active, p.Threads, leastIdle)
		os.Exit(2)
	}
	run := func(p plan) error { return p.measure(asJSON) }
	if *hoard {
		run = func(p plan) error { h.vantage = p.vantage; return h.run(p.dir, os.Stdout) }
	}
	if err := build(p, run); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// runRole runs the role of this process, if it was started for one, and then exits.
func runRole() {
	switch os.Getenv(roleVariable) {
	case clientsRole:
		os.Exit(runClient(os.Stdin, os.Stdout))
	case plainRole:
		os.Exit(runPlain(os.Stdin, os.Stdout))
	}
}

// leastIdle is the number of idle sockets whose memory stands out from noise.
const leastIdle = 100

// build builds the command in a temporary folder and calls run with it.
func build(p plan, run func(plan) error) error {
	dir, err := os.MkdirTemp("", "vantage-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p.dir, p.vantage = dir, filepath.Join(dir, "vantage")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", p.vantage, "github.com/vantage-search/vantage/cmd/vantage")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the command: %w", err)
	}
	return run(p)
}

// measure runs the plan, prints the report and returns its faults.
func (p plan) measure(asJSON bool) error {
	r, err := p.run(p.dir)
	if err != nil {
		return err
	}
	if asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		if err := out.Encode(r); err != nil {
			return err
		}
	} else {
		r.print(os.Stdout)
	}
	return r.check()
}
