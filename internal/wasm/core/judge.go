//go:build wasm

package main

import (
	"encoding/binary"
	"math"
	"strconv"
	"unsafe"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/metrics"
)

//go:wasmexport metrics_judge
func metricsJudge(request, ranks, values uint32) int32 {
	return call(func() (int, error) {
		raw, err := view[abi.JudgeRequest](request, 1)
		if err != nil {
			return 0, err
		}
		r := raw[0]
		ks, err := optional[uint32](r.Ks, r.KCount)
		if err != nil {
			return 0, err
		}
		width := uint64(unsafe.Sizeof(abi.JudgeValues{})/8) + uint64(r.LabelCount)
		if width*uint64(len(ks)) > math.MaxUint32 {
			return 0, errAddress(values, math.MaxUint32)
		}
		out, err := view[float64](values, uint32(width)*uint32(len(ks)))
		if err != nil {
			return 0, err
		}
		first, err := view[uint32](ranks, r.Queries)
		if err != nil {
			return 0, err
		}
		judged, err := judge(r)
		if err != nil {
			return 0, err
		}
		for i := range judged {
			first[i] = uint32(judged[i].Rank)
		}
		for i, k := range ks {
			judgeAt(out[uint64(i)*width:][:width], judged, int(k))
		}
		return len(judged), nil
	})
}

// judge finds the rank of each query's first gold entry.
func judge(r abi.JudgeRequest) ([]metrics.Judgement, error) {
	rankings, err := lists(r.Rankings, r.RankingEnds, r.Queries)
	if err != nil {
		return nil, err
	}
	gold, err := lists(r.Gold, r.GoldEnds, r.Queries)
	if err != nil {
		return nil, err
	}
	judged := make([]metrics.Judgement, r.Queries)
	for i := range judged {
		judged[i].Rank = metrics.FirstRank(rankings[i], gold[i])
	}
	for _, texts := range []struct {
		pointer uint32
		set     func(j *metrics.Judgement, text string)
	}{
		{r.Roots, func(j *metrics.Judgement, text string) { j.Root = text }},
		{r.Perspectives, func(j *metrics.Judgement, text string) { j.Perspective = text }},
		{r.Labels, func(j *metrics.Judgement, text string) { j.Label = text }},
	} {
		codes, err := optional[uint32](texts.pointer, r.Queries)
		if err != nil {
			return nil, err
		}
		for i, code := range codes {
			if texts.pointer == r.Labels && code >= r.LabelCount {
				return nil, errNumber(i, "label", code, r.LabelCount)
			}
			texts.set(&judged[i], codeText(code))
		}
	}
	return judged, nil
}

// judgeAt writes JudgeValues and the recall of each label.
func judgeAt(out []float64, judged []metrics.Judgement, k int) {
	*(*abi.JudgeValues)(unsafe.Pointer(unsafe.SliceData(out))) = abi.JudgeValues{
		Recall:                     metrics.Recall(judged, k),
		MacroRecall:                metrics.MacroRecall(judged, k),
		PRecall:                    metrics.PRecall(judged, k),
		PRecallNotebook:            metrics.PRecallNotebook(judged, k),
		PRecallByUniquePerspective: metrics.PRecallByUniquePerspective(judged, k),
	}
	labels := out[unsafe.Sizeof(abi.JudgeValues{})/8:]
	for _, l := range metrics.RecallByLabel(judged, k) {
		if code, ok := textCode(l.Label); ok {
			labels[code] = l.Recall
		}
	}
}

// lists splits values into count lists. The i-th of the ends is the end of list i.
func lists(pointer, ends, count uint32) ([][]uint32, error) {
	e, err := view[uint32](ends, count)
	if err != nil {
		return nil, err
	}
	total := uint32(0)
	for i, end := range e {
		if end < total {
			return nil, fault.New(fault.Input, "list "+strconv.Itoa(i)+" ends before it begins")
		}
		total = end
	}
	values, err := view[uint32](pointer, total)
	if err != nil {
		return nil, err
	}
	out := make([][]uint32, count)
	start := uint32(0)
	for i, end := range e {
		out[i] = values[start:end]
		start = end
	}
	return out, nil
}

// codeText turns the number of a text into a text, because package metrics groups
// queries by text.
func codeText(code uint32) string {
	return string(binary.LittleEndian.AppendUint32(nil, code))
}

// textCode is the inverse of codeText. It returns false if no text was given.
func textCode(text string) (uint32, bool) {
	if len(text) != 4 {
		return 0, false
	}
	return binary.LittleEndian.Uint32([]byte(text)), true
}
