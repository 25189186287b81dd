// Package deflate packs bytes as gzip, smaller than compress/gzip does and a
// hundred times slower: for files that are packed once and downloaded often.
// Any gzip reader unpacks them.
//
// Where compress/flate takes the longest match at hand, this finds the
// cheapest sequence of literals and matches by dynamic programming, under the
// code lengths that the round before came to (RFC 1951 describes the format;
// the method is that of Zopfli).
package deflate

import (
	"encoding/binary"
	"hash/crc32"
)

const (
	window    = 1 << 15
	minMatch  = 3
	maxMatch  = 258
	chain     = 1024    // candidates tried at a position
	blockSize = 1 << 15 // bytes coded with the same code lengths
	rounds    = 4
)

// Gzip returns data as one gzip member.
func Gzip(data []byte) []byte {
	w := &bitWriter{out: []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255}}
	m := newMatcher(data)
	var code *codes
	for start := 0; ; start += blockSize {
		end := min(start+blockSize, len(data))
		found := m.block(start, end)
		if code == nil {
			code = first()
		}
		var tokens []token
		for range rounds {
			tokens = cheapest(data[start:end], found, code)
			code = codesOf(tokens)
		}
		writeBlock(w, tokens, code, end == len(data))
		if end == len(data) {
			break
		}
	}
	w.flush()
	w.out = binary.LittleEndian.AppendUint32(w.out, crc32.ChecksumIEEE(data))
	return binary.LittleEndian.AppendUint32(w.out, uint32(len(data)))
}

// token is a literal, where length is 0, or a match.
type token struct {
	length, distance uint16
	literal          byte
}

// match is a length and the least distance at which it is found.
type match struct{ length, distance uint16 }

// matcher finds earlier occurrences through chains of positions whose next
// three bytes hash alike.
type matcher struct {
	data []byte
	head [1 << 16]int32
	prev []int32
}

func newMatcher(data []byte) *matcher {
	m := &matcher{data: data, prev: make([]int32, len(data))}
	for i := range m.head {
		m.head[i] = -1
	}
	return m
}

// block lists the matches at each position from start to end, none beyond end,
// longer ones later; lengths between those listed have the distance of the
// next longer one.
func (m *matcher) block(start, end int) [][]match {
	out := make([][]match, end-start)
	for i := start; i < end; i++ {
		if i+minMatch > len(m.data) {
			break
		}
		h := (uint32(m.data[i]) | uint32(m.data[i+1])<<8 | uint32(m.data[i+2])<<16) * 0x9e3779b1 >> 16
		longest, limit := minMatch-1, min(maxMatch, end-i)
		for at, tries := m.head[h], chain; at >= 0 && i-int(at) <= window && tries > 0 && longest < limit; at, tries = m.prev[at], tries-1 {
			p := int(at)
			if m.data[p+longest] != m.data[i+longest] {
				continue
			}
			n := 0
			for n < limit && m.data[p+n] == m.data[i+n] {
				n++
			}
			if n > longest {
				longest = n
				out[i-start] = append(out[i-start], match{uint16(n), uint16(i - p - 1)})
			}
		}
		m.prev[i], m.head[h] = m.head[h], int32(i)
	}
	return out
}

// cheapest is the sequence of tokens that takes the fewest bits under a code.
func cheapest(data []byte, found [][]match, code *codes) []token {
	cost := make([]float64, len(data)+1)
	step := make([]token, len(data)+1) // the token that ends here
	for i := range cost {
		cost[i] = 1e18
	}
	cost[0] = 0
	for i := range data {
		if c := cost[i] + code.literalCost[data[i]]; c < cost[i+1] {
			cost[i+1], step[i+1] = c, token{literal: data[i]}
		}
		length := uint16(minMatch)
		for _, m := range found[i] {
			far := cost[i] + code.distanceCost[distanceSymbol(m.distance)]
			for ; length <= m.length; length++ {
				if c := far + code.lengthCost[length]; c < cost[i+int(length)] {
					cost[i+int(length)], step[i+int(length)] = c, token{length: length, distance: m.distance}
				}
			}
		}
	}
	var tokens []token
	for i := len(data); i > 0; {
		tokens = append(tokens, step[i])
		i -= max(1, int(step[i].length))
	}
	for i, j := 0, len(tokens)-1; i < j; i, j = i+1, j-1 {
		tokens[i], tokens[j] = tokens[j], tokens[i]
	}
	return tokens
}
