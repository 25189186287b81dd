//go:build wasm

package main

import (
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/metrics"
)

//go:wasmexport metrics_portions
func metricsPortions(request, values uint32) int32 {
	return call(func() (int, error) {
		raw, err := view[abi.PortionsRequest](request, 1)
		if err != nil {
			return 0, err
		}
		r := raw[0]
		width := 2 + 2*uint64(r.LabelCount)
		if width > math.MaxUint32 || width*uint64(r.RowCount) > math.MaxUint32 {
			return 0, errAddress(values, math.MaxUint32)
		}
		out, err := view[float64](values, uint32(width)*r.RowCount)
		if err != nil {
			return 0, err
		}
		found, err := lists(r.Found, r.FoundEnds, r.Queries)
		if err != nil {
			return 0, err
		}
		rows, err := view[uint32](r.Rows, r.Queries)
		if err != nil {
			return 0, err
		}
		byRow := make([][][]string, r.RowCount)
		for i, codes := range found {
			if rows[i] >= r.RowCount {
				return 0, errNumber(i, "row", rows[i], r.RowCount)
			}
			labels := make([]string, len(codes))
			for at, code := range codes {
				if code >= r.LabelCount {
					return 0, errNumber(i, "label", code, r.LabelCount)
				}
				labels[at] = codeText(code)
			}
			byRow[rows[i]] = append(byRow[rows[i]], labels)
		}
		for row, hits := range byRow {
			portionsOf(out[uint64(row)*width:][:width], hits)
		}
		return len(found), nil
	})
}

// portionsOf writes one row.
func portionsOf(out []float64, hits [][]string) {
	clear(out)
	shares, queries := metrics.Bias(hits)
	out[0] = float64(queries)
	for _, labels := range hits {
		out[1] += float64(len(labels))
	}
	for _, s := range shares {
		code, _ := textCode(s.Label)
		out[2+2*code], out[3+2*code] = s.Queries, s.Documents
	}
}

func errNumber(query int, what string, number, count uint32) error {
	return fault.New(fault.Input, "query "+strconv.Itoa(query)+" has "+what+" "+strconv.Itoa(int(number))+" of "+strconv.Itoa(int(count)))
}
