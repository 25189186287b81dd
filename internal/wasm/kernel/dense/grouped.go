//go:build !wasm

package dense

import (
	"math/bits"
	"sync"
)

// Weights of few bits are small numbers times a multiplier, which an output shares
// among a group of neighbouring inputs. Packs of 4 bits are made like this. The build
// for AVX2 multiplies the numbers in half the time that it takes for bytes of any kind
// (internal/gen/grouped.go); the sums are the same integers.
const (
	group  = 32
	most   = 7   // the greatest magnitude of a number
	values = 128 // magnitudes that weights have
)

// divisors returns the greatest common divisors of any two magnitudes of weights.
var divisors = sync.OnceValue(func() *[values][values]uint8 {
	var table [values][values]uint8
	for a := range values {
		for b := range values {
			x, y := a, b
			for y != 0 {
				x, y = y, x%y
			}
			table[a][b] = uint8(x)
		}
	}
	return &table
})

// groupMultipliers returns the multiplier of each group of weights, or nil if there is
// a group without one.
func groupMultipliers(weights []int8) []int16 {
	multipliers := make([]int16, len(weights)/group)
	table := divisors()
	for i := range multipliers {
		// Which magnitudes there are, below 64 and from 64 on. There are no branches here, because
		// signs cannot be predicted.
		var low, high uint64
		for _, w := range (*[group]int8)(weights[i*group:]) {
			sign := w >> 7
			magnitude := uint8(w^sign-sign) % values
			bit := uint64(1) << (magnitude % 64)
			above := -uint64(magnitude / 64)
			low |= bit &^ above
			high |= bit & above
		}
		var greatest, divisor uint8
		for low &^= 1; low != 0; low &= low - 1 {
			greatest = uint8(bits.TrailingZeros64(low))
			divisor = table[divisor%values][greatest%values]
		}
		for ; high != 0; high &= high - 1 {
			greatest = 64 + uint8(bits.TrailingZeros64(high))
			divisor = table[divisor%values][greatest%values]
		}
		switch {
		case divisor == 0:
			multipliers[i] = 1
		case int(greatest) > most*int(divisor):
			return nil
		default:
			multipliers[i] = int16(divisor)
		}
	}
	return multipliers
}

// inverses of multipliers times 2¹⁶, rounded up. For the multiples k·m of a multiplier m, with
// k from -7 to 7, k·m·inverse + 2¹⁵ lies between k·2¹⁶ and (k+1)·2¹⁶, because m is below 128.
var inverses = func() (table [values]int32) {
	for m := int32(1); m < values; m++ {
		table[m] = (1<<16 + m - 1) / m
	}
	return table
}()

// divide replaces weights by numbers, after plainPack. Multipliers come by output and
// group; they are kept by panel and group, twice for each output, as VPMADDWD needs them.
func (l *Linear8) divide(multipliers []int16) {
	groups := l.In / group
	l.multipliers = make([]int16, 2*len(multipliers))
	for panels, at := 0, 0; panels < l.Out; panels += panel {
		for g := range groups {
			for o := range panel {
				m := multipliers[(panels+o)*groups+g]
				l.multipliers[at], l.multipliers[at+1] = m, m
				at += 2
			}
			lines := l.weights[(panels*groups+g*panel)*group:][:panel*group]
			for o := range panel {
				if m := l.multipliers[at-2*panel+2*o]; m != 1 {
					inverse := inverses[m]
					for quad := 4 * o; quad < len(lines); quad += 4 * panel {
						for i, w := range (*[4]int8)(lines[quad:]) {
							lines[quad+i] = int8((int32(w)*inverse + 1<<15) >> 16)
						}
					}
				}
			}
		}
	}
}
