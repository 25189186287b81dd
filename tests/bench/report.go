package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// measurement is the page's result; times are in milliseconds, one per round.
type measurement struct {
	N, D       int
	Bytes      map[string]float64
	Resolution float64
	Times      map[string][]float64
	Boot       []float64
	Cold       []float64
	PIR        []float64 // of Tasks tasks
	Tasks      int
}

// steps lists the steps in the order of the table; the second word of a name is
// the type of the rows.
var steps = []struct{ name, label string }{
	{"read F32", "plain read of the rows"},
	{"scan F32 1", "kernel alone, one query vector"},
	{"scan F32 2", "kernel alone, two query vectors"},
	{"search F32 none", "search, cosine, top 10"},
	{"search F32 pap+", "search, PAP+, top 10"},
	{"search F32 contrast", "search, contrast (128 more components), top 10"},
	{"search F32 angles", "the same, with β so large that all angles are read"},
	{"whole F32", "whole search, PAP+: encode, plan, scan, top 10"},
	{"read I8", "plain read of the rows"},
	{"scan I8 1", "kernel alone, one query vector"},
	{"scan I8 2", "kernel alone, two query vectors"},
	{"search I8 none", "search, cosine, top 10"},
	{"search I8 pap+", "search, PAP+, top 10"},
	{"search I8 contrast", "search, contrast (128 more components), top 10"},
	{"search I8 angles", "the same, with β so large that all angles are read"},
	{"explained I8 pap+", "search, PAP+, with explanations"},
	{"ranked I8 pap+", "search, PAP+, with explanations and cosine ranks"},
	{"whole I8", "whole search, PAP+: encode, plan, scan, top 10"},
}

// print writes the table and the figures. The figures are judged by the least
// time of each step, which other programs on the machine disturbed the least;
// the medians show how quiet the machine was.
func (m *measurement) print(w io.Writer) {
	fmt.Fprintf(w, "Chromium, one thread, n = %d, d = %d, %d rounds, clock steps of %g ms\n\n", m.N, m.D, len(m.Times["encode"]), m.Resolution)
	fmt.Fprintf(w, "%-5s %9s %9s %7s %7s  %s\n", "rows", "least ms", "median", "GB/s", "× read", "step")
	for _, s := range steps {
		dtype := strings.Fields(s.name)[1]
		least := slices.Min(m.Times[s.name])
		fmt.Fprintf(w, "%-5s %9.2f %9.2f %7.1f %7.2f  %s\n",
			strings.ToLower(dtype), least, median(m.Times[s.name]), m.Bytes[dtype]/least/1e6, least/slices.Min(m.Times["read "+dtype]), s.label)
	}
	fmt.Fprintf(w, "\nencoding query, root and perspective: %.3f ms\n\n", slices.Min(m.Times["encode"]))

	fmt.Fprintf(w, "%-50s %8s %8s   %s\n", "figure", "least", "median", "limit")
	m.figure(w, "f32: PAP+ / cosine", "search F32 pap+", "search F32 none", "≤", 1.25)
	m.figure(w, "f32 / int8, scans (a quarter of the bytes)", "scan F32 1", "scan I8 1", "≥", 5)
	m.figure(w, "int8: PAP+ / cosine (goal 1.5)", "search I8 pap+", "search I8 none", "≤", 2)
	m.figure(w, "f32: contrast / cosine", "search F32 contrast", "search F32 none", "≤", 1.4)
	m.figure(w, "int8: contrast / cosine", "search I8 contrast", "search I8 none", "≤", 1.4)
	m.figure(w, "f32: whole search / its scan (kernel alone)", "whole F32", "scan F32 2", "≤", 1.5)
	m.figure(w, "int8: whole search / its scan (kernel alone)", "whole I8", "scan I8 2", "≤", 1.5)
	line(w, "boot of the core: compile, instantiate, run (ms)", slices.Min(m.Boot), median(m.Boot), "≤", 40)
	line(w, "cold start to 10,000 passages ranked (ms)", slices.Min(m.Cold), median(m.Cold), "≤", 1000)
	line(w, fmt.Sprintf("page: %d PIR tasks, every method, without encoding (ms)", m.Tasks), slices.Min(m.PIR), median(m.PIR), "≤", 2000)
	fmt.Fprintf(w, "\nA plain read of the f32 rows takes %.2f times as long as one of the int8 rows:\nif both scans run at the speed of memory, int8 cannot gain more than that.\n",
		slices.Min(m.Times["read F32"])/slices.Min(m.Times["read I8"]))
}

// figure compares two steps.
func (m *measurement) figure(w io.Writer, what, a, b, sign string, limit float64) {
	least := slices.Min(m.Times[a]) / slices.Min(m.Times[b])
	ratios := make([]float64, len(m.Times[a]))
	for i := range ratios {
		ratios[i] = m.Times[a][i] / m.Times[b][i] // within one round, the load on the machine is similar
	}
	line(w, what, least, median(ratios), sign, limit)
}

func line(w io.Writer, what string, least, median float64, sign string, limit float64) {
	verdict := "holds"
	if sign == "≤" && least > limit || sign == "≥" && least < limit {
		verdict = "MISSED"
	}
	fmt.Fprintf(w, "%-50s %8.2f %8.2f   %s %-5g %s\n", what, least, median, sign, limit, verdict)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
