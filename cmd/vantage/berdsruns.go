package main

import (
	"strconv"

	"github.com/vantage-search/vantage/model/berds"
	"github.com/vantage-search/vantage/wasm/metrics/trec"
)

// berdsRuns are the rankings of `vantage eval berds` as runs: queries are claims'
// ids, documents those of perspectives. Scores fall with the rank, as some of the
// rankings have no others.
type berdsRuns struct {
	names []string
	runs  map[string]*trec.Run
}

func (b *berdsRuns) add(data *berds.Perspectrum, retriever, ranking string, c *berds.Claim, documents []uint32) error {
	name := retriever
	if ranking != berds.AsRetrieved {
		name += "-" + ranking
	}
	run := b.runs[name]
	if run == nil {
		if b.runs == nil {
			b.runs = map[string]*trec.Run{}
		}
		run = trec.NewRun(name, name)
		b.runs[name], b.names = run, append(b.names, name)
	}
	for i, document := range documents {
		if err := run.Add(strconv.Itoa(c.ID), strconv.Itoa(data.IDs[document]), float32(len(documents)-i)); err != nil {
			return err
		}
	}
	return nil
}

func (b *berdsRuns) write(path string) error {
	for _, name := range b.names {
		if err := writeRun(path, true, b.runs[name], name); err != nil {
			return err
		}
	}
	return nil
}
