package encode

import (
	"encoding/binary"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"
)

// Short clusters, which are the only ones that matter to a charsmap, agree with Annex 29 for
// characters before and after each kind of neighbour.
func TestClusters(t *testing.T) {
	neighbours := []rune{'a', ' ', '\r', '\n', 0, 'é', 0x301, 0x200d, 0x903, 0x600, 0x110bd, 0x1100, 0x1161, 0x11a8, 0xac00, 0xac01, 0x1f600, 0xe0020}
	check := func(text string) {
		want, _, _, _ := uniseg.FirstGraphemeClusterInString(text, -1)
		if got := cluster(text); got != len(want) && (got <= mostCluster || len(want) <= mostCluster) {
			t.Errorf("%+q: a cluster of %d bytes, want %d", text, got, len(want))
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if 0xd800 <= r && r < 0xe000 || 0x3400 < r && r < 0xa000 || 0x20000 < r && r < 0xe0000 || 0xe1000 < r {
			continue
		}
		for _, n := range neighbours {
			check(string([]rune{n, r}))
			check(string([]rune{r, n}))
			check(string([]rune{r, n, n}))
		}
	}
}

// smallCharsmap maps "a" to "xy", "b" to nothing and "bc" to "z", which the
// shorter "b" hides.
func smallCharsmap() []byte {
	units := make([]uint32, 1024)
	at := func(state uint32, b byte) uint32 { return state ^ uint32(b) }
	const root, afterA, afterB, afterC = 256, 512, 768, 640 // where the labels of a state lie
	leaf := func(state, value uint32) { units[state] = 1<<31 | value }
	node := func(place uint32, label byte, next uint32, final bool) {
		unit := uint32(label) | (place^next)<<10
		if final {
			unit |= 1 << 8
		}
		units[place] = unit
	}
	node(0, 0, root, false)
	node(at(root, 'a'), 'a', afterA, true)
	leaf(afterA, 0)
	node(at(root, 'b'), 'b', afterB, true)
	leaf(afterB, 2)
	node(at(afterB, 'c'), 'c', afterC, true)
	leaf(afterC, 4)
	blob := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		blob = binary.LittleEndian.AppendUint32(blob, u)
	}
	return append(blob, "xy\x00\x00z\x00"...)
}

func TestCharsmap(t *testing.T) {
	c, err := ParseCharsmap(smallCharsmap())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                     "",
		"cab":                  "cxy",
		"bc":                   "c",                     // two clusters
		"a\u0301b":             "xy",                    // one cluster, of which "a" is the shortest known beginning
		"a\u0301\u0301\u0301c": "xy\u0301\u0301\u0301c", // clusters of more than five bytes are mapped character by character
		"\x00a":                "\x00xy",
		"dé":                   "dé",
	} {
		if got := string(c.Append(nil, text)); got != want {
			t.Errorf("%+q becomes %+q, want %+q", text, got, want)
		}
	}
}

func FuzzCharsmap(f *testing.F) {
	f.Add(smallCharsmap(), "abc\r\na\u0301\x00")
	f.Add([]byte{4, 0, 0, 0, 255, 255, 255, 255, 'a'}, "a")
	f.Fuzz(func(t *testing.T, blob []byte, text string) {
		c, err := ParseCharsmap(blob)
		if err != nil {
			return
		}
		for _, text := range append(fuzzTexts, text) {
			if got := c.Append(nil, valid(text)); string(got) != valid(string(got)) {
				t.Errorf("%q becomes %q", text, got)
			}
		}
	})
}
