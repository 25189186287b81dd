package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// command has the built command, for all tests.
var command plan

// The clients' and the plain process are this test program, too.
func TestMain(m *testing.M) {
	runRole()
	status := 1
	err := build(plan{}, func(p plan) error {
		command = p
		status = m.Run()
		return nil
	})
	if err != nil {
		println(err.Error())
	}
	os.Exit(status)
}

// A short `make load`, with a small model, a tenth of its active sockets and a fifth of its idle ones, because
// the memory of fewer does not stand out from noise on a busy machine: no text is lost or encoded twice,
// idle sockets keep within their memory, and nothing is left.
func TestLoad(t *testing.T) {
	p := plan{Model: "tiny", Idle: 1000, Active: 50, Share: .1, Turns: 1, Turn: time.Second, dir: command.dir, vantage: command.vantage}
	if err := p.measure(false); err != nil {
		t.Error(err)
	}
}

// The server's memory keeps within its bounds in every kind of hoarding, and is returned
// afterwards.
func TestHoard(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		t.Skip("the system does not report a process's peak memory")
	}
	h := hoarding{Session: 160 << 20, Cache: 16 << 20, Sockets: 40, Each: time.Second, Resume: time.Second, After: 20 * time.Second, vantage: command.vantage}
	if err := h.run(command.dir, t.Output()); err != nil {
		t.Error(err)
	}
}

// A client with four connections and 2,000 texts on each fills its share of the queue,
// and no text of another address is refused.
func TestShares(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	if err := shapes["tiny"].Write(model, 1); err != nil {
		t.Fatal(err)
	}
	server, err := startServer(command.vantage, 1, "--model", model, "--log", "off", "--rate", "0", "--queue-tokens", "100000")
	if err != nil {
		t.Fatal(err)
	}
	defer server.kill()
	got, err := share(server.url, 4, 2000, 3*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the greedy client: %v; single texts of the other: %v, the slowest took %v", got.greedy, got.single, got.slow)
	if got.greedy[http.StatusTooManyRequests] == 0 {
		t.Error("the greedy client was refused nothing: the queue was never full")
	}
	if len(got.single) != 1 || got.single[http.StatusOK] == 0 {
		t.Errorf("single texts were answered with %v", got.single)
	}
}
