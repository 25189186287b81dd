package trec

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/cputime"
)

// generated is a stream of a run with perQuery documents per query. If interleaved is
// set, the first documents of all queries come first, then the second ones, and so on.
type generated struct {
	queries, perQuery int
	interleaved       bool
	line              int
	rest              []byte
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if g.line == g.queries*g.perQuery {
			return 0, io.EOF
		}
		g.rest = g.rest[:0]
		for len(g.rest) < 1<<15 && g.line < g.queries*g.perQuery {
			q, rank := g.line/g.perQuery, g.line%g.perQuery
			if g.interleaved {
				q, rank = g.line%g.queries, g.line/g.queries
			}
			g.rest = fmt.Appendf(g.rest, "%d Q0 clueweb09-en%04d-%09d %d %.6f generated\n", q, rank, (q*7919+rank*104729)%1000000, rank+1,
				30-float64(rank)/7)
			g.line++
		}
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

func (g *generated) qrels() string {
	var b strings.Builder
	for q := range g.queries {
		for rank := q % 5; rank < g.perQuery; rank += 9 {
			fmt.Fprintf(&b, "%d 0 clueweb09-en%04d-%09d %d\n", q, rank, (q*7919+rank*104729)%1000000, (q+rank)%4)
		}
	}
	return b.String()
}

// Ten million lines must fit into 1 GB, which is 100 bytes per line. The ids here have
// 26 bytes.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a million lines")
	}
	const lines = 500_000
	for _, interleaved := range []bool{false, true} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		run, err := ReadRun(&generated{queries: lines / 1000, perQuery: 1000, interleaved: interleaved}, "generated")
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		perLine := float64(after.HeapAlloc-before.HeapAlloc) / lines
		if t.Logf("interleaved %t: %.1f bytes a line", interleaved, perLine); perLine > 80 {
			t.Errorf("interleaved %t: a line takes %.1f bytes", interleaved, perLine)
		}
		if run.Len() != lines {
			t.Errorf("%d lines", run.Len())
		}
		runtime.KeepAlive(run)
	}
}

// BenchmarkMillionLines reads a run of a million lines over 10,000 queries and its
// judgements, and computes all_trec.
func BenchmarkMillionLines(b *testing.B) {
	const queries, perQuery = 10_000, 100
	text, err := io.ReadAll(&generated{queries: queries, perQuery: perQuery})
	if err != nil {
		b.Fatal(err)
	}
	judged := (&generated{queries: queries, perQuery: perQuery}).qrels()
	measures, err := ParseMeasures(nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		qrels, err := ReadQrels(strings.NewReader(judged), "qrels")
		if err != nil {
			b.Fatal(err)
		}
		run, err := ReadRun(strings.NewReader(string(text)), "run")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Evaluate(qrels, run, measures, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(queries*perQuery*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// The time for judgements with a grade for each document, or a document with a subtopic for each line, grows with their
// number, not with its square. If it grew with the square, this test would take about a minute.
func TestManyGradesAndSubtopics(t *testing.T) {
	const lines = 200_000
	var grades, subtopics, ranked strings.Builder
	for i := range lines {
		fmt.Fprintf(&grades, "q 0 d%d %d\n", i, i)
		fmt.Fprintf(&subtopics, "q s%d d 1\n", i)
		fmt.Fprintf(&ranked, "q Q0 d%d 1 %d r\n", i, i)
	}
	took := cputime.Of(func() {
		run, err := ReadRun(strings.NewReader(ranked.String()), "run")
		if err != nil {
			t.Fatal(err)
		}
		qrels, err := ReadQrels(strings.NewReader(grades.String()), "grades")
		if err != nil {
			t.Fatal(err)
		}
		measures, err := ParseMeasures([]string{"ndcg", "bpref"})
		if err != nil {
			t.Fatal(err)
		}
		found, err := Evaluate(qrels, run, measures, Options{Level: lines / 2})
		if err != nil {
			t.Fatal(err)
		}
		if ndcg := found.Averages[1]; found.Averages[0] != 1 || ndcg < 1-1e-9 || ndcg > 1+1e-9 {
			t.Errorf("the best ranking has %v", found.Averages)
		}
		diverse, err := ReadDiversityQrels(strings.NewReader(subtopics.String()), "subtopics")
		if err != nil || diverse.Subtopics() != lines {
			t.Errorf("%v", err)
		}
	})
	if took > 20*time.Second {
		t.Errorf("%v for %d lines", took, lines)
	}
}
