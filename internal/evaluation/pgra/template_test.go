package pgra

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The templates put texts as Table 13 of the paper prints them.
func TestTemplatesAreThePapers(t *testing.T) {
	for _, c := range []struct {
		file, text, demonstration, asked string
		label                            int
		endings                          []string
	}{
		{"sentiment.txt", "the plot never wakes up", "Does the following sentence have a positive or negative sentiment?\nthe plot never wakes up\nThe answer is negative.",
			"Does the following sentence have a positive or negative sentiment?\nthe plot never wakes up\nThe answer is", 0, []string{" negative", " positive"}},
		{"sst-5.txt", "a fine evening", "What sentiment does this sentence have? terrible, bad, okay, good or great\na fine evening\nThe answer is good",
			"What sentiment does this sentence have? terrible, bad, okay, good or great\na fine evening\nThe answer is", 3, []string{" terrible", " bad", " okay", " good", " great"}},
		{"trec.txt", "Who rang ?", "Which category best describes the following question:\nWho rang ?\nChoose from the following list: Description, Entity, Abbreviation, Person, Quantity, Location.\nThe answer is Person.",
			"Which category best describes the following question:\nWho rang ?\nChoose from the following list: Description, Entity, Abbreviation, Person, Quantity, Location.\nThe answer is", 3,
			[]string{" Description", " Entity", " Abbreviation", " Person", " Location", " Quantity"}},
		{"subj.txt", "a man leaves", "Is this a subjective or objective description?\na man leaves\nThe answer is objective",
			"Is this a subjective or objective description?\na man leaves\nThe answer is", 1, []string{" subjective", " objective"}},
		{"cola.txt", "Ann slept.", "The following sentence is either \"acceptable\", meaning it is grammatically correct and makes sense, or \"unacceptable\". Which is it?\nAnn slept.\nThe answer is acceptable",
			"The following sentence is either \"acceptable\", meaning it is grammatically correct and makes sense, or \"unacceptable\". Which is it?\nAnn slept.\nThe answer is", 1, []string{" unacceptable", " acceptable"}},
	} {
		b, err := own.ReadFile("templates/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParseTemplate(c.file, b)
		if err != nil {
			t.Fatal(err)
		}
		before, after := p.Around()
		if got := p.Demonstration(c.text, c.label); got != c.demonstration {
			t.Errorf("%s: %q", c.file, got)
		}
		if got := before + c.text + after; got != c.asked {
			t.Errorf("%s: %q", c.file, got)
		}
		if got := p.Endings(); strings.Join(got, "|") != strings.Join(c.endings, "|") {
			t.Errorf("%s: %q", c.file, got)
		}
	}
}

const labels = "label 0 = no\nlabel 1 = yes\n---\n"

func TestTemplateErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"without dashes":        {"label 0 = no", "no line ---"},
		"one label":             {"label 0 = no\n---\n{text} {label}", "1 labels"},
		"no text":               {labels + "is it {label}", "{text} occurs 0 times"},
		"no label":              {labels + "is it {text}", "{label} occurs 0 times"},
		"two texts":             {labels + "{text} {text} {label}", "{text} occurs 2 times"},
		"label first":           {labels + "{label} is {text}", "is before {text}"},
		"without a space":       {labels + "{text}{label}", "must follow a space"},
		"another placeholder":   {labels + "{sentence} {label}", "{sentence} is not known"},
		"the same key":          {"label 0 = no\nlabel 0 = yes\n---\n", `x.txt:2: the label "0" is given twice`},
		"the same word":         {"label 0 = no\n\nlabel 1 = no\n---\n", `x.txt:3: two labels have the word "no"`},
		"no word":               {"label 0 =\n---\n", "has no word"},
		"something else":        {"lable 0 = no\n---\n", "is not a label"},
		"too long":              {strings.Repeat("#\n", maxTemplate), "at most 65536"},
		"not UTF-8":             {"\xff", "not UTF-8"},
		"a word with a bracket": {"label 0 = {text}\n---\n", "with braces"},
	} {
		if _, err := ParseTemplate("x.txt", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "x.txt:") {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	// A path may have a percent sign.
	if _, err := ParseTemplate("100%done/x.txt", []byte("\xff")); err == nil || err.Error() != "100%done/x.txt: not UTF-8" {
		t.Errorf("a percent sign: %v", err)
	}
	// Line breaks of Windows, a byte order mark, comments, and braces of the text itself.
	p, err := ParseTemplate("x.txt", []byte("\ufeff# mine\r\nlabel a=x y\r\nlabel b = z\r\n---\r\n\r\nIs {text} {1}?\r\nIt is {label}!\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Demonstration("{label}", 0); got != "Is {label} {1}?\nIt is x y!" {
		t.Errorf("%q", got)
	}
}

// A template is refused, or what it makes of a text holds the text and the label's word in
// this order, and asks for the word at its end.
func FuzzTemplate(f *testing.F) {
	f.Add([]byte(labels + "Is {text}?\nIt is {label}."))
	f.Add([]byte("label 0=a\nlabel 1=b=c\n---\n{text}\t{label}{label}"))
	for _, name := range []string{"sentiment.txt", "trec.txt"} {
		b, err := own.ReadFile("templates/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParseTemplate("x.txt", b)
		if err != nil {
			return
		}
		before, after := p.Around()
		for i, ending := range p.Endings() {
			whole := p.Demonstration("some text", i)
			if !strings.HasPrefix(whole, before+"some text"+after+ending) || strings.TrimSpace(ending) != p.Labels[i] || ending == p.Labels[i] {
				t.Errorf("%q does not begin with %q, %q, %q", whole, before, after, ending)
			}
			if n, ok := p.Label(p.Keys[i]); !ok || n != i {
				t.Errorf("label %q is number %d", p.Keys[i], n)
			}
		}
	})
}

// A folder of templates is made if it is not there, and read if it is.
func TestTemplateFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	all, err := choose(nil)
	if err != nil {
		t.Fatal(err)
	}
	made, err := readTemplates(t.Context(), dir, all, nil)
	if err != nil || len(made) != 5 {
		t.Fatalf("%d templates, %v", len(made), err)
	}
	path := filepath.Join(dir, "subj.txt")
	if err := os.WriteFile(path, []byte("label 0 = felt\nlabel 1 = seen\n---\n{text}\nThis is {label}"), 0o600); err != nil {
		t.Fatal(err)
	}
	changed, err := readTemplates(t.Context(), dir, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := changed["subj.txt"].Demonstration("a", 1); got != "a\nThis is seen" {
		t.Errorf("%q", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := readTemplates(t.Context(), dir, all, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a missing template: %v", err)
	}
}
