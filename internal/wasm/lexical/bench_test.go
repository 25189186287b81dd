package lexical

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

const benchDocuments = 100_000

// benchTexts are short documents, of 5 to 25 words whose frequencies follow Zipf's law, and queries of 2 to 8.
var benchTexts = sync.OnceValues(func() (documents, queries []string) {
	random := rand.New(rand.NewPCG(15, 16))
	zipf := rand.NewZipf(random, 1.07, 3, 60_000)
	text := func(words int) string {
		var b strings.Builder
		for range words {
			for v := zipf.Uint64() + 1; v > 0; v /= 26 {
				b.WriteByte(byte('a' + v%26))
			}
			b.WriteByte(' ')
		}
		return b.String()
	}
	documents, queries = make([]string, benchDocuments), make([]string, 256)
	for i := range documents {
		documents[i] = text(5 + random.IntN(21))
	}
	for i := range queries {
		queries[i] = text(2 + random.IntN(7))
	}
	return documents, queries
})

func BenchmarkAdd100k(b *testing.B) {
	texts, _ := benchTexts()
	bytes := 0
	for _, text := range texts {
		bytes += len(text)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		build(b, DefaultParameters, texts)
	}
	b.ReportMetric(float64(benchDocuments*b.N)/b.Elapsed().Seconds(), "documents/s")
}

func BenchmarkSearch100k(b *testing.B) {
	texts, queries := benchTexts()
	x := build(b, DefaultParameters, texts)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		search(b, x, Query{Text: queries[i%len(queries)], K: 10})
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "queries/s")
}

func BenchmarkTermFiles100k(b *testing.B) {
	texts, _ := benchTexts()
	x := build(b, DefaultParameters, texts)
	files := x.TermFiles(math.MaxInt)
	b.SetBytes(int64(len(files[0].Data)))
	for b.Loop() {
		x.TermFiles(64 << 10)
	}
	b.ReportMetric(float64(len(files[0].Data))/benchDocuments, "bytes/document")
}

func BenchmarkLoad100k(b *testing.B) {
	texts, _ := benchTexts()
	x := build(b, DefaultParameters, texts)
	lengths, files := x.AppendLengths(nil), x.TermFiles(64<<10)
	b.ReportAllocs()
	for b.Loop() {
		load(b, open(b, lengths), files...)
	}
	b.ReportMetric(float64(len(files)), "files")
}

func BenchmarkFuse(b *testing.B) {
	random := rand.New(rand.NewPCG(17, 18))
	rankings := make([][]Hit, 2)
	for r := range rankings {
		for _, document := range random.Perm(2000)[:1000] {
			rankings[r] = append(rankings[r], Hit{Document: uint32(document), Score: random.Float64()})
		}
		sortHits(rankings[r])
	}
	for b.Loop() {
		if _, err := ReciprocalRank(DefaultRankConstant, nil, rankings...); err != nil {
			b.Fatal(err)
		}
	}
}
