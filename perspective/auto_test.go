package perspective

import (
	"slices"
	"strings"
	"testing"
)

// The default table survives being written and read, and it has every kind.
func TestDefaultChoices(t *testing.T) {
	var lines []string
	for _, c := range DefaultChoices() {
		lines = append(lines, c.String())
	}
	read, err := ParseChoices(lines)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(read, DefaultChoices()) {
		t.Errorf("%v became %v", DefaultChoices(), read)
	}
	for _, kind := range Kinds() {
		want := Choice{Kind: kind, Method: "tri-sum"}
		switch kind {
		case KindNone:
			want = Choice{Method: "none", Hybrid: true, Weight: HybridWeight}
		case KindConverse:
			want = Choice{Kind: kind, Method: "root", Hybrid: true, Weight: HybridWeight}
		case KindLeaning:
			want = Choice{Kind: kind, Method: "pap+", Strength: 1}
		case KindAnalogy:
			want = Choice{Kind: kind, Method: "root", Hybrid: true, Weight: .6}
		}
		can := func(m Method) bool { return m.Angles == 0 }
		if c := read.Choose(kind, true, can); c != want {
			t.Errorf("without angles, %q is ranked by %v", kind, c)
		}
		want.Hybrid, want.Weight = false, 0
		if c := read.Choose(kind, false, can); c != want {
			t.Errorf("without angles and words, %q is ranked by %v", kind, c)
		}
	}
	if c := read.Choose(KindStance, true, func(Method) bool { return true }); c != (Choice{Kind: KindStance, Method: "contrast", Strength: .4}) {
		t.Errorf("a stance is ranked by %v", c)
	}
}

// A query that no choice can answer gets the plain cosine, which needs the least.
func TestChooseNothing(t *testing.T) {
	c := DefaultChoices().Choose(KindPlace, true, func(Method) bool { return false })
	if m, err := Lookup(c.Method); err != nil || m.Name != "query_cosine" || c.Lambda() != 1 {
		t.Errorf("%v, %v", c, err)
	}
}

// If words are not available, a choice that asks for them is the same choice without words.
// A kind may have further choices, for queries that the first cannot answer.
func TestChooseHybrid(t *testing.T) {
	table, err := ParseChoices([]string{"none none hybrid", "stance contrast 0.2", "stance tri-sum hybrid", "analogy root hybrid", "place pap -0.5 hybrid 0.75"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind        Kind
		angles      bool
		with, alone string
	}{
		{KindNone, true, "none none hybrid", "none none"},
		{KindStance, true, "stance contrast 0.2", "stance contrast 0.2"},
		{KindStance, false, "stance tri-sum hybrid", "stance tri-sum"},
		{KindAnalogy, false, "analogy root hybrid", "analogy root"},
		{KindPlace, false, "place pap -0.5 hybrid 0.75", "place pap -0.5"},
		{KindTime, true, "time none", "time none"},
	} {
		can := func(m Method) bool { return c.angles || m.Angles == 0 }
		if with, alone := table.Choose(c.kind, true, can).String(), table.Choose(c.kind, false, can).String(); with != c.with || alone != c.alone {
			t.Errorf("%q, angles %t: %q with words, %q without, want %q and %q", c.kind, c.angles, with, alone, c.with, c.alone)
		}
	}
}

func TestParseChoicesErrors(t *testing.T) {
	for line, problem := range map[string]string{
		"":                         "a kind, a method, a strength",
		"place":                    "a kind, a method, a strength",
		"place pap 1 2":            "a kind, a method, a strength",
		"place hybrid":             "unknown method",
		"hybrid none none":         "unknown kind",
		"place none hybrid hybrid": "above 0 and at most 1",
		"place none hybrid 0":      "above 0 and at most 1",
		"place none hybrid NaN":    "above 0 and at most 1",
		"place none hybrid 1 1":    "above 0 and at most 1",
		"place hybrid none":        "unknown method",
		"side none":                "unknown kind",
		"place magic":              "unknown method",
		"place pap":                "a strength goes",
		"place none 1":             "a strength goes",
		"place pap NaN":            "must be a number",
		"place pap x":              "must be a number",
		"stance contrast 1e3":      "must be a number",
		strings.Repeat("x", 1<<20): "a kind, a method, a strength",
	} {
		if _, err := ParseChoices([]string{line}); err == nil || !strings.Contains(err.Error(), problem) || len(err.Error()) > 300 {
			t.Errorf("%.80q: %v, want %q", line, err, problem)
		}
	}
	if _, err := ParseChoices(make([]string, maxChoices+1)); err == nil {
		t.Error("a table of any length is read")
	}
}

func FuzzParseChoices(f *testing.F) {
	f.Add("stance contrast 0.2\nplace pap -0.5\nfree tri-sum\nnone none hybrid 0.6")
	f.Fuzz(func(t *testing.T, s string) {
		read, err := ParseChoices(strings.Split(s, "\n"))
		if err != nil {
			return
		}
		for _, c := range read {
			if again, err := ParseChoices([]string{c.String()}); err != nil || again[0] != c {
				t.Errorf("%v became %v, %v", c, again, err)
			}
		}
	})
}
