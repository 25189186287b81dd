package deflate

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGzipReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, 3*blockSize+17)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	var skewed []byte
	for i := range 24 {
		skewed = append(skewed, bytes.Repeat([]byte{byte(i)}, 1<<min(i, 15))...)
	}
	r.Shuffle(len(skewed), func(i, j int) { skewed[i], skewed[j] = skewed[j], skewed[i] })
	for name, data := range map[string][]byte{
		"empty": nil, "one byte": {7}, "two": {7, 7}, "a run": bytes.Repeat([]byte{0}, 2*blockSize+1), "random": random, "skewed": skewed,
		"far": append(append(bytes.Clone(random[:window]), random[:300]...), random[:window+5]...), "text": []byte(strings.Repeat("a perspective is a side to see it from. ", 20000)),
	} {
		if got := unpack(t, Gzip(data)); !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes come back as %d others", name, len(data), len(got))
		}
	}
}

// Counts that double would give the rarest symbols codes of 23 bits.
func TestLengthsKeepTheLimit(t *testing.T) {
	counts := make([]int, 24)
	for i := range counts {
		counts[i] = 1 << i
	}
	for _, limit := range []int{7, 15, 30} {
		out := make([]uint8, len(counts))
		lengths(out, counts, limit)
		kraft := 0.0
		for i, n := range out {
			if n < 1 || int(n) > limit || i > 0 && n > out[i-1] {
				t.Errorf("limit %d: %v", limit, out)
				break
			}
			kraft += 1 / float64(uint64(1)<<n)
		}
		if kraft != 1 {
			t.Errorf("limit %d: the codes take %g of the space: %v", limit, kraft, out)
		}
	}
}

func FuzzGzip(f *testing.F) {
	f.Add([]byte("abcabcabc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !bytes.Equal(unpack(t, Gzip(data)), data) {
			t.Error("does not come back")
		}
	})
}
