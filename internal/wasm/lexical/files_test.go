package lexical

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func open(t testing.TB, lengths []byte) *Index {
	t.Helper()
	x, err := Open(DefaultParameters, lengths)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func load(t testing.TB, x *Index, files ...TermFile) {
	t.Helper()
	for _, file := range files {
		if err := x.Load(file.Data); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFilesHoldTheIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for range 40 {
		texts := randomTexts(random, random.IntN(120))
		filed := random.IntN(len(texts) + 1)
		whole, part := build(t, DefaultParameters, texts), build(t, DefaultParameters, texts[:filed])
		lengths := part.AppendLengths(nil)
		for _, limit := range []int{1, 50, 300, math.MaxInt} {
			files := part.TermFiles(limit)
			for i, file := range files {
				if i > 0 && file.First <= files[i-1].Last || file.Last < file.First {
					t.Fatalf("file %d has the terms from %q to %q", i, file.First, file.Last)
				}
				if len(file.Data)-16 > limit && file.First != file.Last {
					t.Errorf("a file of several terms has %d bytes, the limit is %d", len(file.Data), limit)
				}
			}
			if limit == math.MaxInt && len(files) > 1 || limit == 1 && len(files) != part.Terms() {
				t.Fatalf("%d files of %d terms with limit %d", len(files), part.Terms(), limit)
			}
			random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
			// Documents are added before some files are loaded and after others.
			x := open(t, lengths)
			loaded := random.IntN(len(files) + 1)
			load(t, x, files[:loaded]...)
			for _, text := range texts[filed:] {
				if _, err := x.Add(text); err != nil {
					t.Fatal(err)
				}
			}
			load(t, x, files[loaded:]...)
			for range 5 {
				query := Query{Text: randomTexts(random, 1)[0], K: 20}
				if got, want := search(t, x, query), search(t, whole, query); !slices.Equal(got, want) {
					t.Fatalf("%q: %v from files, %v directly", query.Text, got, want)
				}
			}
			if !bytes.Equal(x.AppendLengths(nil), whole.AppendLengths(nil)) || !slices.EqualFunc(x.TermFiles(200), whole.TermFiles(200), func(a, b TermFile) bool {
				return a.First == b.First && a.Last == b.Last && bytes.Equal(a.Data, b.Data)
			}) {
				t.Fatal("the files of the two are different")
			}
		}
	}
}

func TestOnlyTheFilesOfAQueryAreNeeded(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	texts := randomTexts(random, 200)
	whole := build(t, DefaultParameters, texts)
	files := whole.TermFiles(200)
	firsts := make([]string, len(files))
	for i := range files {
		firsts[i] = files[i].First
	}
	for range 20 {
		query := randomTexts(random, 1)[0]
		x := open(t, whole.AppendLengths(nil))
		var needed []int
		for _, term := range Terms(query) {
			if i := FileOf(firsts, term); i >= 0 && !slices.Contains(needed, i) {
				needed = append(needed, i)
				load(t, x, files[i])
			}
		}
		got, want := search(t, x, Query{Text: query, K: 10}), search(t, whole, Query{Text: query, K: 10})
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v from %d of %d files, %v from all", query, got, len(needed), len(files), want)
		}
	}
	if FileOf(firsts, "") != -1 || FileOf(nil, "a") != -1 || FileOf(firsts, files[2].Last) != 2 || FileOf(firsts, "\U0010ffff") != len(files)-1 {
		t.Error("FileOf finds the wrong file")
	}
}

// lengthsFile and termFile write files that the writers never write.
func lengthsFile(numbers ...uint64) []byte { return uvarints([]byte(magicLengths), numbers...) }

func uvarints(b []byte, numbers ...uint64) []byte {
	for _, v := range numbers {
		b = binary.AppendUvarint(b, v)
	}
	return b
}

// termFile takes numbers and strings.
func termFile(documents uint64, parts ...any) []byte {
	b := uvarints([]byte(magicTerms), documents)
	for _, part := range parts {
		switch part := part.(type) {
		case int:
			b = binary.AppendUvarint(b, uint64(part))
		case uint64:
			b = binary.AppendUvarint(b, part)
		case string:
			b = append(b, part...)
		}
	}
	return b
}

func TestDamagedFilesAreRefused(t *testing.T) {
	for _, c := range []struct {
		file []byte
		want string
	}{
		{nil, "does not begin with VLL1"},
		{[]byte("VLL2\x00"), "does not begin with VLL1"},
		{[]byte(magicLengths), "ends too early"},
		{lengthsFile(2, 5), "ends too early"},
		{lengthsFile(1<<40, 5), "ends too early"},
		{lengthsFile(1, 5, 6), "something follows"},
		{lengthsFile(1, 1<<32), "more than 2^32 words"},
		{append(lengthsFile(1), 0x85, 0), "fewest bytes"},
		{append(lengthsFile(1), bytes.Repeat([]byte{0xff}, 11)...), "2^64 or more"},
	} {
		if _, err := Open(DefaultParameters, c.file); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "lengths file: ") {
			t.Errorf("lengths %x: %v, want %q", c.file, err, c.want)
		}
	}
	if _, err := Open(Parameters{K1: -1}, lengthsFile(0)); err == nil {
		t.Error("k1 = -1 is accepted")
	}

	x := open(t, lengthsFile(2, 5, 3)) // two documents, of 5 and 3 words
	load(t, x, TermFile{Data: termFile(2, 1, 0, 1, "m", 1, 1, "\x01")})
	for _, c := range []struct {
		file []byte
		want string
	}{
		{nil, "does not begin with VLT1"},
		{lengthsFile(0), "does not begin with VLT1"},
		{termFile(3, 0), "of a collection of 3 documents, the lengths file of one of 2"},
		{termFile(2), "ends too early"},
		{termFile(2, 1), "ends too early"},
		{termFile(2, 1<<40, 0, 1, "a", 1, 1, "\x01"), "ends too early"},
		{termFile(2, 0, 0), "something follows"},
		{termFile(2, 1, 0, uint64(math.MaxUint64), "a", 1, 1, "\x01"), "ends too early"},
		{termFile(2, 1, 0, 1, "a", 1, 1<<40, "\x01"), "ends too early"},
		{termFile(2, 1, 0, 0, 1, 1, "\x01"), `term "" is out of order`},
		{termFile(2, 1, 1, 1, "a", 1, 1, "\x01"), "the part that they share is"},
		{termFile(2, 1, uint64(math.MaxUint64), 1, "a", 1, 1, "\x01"), "the part that they share is"},
		{termFile(2, 1, 0, 129, strings.Repeat("a", 129), 1, 1, "\x01"), "too long"},
		{termFile(2, 2, 0, 1, "b", 1, 1, "\x01", 0, 1, "a", 1, 1, "\x01"), "out of order"},
		{termFile(2, 2, 0, 1, "b", 1, 1, "\x01", 1, 0, 1, 1, "\x01"), "out of order"},
		{termFile(2, 2, 0, 1, "b", 1, 1, "\x01", 0, 2, "bc", 1, 1, "\x01"), "not written as it should be"},
		{termFile(2, 1, 0, 1, "\xff", 1, 1, "\x01"), "not written as it should be"},
		{termFile(2, 1, 0, 1, "a", 0, 0), "postings are empty"},
		{termFile(2, 1, 0, 1, "a", 2, 1, "\x01"), "have not as many documents"},
		{termFile(2, 1, 0, 1, "a", 1, 2, "\x01\x01"), "have not as many documents"},
		{termFile(2, 1, 0, 1, "a", 1, 1, "\x05"), "beyond the last"},
		{termFile(2, 1, 0, 1, "a", 3, 3, "\x01\x01\x01"), "beyond the last"},
		{termFile(2, 1, 0, 1, "a", 1, 1, "\x00"), "ends too early"},
		{termFile(2, 1, 0, 1, "a", 1, 2, "\x00\x04"), "more often"},
		{termFile(2, 1, 0, 1, "a", 1, 11, 0, uint64(math.MaxUint64)), "more often"},
		{termFile(2, 1, 0, 1, "m", 1, 1, "\x01"), `"m" has been loaded before`},
		{termFile(2, 2, 0, 1, "a", 1, 1, "\x01", 0, 1, "m", 1, 1, "\x01"), "loaded before"},
	} {
		if err := x.Load(c.file); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "term file: ") {
			t.Errorf("terms %x: %v, want %q", c.file, err, c.want)
		}
		if x.Terms() != 1 || len(search(t, x, Query{Text: "a m", K: 5})) != 1 {
			t.Fatalf("terms %x: the index has changed", c.file)
		}
	}
}

// FuzzFiles checks that an index that was read can be searched and extended, and is
// written back byte for byte.
func FuzzFiles(f *testing.F) {
	for _, texts := range [][]string{{"a b a", "b c d", ""}, {"night trains", "night buses run", "trains, trains"}, nil} {
		x := build(f, DefaultParameters, texts)
		for _, file := range append(x.TermFiles(math.MaxInt), TermFile{Data: termFile(uint64(len(texts)), 0)}) {
			f.Add(x.AppendLengths(nil), file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, lengths, terms []byte) {
		x, err := Open(DefaultParameters, lengths)
		if err != nil {
			return
		}
		if again := x.AppendLengths(nil); !bytes.Equal(again, lengths) {
			t.Fatalf("lengths %x are written as %x", lengths, again)
		}
		documents := x.Documents()
		if err := x.Load(terms); err != nil {
			if x.Terms() != 0 {
				t.Fatalf("%d terms in spite of %v", x.Terms(), err)
			}
			return
		}
		files := x.TermFiles(math.MaxInt)
		if len(files) > 1 || len(files) == 1 && !bytes.Equal(files[0].Data, terms) {
			t.Fatalf("terms %x are written as %x", terms, files)
		}
		var everything []string
		for name := range x.terms {
			everything = append(everything, name)
		}
		query := Query{Text: "a " + strings.Join(everything, " "), K: 1000}
		before := search(t, x, query)
		if _, err := x.Add(query.Text); err != nil {
			t.Fatal(err)
		}
		after := search(t, x, query)
		if len(after) > len(before)+1 || after[0].Score <= 0 {
			t.Fatalf("%v, with one more document %v", before, after)
		}
		for _, hit := range after {
			if int(hit.Document) > documents || math.IsNaN(hit.Score) || math.IsInf(hit.Score, 0) {
				t.Fatalf("hit %v of %d documents", hit, documents+1)
			}
		}
	})
}
