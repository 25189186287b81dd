package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// report has the measurements.
type report struct {
	Plan    plan     `json:"plan"`
	Goals   limits   `json:"goals"`
	Notices []string `json:"notices,omitempty"` // conditions that disturb the measurements

	Memory         float64 `json:"memory_bytes"` // resident, of the server with idle sockets
	IdleBytes      float64 `json:"bytes_per_idle_socket"`
	IdleGoroutines float64 `json:"goroutines_per_idle_socket"`

	Bare       []float64 `json:"bare_texts_per_second"`
	Served     []float64 `json:"served_texts_per_second"`
	Throughput float64   `json:"throughput"` // median of the turns' served / bare

	CPU processor `json:"cpu_ms_per_text"`

	Alone   latencies `json:"alone_ms"`               // of a text that arrives alone
	Process latencies `json:"alone_process_ms"`       // the same in a process with a pipe, in place of the server
	Beside  float64   `json:"alone_beside_model_ms"`  // of it, the time from frame to frame in the server, without the model
	Rate    float64   `json:"paced_texts_per_second"` // of texts that come at random times
	Paced   latencies `json:"paced_ms"`
	Queue   latencies `json:"queue_ms"` // of those, if only the queue took time, at the measured throughputs

	Asked          int      `json:"asked"`
	Lost           int      `json:"lost"`
	EncodedTwice   float64  `json:"encoded_twice"`
	Faults         []string `json:"faults,omitempty"`
	LeftSockets    float64  `json:"left_sockets"`
	LeftGoroutines float64  `json:"left_goroutines"`
	LeftFiles      float64  `json:"left_files"`
}

// latencies has quantiles in milliseconds.
type latencies struct {
	P50 latency `json:"p50"`
	P99 latency `json:"p99"`
}

// latency has medians over the turns for one quantile, in milliseconds. Added is the
// median of the turns' differences, so that a single disturbed turn does not matter.
type latency struct {
	Bare   float64 `json:"bare"`
	Served float64 `json:"served"`
	Added  float64 `json:"added"`
}

// turn has latencies of similar texts, bare and served.
type turn struct{ bare, served []float64 }

func added(turns []turn) latencies { return latencies{at(turns, .5), at(turns, .99)} }

// at returns the latency at a quantile.
func at(turns []turn, q float64) latency {
	var bare, served, added []float64
	for _, t := range turns {
		b, s := quantile(t.bare, q), quantile(t.served, q)
		bare, served, added = append(bare, b), append(served, s), append(added, s-b)
	}
	return latency{median(bare), median(served), median(added)}
}

// processor is the processor time of a text, in milliseconds.
type processor struct {
	Bare    float64 `json:"bare"`
	Server  float64 `json:"server"`
	Clients float64 `json:"clients"`
}

// limits are the goals of the encode server.
type limits struct {
	IdleBytes  float64 `json:"bytes_per_idle_socket"`
	Throughput float64 `json:"throughput"`
	AddedP99   float64 `json:"added_p99_ms"`
}

var goals = limits{IdleBytes: 20 << 10, Throughput: .95, AddedP99: 1}

// slack is the number of additional goroutines or files that do not count as a
// leak: those of the connection that asks for the metrics.
const slack = 4

func (r *report) print(w io.Writer) {
	for _, notice := range r.Notices {
		fmt.Fprintln(w, notice)
	}
	p, threads := r.Plan, "1 thread"
	if p.Threads > 1 {
		threads = fmt.Sprintf("%d threads", p.Threads)
	}
	fmt.Fprintf(w, "%s, texts of %d tokens, %s; %d idle and %d active sockets; %d turns of %v\n\n", p.Model, tokens, threads, p.Idle, p.Active, p.Turns, p.Turn)
	row := func(name, value, goal string) { fmt.Fprintf(w, "%-44s %14s %14s\n", name, value, goal) }
	row("", "", "goal")
	row("memory for an idle socket, KB", fmt.Sprintf("%.1f", r.IdleBytes/1024), fmt.Sprintf("%.0f", r.Goals.IdleBytes/1024))
	row("goroutines for an idle socket", fmt.Sprintf("%.2f", r.IdleGoroutines), "")
	row("throughput of the bare encoder, texts/s", fmt.Sprintf("%.1f", median(r.Bare)), "")
	row("throughput through the sockets, texts/s", fmt.Sprintf("%.1f", median(r.Served)), "")
	row("ratio", fmt.Sprintf("%.1f %%", 100*r.Throughput), fmt.Sprintf("%.0f %%", 100*r.Goals.Throughput))
	row("ms of a processor for a text: bare", fmt.Sprintf("%.3f", r.CPU.Bare), "")
	row("  server, clients", fmt.Sprintf("%.3f, %.3f", r.CPU.Server, r.CPU.Clients), "")
	r.Alone.print(row, "a text alone", fmt.Sprintf("+%.1f", r.Goals.AddedP99))
	row("  by a plain process: p50, p99", fmt.Sprintf("%+.2f, %+.2f", r.Process.P50.Added, r.Process.P99.Added), "")
	row("  in the server, beside the model: mean", fmt.Sprintf("%+.2f", r.Beside), "")
	r.Paced.print(row, fmt.Sprintf("at %.1f texts/s", r.Rate), "")
	row(" by the queue alone: p50, p99", fmt.Sprintf("%+.2f, %+.2f", r.Queue.P50.Added, r.Queue.P99.Added), "")
	row("texts sent", fmt.Sprint(r.Asked), "")
	row("  lost, encoded twice", fmt.Sprintf("%d, %.0f", r.Lost, r.EncodedTwice), "0, 0")
	row("left: sockets, goroutines, files", fmt.Sprintf("%.0f, %.0f, %.0f", r.LeftSockets, r.LeftGoroutines, r.LeftFiles), "none")
}

func (l *latencies) print(row func(name, value, goal string), when, goal string) {
	row(when+", ms: p50 bare, served", fmt.Sprintf("%.2f, %.2f", l.P50.Bare, l.P50.Served), "")
	row("  p99", fmt.Sprintf("%.2f, %.2f", l.P99.Bare, l.P99.Served), "")
	row("  added: p50, p99", fmt.Sprintf("%+.2f, %+.2f", l.P50.Added, l.P99.Added), goal)
}

// check returns the faults that do not depend on the machine's speed.
func (r *report) check() error {
	var wrong []error
	fail := func(is bool, format string, args ...any) {
		if is {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	fail(r.Asked == 0, "no text was sent")
	fail(r.IdleBytes > r.Goals.IdleBytes, "an idle socket takes %.0f bytes, at most %.0f", r.IdleBytes, r.Goals.IdleBytes)
	fail(r.Lost != 0, "%d texts have no answer", r.Lost)
	fail(r.EncodedTwice != 0, "%.0f texts were encoded twice", r.EncodedTwice)
	fail(r.LeftSockets != 0 || r.LeftGoroutines > slack || r.LeftFiles > slack, "%.0f sockets, %.0f goroutines and %.0f files are left", r.LeftSockets, r.LeftGoroutines, r.LeftFiles)
	for _, fault := range slices.Compact(slices.Sorted(slices.Values(r.Faults))) {
		wrong = append(wrong, errors.New(fault))
	}
	return errors.Join(wrong...)
}
