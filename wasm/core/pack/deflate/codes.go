package deflate

import (
	"math"
	"math/bits"
	"sort"
)

const (
	literals  = 286
	distances = 30
	endBlock  = 256
)

// codes are the code lengths of a block, and what they make each token cost.
type codes struct {
	literal, distance [literals]uint8 // distances use the first 30
	literalCost       [256]float64
	lengthCost        [maxMatch + 1]float64
	distanceCost      [distances]float64
}

// first are costs to begin with, about those of machine code.
func first() *codes {
	c := &codes{}
	for i := range c.literalCost {
		c.literalCost[i] = 7
	}
	for n := minMatch; n <= maxMatch; n++ {
		_, extra := lengthSymbol(uint16(n))
		c.lengthCost[n] = 6 + float64(extra)
	}
	for s := range c.distanceCost {
		c.distanceCost[s] = 4 + float64(distanceExtra(s))
	}
	return c
}

// codesOf are the best codes for a block's tokens. Costs are entropies rather
// than code lengths: the choice among tokens moves more smoothly.
func codesOf(tokens []token) *codes {
	var literal, distance [literals]int
	literal[endBlock] = 1
	for _, t := range tokens {
		if t.length == 0 {
			literal[t.literal]++
			continue
		}
		s, _ := lengthSymbol(t.length)
		literal[s]++
		distance[distanceSymbol(t.distance)]++
	}
	c := &codes{}
	lengths(c.literal[:], literal[:], 15)
	lengths(c.distance[:distances], distance[:distances], 15)
	cost := entropies(literal[:])
	copy(c.literalCost[:], cost[:256])
	for n := minMatch; n <= maxMatch; n++ {
		s, extra := lengthSymbol(uint16(n))
		c.lengthCost[n] = cost[s] + float64(extra)
	}
	for s, bits := range entropies(distance[:distances]) {
		c.distanceCost[s] = bits + float64(distanceExtra(s))
	}
	return c
}

// precision of costs, coarse enough that processors agree on them though their
// logarithms differ in the last bit: the bytes are the same everywhere.
const precision = 4096

func entropies(counts []int) []float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	out := make([]float64, len(counts))
	for i, n := range counts {
		out[i] = math.Round(precision*(math.Log2(float64(total+1))-math.Log2(max(float64(n), 0.5)))) / precision
	}
	return out
}

// lengths are the optimal code lengths for counts, none above limit, by the
// package-merge algorithm (Larmore and Hirschberg 1990).
func lengths(out []uint8, counts []int, limit int) {
	type item struct {
		weight  int
		symbols []uint16
	}
	var coins []item
	for s, n := range counts {
		if n > 0 {
			coins = append(coins, item{n, []uint16{uint16(s)}})
		}
	}
	// One code of one bit is allowed, none at all is not.
	for s := 0; len(coins) < 2; s++ {
		if counts[s] == 0 {
			coins = append(coins, item{1, []uint16{uint16(s)}})
		}
	}
	sort.SliceStable(coins, func(i, j int) bool { return coins[i].weight < coins[j].weight })
	row := coins
	for range limit - 1 {
		var merged []item
		for i := 0; i+1 < len(row); i += 2 {
			symbols := append(append([]uint16(nil), row[i].symbols...), row[i+1].symbols...)
			merged = append(merged, item{row[i].weight + row[i+1].weight, symbols})
		}
		row = append(append([]item(nil), coins...), merged...)
		sort.SliceStable(row, func(i, j int) bool { return row[i].weight < row[j].weight })
	}
	for _, it := range row[:2*len(coins)-2] {
		for _, s := range it.symbols {
			out[s]++
		}
	}
}

// lengthSymbol is the symbol of a match length and its number of extra bits.
func lengthSymbol(n uint16) (symbol, extra int) {
	switch v := int(n) - minMatch; {
	case n == maxMatch:
		return 285, 0
	case v < 8:
		return 257 + v, 0
	default:
		extra = bits.Len(uint(v)) - 3
		return 257 + 4*extra + v>>extra, extra
	}
}

// distanceSymbol is the symbol of a distance less one.
func distanceSymbol(d uint16) int {
	if d < 4 {
		return int(d)
	}
	extra := bits.Len16(d) - 2
	return 2*extra + int(d)>>extra
}

func distanceExtra(symbol int) int { return max(0, symbol/2-1) }
