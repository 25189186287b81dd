//go:build !wasm

package dense

import "sync"

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
		// Four chains of divisors, because each step waits for the one before.
		w := (*[group]int8)(weights[i*group:])
		var greatest uint8
		var d [4]uint8
		for at := 0; at < group; at += 4 {
			for c := range d {
				magnitude := uint8(max(w[at+c], -w[at+c])) % values
				greatest = max(greatest, magnitude)
				d[c] = table[d[c]%values][magnitude]
			}
		}
		divisor := table[table[d[0]%values][d[1]%values]%values][table[d[2]%values][d[3]%values]%values]
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
