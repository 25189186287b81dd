package builtin

import "testing"

// BenchmarkEncode encodes a query and a paragraph with the built-in model.
func BenchmarkEncode(b *testing.B) {
	s, err := Builtin().Open()
	if err != nil {
		b.Fatal(err)
	}
	query := "Find a claim that opposes the argument: It should be allowed to have military recruitment in schools"
	paragraph := ""
	for range 10 {
		paragraph += query + ". "
	}
	out := make([]float32, s.Dim())
	for name, text := range map[string]string{"query": query, "paragraph": paragraph} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Encode(out, text)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	f := Builtin()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Open(); err != nil {
			b.Fatal(err)
		}
	}
}
