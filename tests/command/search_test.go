package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// answer is the output of `vantage search --json`.
type answer struct {
	Method, Kind string
	Lambda       float32
	K            int
	Encoder      struct{ ID, Revision string }
	Hits         []struct {
		Rank    int
		ID      string
		Index   int
		Score   float32
		Title   string
		Text    string
		Explain map[string]float32
		Stance  *saidStance
	}
}

func (a *answer) ids() (ids []string) {
	for _, h := range a.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func searchJSON(t *testing.T, dir, where string, args ...string) answer {
	t.Helper()
	return decode[answer](t, must(t, dir, append([]string{"search", where, "--json"}, args...)...).stdout)
}

const opposing = "Find a claim that opposes the argument: Night trains deserve public subsidy"

func TestSearchJSON(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "c")
	out := must(t, dir, "search", "c", "--json", "--query", opposing, "-k", "4").stdout
	a := decode[answer](t, out)
	if a.Method != "tri-sum" || a.Kind != "stance" || a.Lambda != 1 || a.K != 4 || a.Encoder.ID == "" || a.Encoder.Revision == "" || len(a.Hits) != 4 {
		t.Errorf("%+v", a)
	}
	for i, h := range a.Hits {
		if h.Rank != i+1 || h.ID == "" || h.Text == "" || i > 0 && h.Score > a.Hits[i-1].Score {
			t.Errorf("hit %d: %+v", i, h)
		}
	}
	checkKeys(t, out)
	checkNumbers(t, out)
	// The words after the collection are the query, even with flags between them.
	if words := must(t, dir, append([]string{"search", "c", "-k", "4", "--json"}, strings.Fields(opposing)...)...).stdout; words != out {
		t.Errorf("words give %s, --query %s", words, out)
	}
	// A query in parts is the same as in one sentence.
	parts := searchJSON(t, dir, "c", "--query", opposing, "-k", "4", "--root", "Night trains deserve public subsidy", "--perspective", "a claim that opposes the argument")
	if !slices.Equal(parts.ids(), a.ids()) {
		t.Errorf("%v and %v", parts.ids(), a.ids())
	}
}

// checkKeys compares the keys and their order with the documented ones.
func checkKeys(t *testing.T, out string) {
	t.Helper()
	for _, c := range []struct {
		within string
		want   []string
	}{
		{out, []string{"method", "kind", "lambda", "k", "encoder", "close", "hits"}},
		{out[strings.Index(out, `"encoder":`)+10:], []string{"id", "revision"}},
		{out[strings.Index(out, `"hits":[`)+8:], []string{"rank", "id", "index", "score", "title", "text", "explain"}},
		{out[strings.Index(out, `"explain":`)+10:], []string{"x", "y", "norm", "numerator", "denominator", "cosine", "cosine_rank"}},
	} {
		if got := keysOf(t, c.within); !slices.Equal(got, c.want) {
			t.Errorf("keys %v, want %v", got, c.want)
		}
	}
}

// keysOf lists the keys of the object at the beginning of a text.
func keysOf(t *testing.T, text string) (keys []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return keys
}

// checkNumbers checks that every number is the shortest that reads back as the
// same float32.
func checkNumbers(t *testing.T, out string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(out))
	d.UseNumber()
	n := 0
	for {
		token, err := d.Token()
		if err != nil {
			break
		}
		number, ok := token.(json.Number)
		if !ok {
			continue
		}
		n++
		v, err := strconv.ParseFloat(number.String(), 32)
		if err != nil {
			t.Fatal(err)
		}
		if shortest, _ := json.Marshal(float32(v)); string(shortest) != number.String() {
			t.Errorf("%s is not the shortest form, which is %s", number, shortest)
		}
	}
	if n < 20 {
		t.Errorf("only %d numbers", n)
	}
}

func TestSearchDefaults(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	if a := searchJSON(t, dir, "c", "--query", "sleeping cats"); a.Method != "none" || a.K != 10 || len(a.Hits) != 6 || a.Hits[0].ID != "cats" {
		t.Errorf("a plain query: %+v", a)
	}
	if a := searchJSON(t, dir, "c", "--query", "tame cats", "--root", "cats"); a.Method != "none" || a.Kind != "" {
		t.Errorf("a root alone: %+v", a)
	}
	if a := searchJSON(t, dir, "c", "--query", "tame cats", "--root", "cats", "--lambda", "1"); a.Method != "pap+" || a.Hits[0].Explain["y"] == 0 {
		t.Errorf("a root and λ: %+v", a)
	}
	a := searchJSON(t, dir, "c", "--query", "animals", "--root", "animals in general", "--perspective", "tame", "--perspective", "wild", "--lambda", "0.5", "--method", "vec_projection", "-k", "2")
	if a.Method != "vec_projection" || a.Lambda != 0.5 || len(a.Hits) != 2 {
		t.Errorf("everything given: %+v", a)
	}
	if a, b := searchJSON(t, dir, "c", "--query", "animals", "--root", "pets", "--method", "root"), searchJSON(t, dir, "c", "--query", "pets"); !slices.Equal(a.ids(), b.ids()) {
		t.Errorf("method root: %v, the root alone: %v", a.ids(), b.ids())
	}
}

func TestSearchFilters(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	for filter, want := range map[string][]string{
		"kind=transport":        {"planes", "trains"},
		"kind=animal|transport": {"cats", "dogs", "planes", "trains", "wolves"},
		"kind=plant":            nil,
		"tame=true":             {"cats", "dogs"},
		"year=2005":             {"dogs"},
		"year=2005..2015":       {"dogs", "trains", "wolves"},
		"year>=2015":            {"planes", "trains"},
		"year<=2001":            {"cats"},
	} {
		a := searchJSON(t, dir, "c", "--query", "night", "--filter", filter)
		ids := a.ids()
		if slices.Sort(ids); !slices.Equal(ids, want) {
			t.Errorf("%s: %v, want %v", filter, ids, want)
		}
	}
	a := searchJSON(t, dir, "c", "--query", "night", "--filter", "kind=animal", "--filter", "year>=2005", "--filter", "tame=false")
	if !slices.Equal(a.ids(), []string{"wolves"}) {
		t.Errorf("three filters: %v", a.ids())
	}
	if r := must(t, dir, "search", "c", "--query", "night", "--filter", "kind=plant"); r.stdout != "" || !strings.Contains(r.stderr, "no document fits") {
		t.Errorf("%q %q", r.stdout, r.stderr)
	}
}

func TestSearchTable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "corpus.jsonl", `{"_id": "an id\u001b[31m that is far too long for its column of the table", "text": "Rivers\nflow\tto the sea \u202e and `+strings.Repeat("very ", 60)+`slowly."}
{"_id": "東京", "title": "東京の鉄道と川", "text": "Rivers of Tokyo."}
`)
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "c")
	r := must(t, dir, "search", "c", "--query", "what an expert would say about this: rivers", "--root", "rivers", "--perspective", "what an expert would say", "--lambda", "0.5")
	lines := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "rank   score  moved  id") {
		t.Fatalf("%q", r.stdout)
	}
	if at := control.FindString(r.stdout); at != "" || strings.Contains(r.stdout, "\u202e") {
		t.Errorf("a document's control characters in %q", r.stdout)
	}
	for _, line := range lines {
		if n := len([]rune(line)); n > 120 {
			t.Errorf("%d characters: %q", n, line)
		}
	}
	if !strings.Contains(r.stdout, "東京の鉄道と川") || !strings.Contains(r.stdout, "…") {
		t.Errorf("%q", r.stdout)
	}
	for _, part := range []string{"method pap+", "λ 0.5", "vantage-static-en@", "root: rivers\n", "perspective: what an expert would say\n"} {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("stderr %q lacks %q", r.stderr, part)
		}
	}
	const difference = "perspective: what the query has beyond the root"
	if r := must(t, dir, "search", "c", "--query", "slow rivers", "--root", "rivers", "--method", "pap"); !strings.Contains(r.stderr, difference) {
		t.Errorf("stderr %q", r.stderr)
	}
	if r := must(t, dir, "search", "c", "--query", "slow rivers", "--root", "rivers"); strings.Contains(r.stderr, difference) || !strings.Contains(r.stderr, "method none, encoder") {
		t.Errorf("stderr %q, though the method has no perspective", r.stderr)
	}
}

func TestSearchMMR(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "c")
	plain, diverse := searchJSON(t, dir, "c", "--query", "night trains"), searchJSON(t, dir, "c", "--query", "night trains", "--mmr", "0.3")
	if slices.Equal(plain.ids(), diverse.ids()) || plain.Hits[0].ID != diverse.Hits[0].ID {
		t.Errorf("%v and %v", plain.ids(), diverse.ids())
	}
	if same := searchJSON(t, dir, "c", "--query", "night trains", "--mmr", "1"); !slices.Equal(plain.ids(), same.ids()) {
		t.Errorf("relevance alone: %v and %v", plain.ids(), same.ids())
	}
}

func TestSearchWarnings(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	for query, part := range map[string]string{
		"Die Katze schläft den ganzen Tag und jagt in der Nacht": "English only",
		strings.Repeat("night trains ", 400):                     "longer than the encoder reads",
		"sleeping cats":                                          "",
	} {
		r := must(t, dir, "search", "c", "--json", "--query", query)
		if part == "" && r.stderr != "" || !strings.Contains(r.stderr, part) {
			t.Errorf("%.40q: stderr %q, want %q", query, r.stderr, part)
		}
	}
	fails(t, usage, dir, []string{"search", "c", "--query", "😀"}, "query")
}

func TestSearchBadCollections(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	write(t, dir, "empty/readme.txt", "nothing here")
	write(t, dir, "app/manifest.json", `{"name": "A web app"}`)
	write(t, dir, "torn/manifest.json", read(t, filepath.Join(dir, "c/manifest.json"))[:200])
	write(t, dir, "newer/manifest.json", `{"format": "vantage-collection", "version": 99}`)
	for where, part := range map[string]string{
		"nowhere": "no such folder", "corpus.jsonl": "a file where a folder", "empty": "vantage index", "app": "not a Vantage collection",
		"torn": "manifest.json", "newer": "upgrade vantage",
	} {
		fails(t, input, dir, []string{"search", where, "--query", "x"}, where, part)
	}
	fails(t, failed, dir, []string{"search", "http://127.0.0.1:1/c", "--query", "x"}, "127.0.0.1:1")
	fails(t, usage, dir, []string{"search", "https://", "--query", "x"}, "names no host")
	// A web app's folder may hold a collection beside its own manifest.
	if err := os.Rename(filepath.Join(dir, "c"), filepath.Join(dir, "app/collection")); err != nil {
		t.Fatal(err)
	}
	searchJSON(t, dir, "app", "--query", "sleeping cats")
	// A host may answer every address with an HTML page, even manifest.json.
	write(t, dir, "app/manifest.json", "<!DOCTYPE html><title>A web app</title>")
	searchJSON(t, dir, "app", "--query", "sleeping cats")
}

// The Go packages and the browser's core give the same bytes.
func TestEnginesAgree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "int8")
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "f32", "--quantize", "f32")
	for _, args := range [][]string{
		{"int8", "--query", opposing},
		{"int8", "--query", opposing, "--method", "vec_aug_cast", "-k", "50"},
		{"int8", "--query", opposing, "--method", "rerank", "--filter", "stance=oppose|context", "--mmr", "0.6"},
		{"int8", "--query", "late trains", "--root", "trains", "--lambda", "-0.75"},
		{"f32", "--query", opposing, "--perspective", "money", "--perspective", "the climate", "-k", "1000"},
		{"f32", "--query", "school uniforms"},
	} {
		args = append([]string{"search", "--json"}, args...)
		native, headless := must(t, dir, args...), must(t, dir, append(args, "--engine", "headless")...)
		if native.stdout != headless.stdout {
			t.Errorf("%v:\n%.2000s\n%.2000s", args, native.stdout, headless.stdout)
		}
		if native.stderr != headless.stderr {
			t.Errorf("%v: stderr %q and %q", args, native.stderr, headless.stderr)
		}
	}
	fails(t, usage, dir, []string{"search", "int8", "--query", "😀", "--engine", "headless"}, "query")
	fails(t, usage, dir, []string{"search", "int8", "--query", "x", "--filter", "no=1", "--engine", "headless"}, "no such field")
}

// The headless engine also runs without a folder for compiled code, or with
// damaged code in it.
func TestHeadlessWithoutCache(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	want := must(t, dir, "search", "c", "--json", "--query", "sleeping cats").stdout
	blocked := write(t, dir, "blocked", "a file where the cache would be")
	damaged := filepath.Join(dir, "damaged")
	check := func(cache string) {
		t.Helper()
		cmd := command(dir, "search", "c", "--json", "--query", "sleeping cats", "--engine", "headless")
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+cache)
		if r := finish(t, cmd); r.code != done || r.stdout != want {
			t.Errorf("cache %s: %+v", cache, r)
		}
	}
	check(blocked)
	check(damaged)
	n := 0
	for name, content := range list(t, filepath.Join(damaged, "vantage")) {
		write(t, filepath.Join(damaged, "vantage"), name, string(bytes.ToUpper([]byte(content[:len(content)/2]))))
		n++
	}
	if n == 0 {
		t.Error("no compiled code was kept")
	}
	check(damaged)
}
