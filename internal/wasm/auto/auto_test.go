package auto

import (
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

const against = "a claim that opposes"

// asked is a query with all that any method needs.
func asked(perspectives ...string) *Asked {
	return &Asked{Perspectives: perspectives, Root: true, RootText: true, Text: true, Angles: true, Sides: true, Words: true}
}

func TestChoose(t *testing.T) {
	table := []string{"stance contrast 0.4", "stance tri-sum hybrid", "place root", "free aspect 0.1", "none pap 0.5 hybrid"}
	for name, c := range map[string]struct {
		asked  *Asked
		change func(*Asked)
		want   string
	}{
		"side":                {asked(against), nil, "stance contrast 0.4"},
		"no angles":           {asked(against), func(a *Asked) { a.Angles = false }, "stance tri-sum hybrid"},
		"no wordings":         {asked(against), func(a *Asked) { a.Sides = false }, "stance tri-sum hybrid"},
		"root without a text": {asked(against), func(a *Asked) { a.RootText = false }, "stance tri-sum hybrid"},
		"vector":              {asked(against), func(a *Asked) { a.Text = false }, "stance tri-sum"},
		"no words":            {asked(against), func(a *Asked) { a.Angles, a.Words = false, false }, "stance tri-sum"},
		"no root":             {asked(against), func(a *Asked) { a.Root, a.RootText = false, false }, "stance none"},
		"read as a side":      {asked("in the night"), func(a *Asked) { a.Kind = perspective.KindStance }, "stance tri-sum hybrid"},
		"read as a place":     {asked(against), func(a *Asked) { a.Kind = perspective.KindPlace }, "place root"},
		"both sides":          {asked(against, "a claim that supports"), nil, "stance tri-sum hybrid"},
		"place":               {asked("something about Japan"), nil, "place root"},
		"not in the table":    {asked("with figures"), nil, "evidence none"},
		"two kinds":           {asked(against, "something about Japan"), nil, "free aspect 0.1"},
		"a text and a vector": {asked(against, ""), nil, "free aspect 0.1"},
		"difference":          {asked(), nil, "none pap 0.5 hybrid"},
		"nothing":             {asked(), func(a *Asked) { a.Root, a.RootText = false, false }, "none none"},
		"projection":          {asked(against), func(a *Asked) { a.Lambda = true }, "none pap+ 1"},
		"projection, root":    {asked(), func(a *Asked) { a.Lambda = true }, "none pap+ 1"},
		"projection, alone":   {asked(), func(a *Asked) { a.Lambda, a.Root, a.RootText = true, false, false }, "none none"},
	} {
		if c.change != nil {
			c.change(c.asked)
		}
		if got, err := Choose(table, c.asked); err != nil || got.String() != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
	if got, err := Choose(nil, asked(against)); err != nil || got != perspective.DefaultChoices().Choose(perspective.KindStance, true, func(perspective.Method) bool { return true }) {
		t.Errorf("by the default table: %v, %v", got, err)
	}
}

// Whatever is asked, the method has what it needs.
func TestChooseIsAnswerable(t *testing.T) {
	var table []string
	for _, kind := range []string{"none", "stance", "free", "place"} {
		for _, method := range []string{"contrast 1", "aspect 1", "tri-sum", "pap -1", "root", "none"} {
			table = append(table, kind+" "+method)
		}
	}
	for bits := range 1 << 7 {
		bit := func(i int) bool { return bits>>i&1 == 1 }
		for _, perspectives := range [][]string{nil, {""}, {against}, {against, "a claim that supports"}, {"something about Japan"}} {
			a := &Asked{perspectives, "", bit(0), bit(0) && bit(1), bit(2), bit(3), bit(4), bit(5), bit(6)}
			c, err := Choose(table, a)
			if err != nil {
				t.Fatal(err)
			}
			m, err := perspective.Lookup(c.Method)
			switch {
			case err != nil,
				m.NeedsRoot && !a.Root,
				m.NeedsPerspective && !a.Root && len(perspectives) == 0,
				m.Angles > 0 && !(a.Angles && a.Text),
				m.Angles == 2 && !(a.RootText && a.Sides && slices.Equal(perspectives, []string{against})),
				c.Hybrid && !(a.Words && a.Text):
				t.Errorf("%+v: %v, %v", a, c, err)
			}
		}
	}
}

func TestBadTable(t *testing.T) {
	_, err := Choose([]string{"stance magic"}, asked())
	if fault.Of(err) != fault.Integrity || !strings.Contains(err.Error(), `"stance magic": unknown method: name a method, or make the pack again`) {
		t.Error(err)
	}
}
