package mvrag

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// The shipped domains have the perspectives that the paper names, in Section 4.4 and
// Appendix A.
func TestShipped(t *testing.T) {
	want := map[string]string{
		"law":               "fundamental facts, focus of dispute, application of law, penalty",
		"medicine":          "medical history, symptoms, laboratory data, treatment response",
		"biology":           "gene expression, protein function, species evolution",
		"geography":         "climate change, urban development, biodiversity",
		"literature":        "narrative techniques, historical context, cultural impact",
		"political-science": "information dissemination, voter behavior, regulatory policies",
		"physics":           "quantum mechanics, cryptography, technological advancement",
	}
	names := Domains()
	if len(names) != len(want) {
		t.Errorf("%v", names)
	}
	for _, name := range names {
		d, err := Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := d.String(); got != want[name] || d.Name != strings.ReplaceAll(name, "-", " ") {
			t.Errorf("%s: %s of %q, want %s", name, got, d.Name, want[name])
		}
	}
}

const cooking = `# ours
name: cooking
perspectives:
  - name: taste
    description: what it tastes of
    hint: >-
      name the
      spices
  - {name: cost, description: "what it costs"}
`

func TestParse(t *testing.T) {
	d, err := Parse("c.yaml", []byte(cooking))
	if err != nil || d.Name != "cooking" || !slices.Equal(d.Perspectives, []Perspective{{"taste", "what it tastes of", "name the spices"}, {"cost", "what it costs", ""}}) {
		t.Fatalf("%+v %v", d, err)
	}
	if i, ok := d.Find(" Cost "); i != 1 || !ok {
		t.Errorf("%d %v", i, ok)
	}
	one := "  - {name: n, description: d}\n"
	for text, want := range map[string]string{
		"":               `c.yaml: not a domain`,
		"- a\n":          `c.yaml: not a domain`,
		"just a text":    `c.yaml: not a domain`,
		"name: [a\n":     `c.yaml:`,
		"name: \"a\n":    `c.yaml:`,
		"name: a\xff\n":  `c.yaml: not UTF-8`,
		"name: cooking":  `c.yaml:1: perspectives: missing`,
		"perspectives:":  `c.yaml:1: name: missing`,
		"a: b\nname: c":  `c.yaml:1: a: no such field: the fields are name, perspectives`,
		"? [a]\n: b":     `no such field`,
		"name: [a, b]\n": `c.yaml:1: name: not a text`,
		"name: a\nname: b\nperspectives:\n" + one:                                            `c.yaml:2: name: given twice`,
		"name: ' '\nperspectives:\n" + one:                                                   `c.yaml:1: name: empty`,
		"name: 1984\nperspectives:\n" + one:                                                  `c.yaml:1: name: 1984 is not a text: put it between quotes`,
		"name: null\nperspectives:\n" + one:                                                  `c.yaml:1: name: null is not a text`,
		"name: !!binary aGk=\nperspectives:\n" + one:                                         `is not a text`,
		"name: " + strings.Repeat("n", maxName+1) + "\nperspectives:\n" + one:                `c.yaml:1: name: 61 characters, at most 60`,
		"name: &a c\nperspectives:\n" + one:                                                  `c.yaml:1: name: an anchor or an alias`,
		"name: a\nperspectives: b":                                                           `c.yaml:2: perspectives: not a list`,
		"name: a\nperspectives: []":                                                          `c.yaml:2: perspectives: 0 of them, must be 1 to 16`,
		"name: a\nperspectives:\n" + strings.Repeat(one, 17):                                 `c.yaml:3: perspectives: 17 of them`,
		"name: a\nperspectives:\n" + one + one:                                               `c.yaml:4: perspectives[1].name: "n" is there twice`,
		"name: a\nperspectives:\n- n":                                                        `c.yaml:3: perspectives[0]: must have the fields name, description, hint`,
		"name: a\nperspectives:\n" + one + "  - {name: m}":                                   `c.yaml:4: perspectives[1].description: missing`,
		"name: a\nperspectives:\n- name: b\n  description: c\n  weight: 1":                   `c.yaml:5: perspectives[0].weight: no such field`,
		"name: a\nperspectives:\n- name: b\n  description: c\n  hint: []":                    `c.yaml:5: perspectives[0].hint: not a text`,
		"name: a\nperspectives:\n- name: b\n  description: |\n    c\n    d\n":                `c.yaml:4: perspectives[0].description: a line break`,
		"name: a\nperspectives:\n- name: \"b\\u2028c\"\n  description: d":                    `c.yaml:3: perspectives[0].name: a line break`,
		"name: a\nperspectives:\n- name: \"b\\u202ec\"\n  description: d":                    `c.yaml:3: perspectives[0].name: a line break`,
		"name: a\nperspectives:\n- name: b\n  description: " + strings.Repeat("d", 501):      `c.yaml:4: perspectives[0].description: 501 characters, at most 500`,
		"name: a\nperspectives:\n- &x {name: b, description: c}\n- *x":                       `c.yaml:3: perspectives[0]: an anchor or an alias`,
		"name: a\nperspectives: &x\n" + one:                                                  `an anchor or an alias`,
		"name: a\nperspectives:\n" + one + "---\nname: b\n":                                  `a second document`,
		"name: a\nperspectives:\n" + one + "---\n[":                                          `not YAML`,
		"name: a\nperspectives:\n- " + strings.Repeat("[", 20) + strings.Repeat("]", 20):     `c.yaml`,
		"name: a\nperspectives:\n" + strings.Repeat("#", maxFile):                            `bytes, at most 65536`,
		"a: &a [x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nname: [*c, *c, *c]\n": `c.yaml:1: a: no such field`,
	} {
		d, err := Parse("c.yaml", []byte(text))
		if err == nil || fault.Of(err) != fault.Input || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.80q: %+v %v, want %s", text, d, err, want)
		}
	}
}

func TestOpen(t *testing.T) {
	if _, err := Open("cooking"); fault.Of(err) != fault.Query || !strings.Contains(err.Error(), "the domains are biology, geography, law") {
		t.Errorf("%v", err)
	}
	path := filepath.Join(t.TempDir(), "cooking.yaml")
	if _, err := Open(path); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(path, []byte(cooking), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Open(path); err != nil || len(d.Perspectives) != 2 {
		t.Errorf("%+v %v", d, err)
	}
}

// Whatever a file has, the domain that is read from it is within the limits, and each of its
// texts is one line of a prompt.
func FuzzParse(f *testing.F) {
	f.Add([]byte(cooking))
	f.Add([]byte("name: a\nperspectives:\n- &x {name: b, description: c}\n- *x\n- <<: *x\n"))
	for _, name := range Domains() {
		text, err := shipped.ReadFile("domains/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse("f.yaml", text)
		if err != nil {
			if fault.Of(err) != fault.Input || !strings.HasPrefix(err.Error(), "f.yaml") {
				t.Errorf("%v", err)
			}
			return
		}
		if n := len(d.Perspectives); n < 1 || n > MaxPerspectives {
			t.Errorf("%d perspectives", n)
		}
		seen := map[string]bool{}
		for _, p := range d.Perspectives {
			if seen[strings.ToLower(p.Name)] || p.Name == "" || p.Description == "" {
				t.Errorf("%+v", d)
			}
			seen[strings.ToLower(p.Name)] = true
			for _, s := range []string{d.Name, p.Name, p.Description, p.Hint} {
				if len(strings.Split(s, "\n")) > 1 || strings.ContainsAny(s, "\r\x00\u2028") || len([]rune(s)) > maxText {
					t.Errorf("%q", s)
				}
			}
		}
	})
}
