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
	var skewed []byte // code lengths beyond 15 bits, but for the limit
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

func FuzzGzip(f *testing.F) {
	f.Add([]byte("abcabcabc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !bytes.Equal(unpack(t, Gzip(data)), data) {
			t.Error("does not come back")
		}
	})
}
