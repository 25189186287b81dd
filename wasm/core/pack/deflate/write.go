package deflate

import "math/bits"

// bitWriter writes bits from the lowest of each byte on.
type bitWriter struct {
	out  []byte
	word uint64
	n    uint
}

func (w *bitWriter) bits(v uint32, n int) {
	w.word |= uint64(v) << w.n
	for w.n += uint(n); w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.word))
		w.word >>= 8
	}
}

func (w *bitWriter) flush() {
	if w.n > 0 {
		w.out = append(w.out, byte(w.word))
		w.word, w.n = 0, 0
	}
}

// canonical are the codes that lengths imply (RFC 1951, 3.2.2), the first bit
// lowest.
func canonical(lengths []uint8) []uint32 {
	var next [17]uint32
	for _, n := range lengths {
		if n > 0 {
			next[n+1]++
		}
	}
	for n := 2; n < len(next); n++ {
		next[n] = (next[n-1] + next[n]) << 1
	}
	out := make([]uint32, len(lengths))
	for s, n := range lengths {
		if n > 0 {
			out[s] = bits.Reverse32(next[n]) >> (32 - n)
			next[n]++
		}
	}
	return out
}

func writeBlock(w *bitWriter, tokens []token, c *codes, last bool) {
	if last {
		w.bits(1, 1)
	} else {
		w.bits(0, 1)
	}
	w.bits(2, 2)
	writeLengths(w, c)
	literal, distance := canonical(c.literal[:]), canonical(c.distance[:distances])
	for _, t := range tokens {
		if t.length == 0 {
			w.bits(literal[t.literal], int(c.literal[t.literal]))
			continue
		}
		s, extra := lengthSymbol(t.length)
		w.bits(literal[s], int(c.literal[s]))
		w.bits(uint32(t.length-minMatch)&(1<<extra-1), extra)
		d := distanceSymbol(t.distance)
		w.bits(distance[d], int(c.distance[d]))
		w.bits(uint32(t.distance)&(1<<distanceExtra(d)-1), distanceExtra(d))
	}
	w.bits(literal[endBlock], int(c.literal[endBlock]))
}

// order of the code length codes in a block's head.
var order = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// run is a symbol of the code length code with its extra bits.
type run struct {
	symbol int
	extra  uint32
	bits   int
}

func writeLengths(w *bitWriter, c *codes) {
	all := append(append([]uint8(nil), c.literal[:]...), c.distance[:distances]...)
	runs := runsOf(all)
	var counts [19]int
	for _, r := range runs {
		counts[r.symbol]++
	}
	var size [19]uint8
	lengths(size[:], counts[:], 7)
	used := len(order)
	for used > 4 && size[order[used-1]] == 0 {
		used--
	}
	w.bits(literals-257, 5)
	w.bits(distances-1, 5)
	w.bits(uint32(used-4), 4)
	for _, s := range order[:used] {
		w.bits(uint32(size[s]), 3)
	}
	code := canonical(size[:])
	for _, r := range runs {
		w.bits(code[r.symbol], int(size[r.symbol]))
		w.bits(r.extra, r.bits)
	}
}

func runsOf(all []uint8) []run {
	var out []run
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		i += n
		if all[i-1] == 0 {
			for n >= 3 {
				take := min(n, 138)
				if take > 10 {
					out = append(out, run{18, uint32(take - 11), 7})
				} else {
					out = append(out, run{17, uint32(take - 3), 3})
				}
				n -= take
			}
		} else {
			out = append(out, run{int(all[i-1]), 0, 0})
			for n--; n >= 3; {
				take := min(n, 6)
				out = append(out, run{16, uint32(take - 3), 2})
				n -= take
			}
		}
		for range n {
			out = append(out, run{int(all[i-1]), 0, 0})
		}
	}
	return out
}
