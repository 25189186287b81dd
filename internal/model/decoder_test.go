package model

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/testing/approx"
)

// demonstrations are a prompt of some 60 tokens of the small models.
const demonstrations = "Is it good?\nthe brown fox jumps over\nIt is good.\n\nIs it good?\nthe lazy dog\nIt is bad.\n\nIs it good?\n"

// Texts behind a prompt that is kept have, to the bit, the vectors of the whole texts, also
// if their first letters change the prompt's last token, and after another prompt.
func TestKeptPrompt(t *testing.T) {
	for _, name := range []string{"opt-tiny", "opt-proj-tiny"} {
		for _, int8 := range []bool{false, true} {
			var g golden
			e, err := Open(t.Context(), readGolden(t, name+"/golden.json", &g), Options{Int8: int8})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			d := e.(*decoder)
			other := strings.Repeat("another prompt ", 8)
			for _, prompt := range []string{demonstrations, other, demonstrations, "short "} {
				texts := []string{"over the dog", "\nover", " over", "", "the brown fox\nIt is", strings.Repeat("dog ", 100)}
				for _, some := range [][]string{texts, texts[:1], texts[1:2], nil} {
					got, err := e.Encode(t.Context(), some, encoder.Options{Prompt: &prompt})
					if err != nil {
						t.Fatal(err)
					}
					prompts := slices.Repeat([]string{prompt}, len(some))
					want, err := e.Encode(t.Context(), some, encoder.Options{Prompts: prompts}) // not by way of a prefix
					if err != nil {
						t.Fatal(err)
					}
					for i := range some {
						if !slices.Equal(got[i].Vector, want[i].Vector) || got[i].Tokens != want[i].Tokens || got[i].Truncated != want[i].Truncated {
							t.Errorf("%s, int8 %v: %q behind %q differs", name, int8, some[i], prompt)
						}
					}
				}
			}
			if d.kept.prompt != demonstrations || d.kept.prefix.Tokens() < leastKept {
				t.Errorf("kept: %q", d.kept.prompt)
			}
			if got, want := d.Count(demonstrations), d.kept.prefix.Tokens(); got != want {
				t.Errorf("%d tokens, %d are kept", got, want)
			}
		}
	}
}

// The likelihood of an ending is the sum over its tokens of the logarithm of the softmax of
// the logits, each by a pass of its own. TestGoldenLogits compares logits.
func TestLikelihoods(t *testing.T) {
	for _, name := range []string{"opt-tiny", "opt-proj-tiny"} {
		var g golden
		e, err := Open(t.Context(), readGolden(t, name+"/golden.json", &g), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		d := e.(*decoder)
		endings := []string{" the", " over", " good", " unacceptable", " t"}
		several := 0
		for _, c := range []struct {
			prompt         string
			texts, endings []string
		}{
			{demonstrations, []string{"the brown fox\nIt is", "dog"}, endings},
			{"", []string{"the brown fox\nIt is", "dog"}, endings},
			{demonstrations + "It is", []string{""}, endings},
			{demonstrations + "It is", []string{""}, []string{" unacceptable", " unlikely"}}, // several tokens each
		} {
			prompt, texts, endings := c.prompt, c.texts, c.endings
			got, err := d.Likelihoods(t.Context(), prompt, texts, endings)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				for j, ending := range endings {
					base, _ := d.tokens.Frame(d.tokens.Encode(nil, prompt+text), 0)
					whole, _ := d.tokens.Frame(d.tokens.Encode(nil, prompt+text+ending), 0)
					if len(whole) > len(base)+1 {
						several++
					}
					want := 0.0
					for n := len(base); n < len(whole); n++ {
						state, err := d.EncodeIDs(t.Context(), [][]uint32{whole[:n]})
						if err != nil {
							t.Fatal(err)
						}
						logits, sum := d.opt().Logits(d.workers, state[0].Vector, 1), 0.0
						for _, v := range logits {
							sum += math.Exp(float64(v))
						}
						want += float64(logits[whole[n]]) - math.Log(sum)
					}
					if approx.Apart(got[i][j], want, 1e-5) {
						t.Errorf("%s: %q behind %q: %g, want %g", name, ending, prompt+text, got[i][j], want)
					}
				}
			}
		}
		if several == 0 {
			t.Error("no ending has several tokens")
		}
		for says, c := range map[string][2]string{"runs together": {"th", "e"}, "at most 128": {strings.Repeat("a b ", 80), " good"}} {
			if _, err := d.Likelihoods(t.Context(), "", []string{c[0]}, []string{c[1]}); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%q, %q: %v, want %q", c[0], c[1], err, says)
			}
		}
	}
}
