//go:build wasm

package main

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/significance"
)

const (
	// maxDraws is the greatest number of random draws of one call, so that a call takes seconds and not
	// hours.
	maxDraws = 1e9
	// maxRounds is the greatest number of rounds, each of which takes eight bytes. It is that of the library.
	maxRounds = 10_000_000
)

//go:wasmexport significance_mean
func significanceMean(values, count, rounds, result uint32, seed float64) int32 {
	return draw(count, rounds, seed, func(n uint64) error {
		v, err := numbers(values, count)
		if err != nil {
			return err
		}
		out, err := view[abi.MeanInterval](result, 1)
		if err != nil {
			return err
		}
		mean, interval, err := significance.Mean(v, int(rounds), n)
		out[0] = abi.MeanInterval{Mean: mean, Low: interval.Low, High: interval.High}
		return queryError(err)
	})
}

//go:wasmexport significance_pair
func significancePair(a, b, count, rounds, result uint32, seed float64) int32 {
	return draw(count, rounds, seed, func(n uint64) error {
		va, err := numbers(a, count)
		if err != nil {
			return err
		}
		vb, err := numbers(b, count)
		if err != nil {
			return err
		}
		out, err := view[abi.PairTest](result, 1)
		if err != nil {
			return err
		}
		p, err := significance.ComparePair(va, vb, int(rounds), n)
		out[0] = abi.PairTest{
			Difference: p.Difference, Low: p.Interval.Low, High: p.Interval.High,
			T: p.T, PTTest: p.P, Randomization: p.Randomization,
			Better: uint32(p.Better), Worse: uint32(p.Worse),
		}
		return queryError(err)
	})
}

//go:wasmexport significance_holm
func significanceHolm(p, count uint32) int32 {
	return call(func() (int, error) {
		v, err := numbers(p, count)
		if err != nil {
			return 0, err
		}
		copy(v, significance.Holm(v))
		return 0, nil
	})
}

// numbers is a view of values, which must be finite.
func numbers(pointer, count uint32) ([]float64, error) {
	values, err := view[float64](pointer, count)
	for i, v := range values {
		if v-v != 0 {
			return nil, fault.New(fault.Input, "value "+strconv.Itoa(i)+" is not finite")
		}
	}
	return values, err
}

// draw is call for bodies that draw rounds samples of count values.
//
//go:noinline
func draw(count, rounds uint32, seed float64, body func(seed uint64) error) int32 {
	return call(func() (int, error) {
		if !(seed >= 0 && seed < 1<<53) || seed != float64(uint64(seed)) {
			return 0, fault.New(fault.Query, "the seed is no whole number below 2^53")
		}
		if rounds > maxRounds || float64(count)*float64(rounds) > maxDraws {
			return 0, fault.New(fault.Limit, strconv.Itoa(int(rounds))+" rounds over "+strconv.Itoa(int(count))+
				" queries are more than "+strconv.Itoa(maxRounds)+" rounds or "+strconv.Itoa(maxDraws)+" draws: ask for fewer rounds")
		}
		return 0, body(uint64(seed))
	})
}
