package command

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// description has the fields of `vantage inspect --json` that tests read.
type description struct {
	Collection, Name, Generator, DType string
	Version, Documents, Rows, Dim      int
	Model                              struct{ ID, Revision, Kind string }
	Canaries                           []string
	Files                              []struct {
		Kind          string
		Files         int
		Bytes, Stored int64
	}
	Bytes, Stored int64
	Fields        []struct {
		Name, Type string
		Documents  int
		Values     []struct {
			Value     string
			Documents int
		}
		Low, High *float64
	}
	Verified bool
	Faults   []string
}

func TestInspect(t *testing.T) {
	t.Parallel()
	dir := newCollection(t, "--name", "Small", "--quantize", "f16")
	d := decode[description](t, must(t, dir, "inspect", "c", "--json").stdout)
	if d.Collection != "c" || d.Name != "Small" || d.DType != "F16" || d.Documents != 6 || d.Rows != 6 || d.Dim != 256 || d.Version != 1 ||
		!strings.HasPrefix(d.Generator, "vantage ") || d.Model.Kind != "static" || len(d.Canaries) == 0 || d.Verified || d.Faults != nil {
		t.Errorf("%+v", d)
	}
	var stored int64
	for _, f := range d.Files {
		stored += f.Stored
	}
	onDisk := 0
	files := list(t, filepath.Join(dir, "c"))
	delete(files, "manifest.json")
	for _, content := range files {
		onDisk += len(content)
	}
	if stored != d.Stored || int(stored) != onDisk {
		t.Errorf("files of %d bytes, in all %d, on disk %d", stored, d.Stored, onDisk)
	}
	var fields []string
	for _, f := range d.Fields {
		fields = append(fields, f.Name+" "+f.Type)
		switch f.Name {
		case "kind":
			if f.Documents != 5 || f.Values[0].Value != "animal" || f.Values[0].Documents != 3 || f.Values[1].Documents != 2 {
				t.Errorf("%+v", f)
			}
		case "tame":
			if f.Documents != 3 || f.Values[0].Value != "true" || f.Values[0].Documents != 2 {
				t.Errorf("%+v", f)
			}
		case "year":
			if f.Documents != 5 || *f.Low != 2001 || *f.High != 2020 {
				t.Errorf("%+v", f)
			}
		}
	}
	if !slices.Equal(fields, []string{"kind string", "tame bool", "year number"}) {
		t.Errorf("fields %v", fields)
	}
	human := must(t, dir, "inspect", "c", "--verify").stdout
	for _, part := range []string{"6 × 256 F16", "kind: string, 5 documents, 2 values: animal (3), transport (2)", "year: number, 5 documents, from 2001 to 2020", "English only", "every file is as it should be"} {
		if !strings.Contains(human, part) {
			t.Errorf("%q lacks %q", human, part)
		}
	}
}

// Verify finds every file that the manifest names if it is damaged in one byte,
// truncated or replaced by a page.
func TestVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	whole := list(t, filepath.Join(dir, "c"))
	if d := decode[description](t, must(t, dir, "inspect", "c", "--verify", "--json").stdout); !d.Verified || d.Faults != nil {
		t.Errorf("%+v", d)
	}
	for _, name := range names(whole) {
		if name == "manifest.json" {
			continue
		}
		content := whole[name]
		middle := len(content) / 2
		for what, damaged := range map[string]string{
			"one byte":  content[:middle] + string(content[middle]^0x10) + content[middle+1:],
			"cut off":   content[:middle],
			"HTML page": "<!DOCTYPE html><title>404</title>",
		} {
			write(t, dir, "c/"+name, damaged)
			r := fails(t, input, dir, []string{"inspect", "c", "--verify"}, "c: "+name+": ")
			if !strings.Contains(r.stdout, "1 fault\n") {
				t.Errorf("%s, %s: %q", name, what, r.stdout)
			}
		}
		write(t, dir, "c/"+name, content)
	}
	// Several faults give a line each.
	broken := 0
	for name, content := range whole {
		if strings.HasPrefix(name, "vectors/") || strings.HasPrefix(name, "docs/") {
			write(t, dir, "c/"+name, content+"x")
			broken++
		}
	}
	r := try(t, dir, "inspect", "c", "--verify", "--json")
	if d := decode[description](t, r.stdout); r.code != input || strings.Count(r.stderr, "\n") != broken || len(d.Faults) != broken || !d.Verified {
		t.Errorf("%d: %d broken files\n%s\n%+v", r.code, broken, r.stderr, d.Faults)
	}
	for name := range whole {
		if strings.HasPrefix(name, "columns/") {
			write(t, dir, "c/"+name, "")
		}
	}
	fails(t, input, dir, []string{"inspect", "c"}, "columns/")
}

func TestVerifyComparesEncoder(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	manifest := filepath.Join(dir, "c", "manifest.json")
	var m map[string]any
	if err := json.Unmarshal([]byte(read(t, manifest)), &m); err != nil {
		t.Fatal(err)
	}
	vector := m["canaries"].([]any)[1].(map[string]any)["vector"].([]any)
	vector[0], vector[1] = 0.7, -0.7
	other, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "c/manifest.json", string(other))
	fails(t, input, dir, []string{"inspect", "c", "--verify"}, "does not match")
	fails(t, input, dir, []string{"search", "c", "--query", "x"}, "does not match")
}

func TestInspectBadPlaces(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	fails(t, input, dir, []string{"inspect", "nowhere"}, "nowhere")
	fails(t, input, dir, []string{"inspect", "."}, "vantage index")
}
