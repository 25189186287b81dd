package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

// arrivals returns the times of a Poisson process.
func arrivals(rate float64, length time.Duration, seed uint64) []time.Duration {
	random := rand.New(rand.NewPCG(seed, 5))
	var due []time.Duration
	for at := 0.0; ; {
		at += random.ExpFloat64() / rate
		if at >= length.Seconds() {
			return due
		}
		due = append(due, time.Duration(at*float64(time.Second)))
	}
}

// came returns how many of these texts, of which the first is due, are due now: at most bareTexts.
func came(due []time.Duration, now time.Duration) int {
	n := 1
	for n < min(len(due), bareTexts) && due[n] <= now {
		n++
	}
	return n
}

// queued returns the latencies, in milliseconds, that the queue alone would cause for
// an encoder with this rate in texts per second.
func queued(due []time.Duration, rate float64) (latencies []float64) {
	var free time.Duration
	for left := due; len(left) > 0; {
		begin := max(free, left[0])
		n := came(left, begin)
		free = begin + time.Duration(float64(n)/rate*float64(time.Second))
		for _, at := range left[:n] {
			latencies = append(latencies, (free-at).Seconds()*1000)
		}
		left = left[n:]
	}
	return latencies
}

func median(values []float64) float64 { return quantile(values, .5) }

// quantile returns the value at a rank, without interpolation.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
