package trec

import (
	"math"
	"unsafe"
)

// entry is one document of a run: the place of its id, and its score.
type entry struct {
	low   uint32 // lower 32 bits of the id's address in the arena
	high  uint32 // higher 16 bits of the address, and 16 bits for the id's length
	score uint32 // bits of a float32
}

func newEntry(address uint64, length int, score float32) entry {
	return entry{low: uint32(address), high: uint32(address>>32)<<16 | uint32(length), score: math.Float32bits(score)}
}

func (e entry) address() uint64 { return uint64(e.high>>16)<<32 | uint64(e.low) }

func (e entry) length() int { return int(e.high & 0xFFFF) }

func (e entry) value() float32 { return math.Float32frombits(e.score) }

const chunkEntries = 1 << 14

// chunks is a list of entries that grows without copying them.
type chunks struct {
	parts  [][]entry
	length int
}

func (c *chunks) add(e entry) {
	if c.length%chunkEntries == 0 {
		c.parts = append(c.parts, make([]entry, 0, chunkEntries))
	}
	last := len(c.parts) - 1
	c.parts[last] = append(c.parts[last], e)
	c.length++
}

func (c *chunks) at(i int) entry { return c.parts[i/chunkEntries][i%chunkEntries] }

const arenaBits = 20 // size of an arena's parts: 1 MiB, larger than any id

// arena holds ids one after the other, in parts that never move.
type arena struct {
	parts [][]byte
}

// add copies an id of at most maxID bytes and returns its address.
func (a *arena) add(id []byte) uint64 {
	last := len(a.parts) - 1
	if last < 0 || len(a.parts[last])+len(id) > 1<<arenaBits {
		a.parts = append(a.parts, make([]byte, 0, 1<<arenaBits))
		last++
	}
	at := len(a.parts[last])
	a.parts[last] = append(a.parts[last], id...)
	return uint64(last)<<arenaBits | uint64(at)
}

// id is the id of an entry. It is not a copy, because the arena's bytes never change.
func (a *arena) id(e entry) string {
	if e.length() == 0 {
		return ""
	}
	address := e.address()
	return unsafe.String(&a.parts[address>>arenaBits][address&(1<<arenaBits-1)], e.length())
}
