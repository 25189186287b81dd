package berds

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sample is a data set of our own in Perspectrum's layout.
const (
	samplePool   = `[{"pId": 7, "text": "bridges last", "source": "us"}, {"pId": 3, "text": "bridges cost"}, {"pId": 9, "text": "boats are slow"}]`
	sampleClaims = `[
		{"cId": 1, "text": "Build the bridge", "source": "us", "perspectives": [
			{"pids": [9, 7], "stance_label_3": "SUPPORT", "evidence": [4, 4]},
			{"pids": [7], "stance_label_3": "support"},
			{"pids": [3], "stance_label_3": "UNDERMINE"},
			{"pids": [3], "stance_label_3": "not-a-perspective"}]},
		{"cId": 2, "text": "Keep the ferry", "perspectives": []}]`
	sampleSplits = `{"1": "test", "2": "dev"}`
)

func readSample(pool, claims, splits string) (*Perspectrum, error) {
	file := func(name, text string) PerspectrumFile { return PerspectrumFile{name, strings.NewReader(text)} }
	return ReadPerspectrum(file("pool", pool), file("claims", claims), file("splits", splits))
}

func TestReadPerspectrum(t *testing.T) {
	p, err := readSample("\xef\xbb\xbf"+samplePool, sampleClaims, sampleSplits)
	if err != nil {
		t.Fatal(err)
	}
	c := &p.Claims[0]
	if len(p.Pool) != 3 || len(p.Claims) != 2 || len(c.Clusters) != 3 || c.Split != Test || !c.TwoSided() || p.Claims[1].TwoSided() {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(c.Documents[Support], []uint32{0, 2}) || !slices.Equal(c.Documents[Oppose], []uint32{1}) {
		t.Errorf("%v", c.Documents)
	}
	if dev := p.Split(Development); len(dev) != 1 || dev[0].ID != 2 {
		t.Errorf("%+v", dev)
	}
}

func TestPerspectrumErrors(t *testing.T) {
	for _, c := range []struct{ in, old, new, want string }{
		{samplePool, `"pId": 3`, `"pId": 7`, "pool: entry 2: the pId 7 is already taken by entry 1"},
		{samplePool, `"pId": 3, `, ``, `pool: entry 2: no "pId"`},
		{samplePool, `"bridges cost"`, `" "`, `pool: entry 2: no "text"`},
		{samplePool, `"bridges cost"`, `5`, "pool: entry 2: json"},
		{samplePool, `slow"}]`, `slow"}`, "pool: after entry 3: the file ends in the middle"},
		{samplePool, `slow"}]`, `slow"`, "pool: entry 3: the file ends in the middle"},
		{samplePool, `slow"}]`, `slow"}] x`, "pool: text after the JSON value"},
		{samplePool, samplePool, `{"pId": 7}`, "pool: not a JSON array"},
		{samplePool, samplePool, `[]`, "pool: no perspectives"},
		{samplePool, "last", "l\xffst", "pool:1: not UTF-8"},
		{sampleClaims, `"cId": 2`, `"cId": 1`, "claims: entry 2: the cId 1 is already taken by entry 1"},
		{sampleClaims, `"cId": 2`, `"cId": 5`, "claims: entry 2: claim 5 has no split"},
		{sampleClaims, `"cId": 2, `, ``, `claims: entry 2: no "cId"`},
		{sampleClaims, `"Keep the ferry"`, `""`, `claims: entry 2: no "text"`},
		{sampleClaims, `[7]`, `[8]`, "claims: entry 1: claim 1, cluster 2: perspective 8 is not in the pool"},
		{sampleClaims, `"UNDERMINE"`, `"AGAINST"`, `claims: entry 1: claim 1, cluster 3: stance_label_3 is "AGAINST"`},
		{sampleClaims, sampleClaims, `[]`, "claims: no claims"},
		{sampleSplits, `"dev"`, `"tst"`, `splits: claim 2 is in split "tst"`},
		{sampleSplits, `"dev"`, `2`, `splits: claim "2": json`},
		{sampleSplits, `"2"`, `"1"`, "splits: claim 1 is listed twice"},
		{sampleSplits, `"2"`, `"two"`, `splits: "two" is not the id`},
		{sampleSplits, `"dev"`, `"dev", "4": "dev", "3": "train"`, "splits: claim 3 is in the train split, and not in claims"},
		{sampleSplits, `}`, ``, "splits: after 2 claims: the file ends in the middle"},
		{sampleSplits, sampleSplits, `[1]`, "splits: not a JSON object"},
	} {
		files := [3]string{samplePool, sampleClaims, sampleSplits}
		for i := range files {
			if files[i] == c.in {
				files[i] = strings.Replace(files[i], c.old, c.new, 1)
			}
		}
		if _, err := readSample(files[0], files[1], files[2]); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

const sampleExpansions = `{"org_id": "5", "id": 1, "org_q": "Is it?", "perspective": "Yes_Side", "text": "It is.", "question": "Is it? It is.", "input": "x", "perspectives": ["It is so.", "It is not"]}

{"id": 2, "org_q": "Is it?", "text": "It's not.", "question": "Is it?\" It's not.", "perspectives": ["ignored"]}
{"org_q": " Was it? ", "text": "Once."}
`

func TestReadExpansions(t *testing.T) {
	expansions, err := ReadExpansions(strings.NewReader(sampleExpansions), "x")
	if err != nil {
		t.Fatal(err)
	}
	queries := Queries(expansions)
	if len(queries) != 2 || !slices.Equal(queries["Is it?"], []string{"Is it? It is.", `Is it?" It's not.`}) || !slices.Equal(queries["Was it?"], []string{" Was it?  Once."}) {
		t.Errorf("%q", queries)
	}
	want := ExpansionStatistics{File: "x", Rows: 3, Questions: 2, OriginalIDs: 1, PerQuestion: 1.5, Perspectives: 1, Words: 3, TextWords: 5. / 3, NotPlain: 1}
	if got := Describe("x", expansions); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	// White space around a question does not make it another one, and rows may lack org_id.
	spaced, err := ReadExpansions(strings.NewReader(`{"org_q": "Is it?", "text": "Yes."}`+"\n"+`{"org_q": " Is it?\n", "text": "No."}`), "y")
	if err != nil {
		t.Fatal(err)
	}
	if got := Describe("y", spaced); got.Questions != len(Queries(spaced)) || got.Questions != 1 || got.PerQuestion != 2 || got.OriginalIDs != 0 {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"id": 2`, `"id": 1`, "x:3: the id 1 is already taken by line 1"},
		{`"id": 2`, `"id": "2"`, "x:3: not the JSON object that is expected"},
		{`{"id": 2`, `[{"id": 2`, "x:3: not the JSON object that is expected"},
		{`"text": "Once."`, `"text": ""`, `x:4: no "text"`},
		{`" Was it? "`, `""`, `x:4: no "org_q"`},
		{`"text": "Once."`, `"text": "Once.", "text": "Twice."`, "x:4: JSON at byte"},
		{sampleExpansions, "\n\n", "x: no expansions"},
		{"Once", "Onc\xe9", "x:4: not UTF-8"},
	} {
		if _, err := ReadExpansions(strings.NewReader(strings.Replace(sampleExpansions, c.old, c.new, 1)), "x"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

const sampleDetection = "question\tid\tdocument\tperspective\tlabel\r\n" +
	"Is it?\ta\t\"It is \"\"so\"\",\r\nthey say\"\tIt is.\t1\r\n" +
	"Is it?\tb\tIt is not.\tIt is.\t0\r\n" +
	"Is it?\tc\tIt is not.\tIt is.\t1\r\n" +
	"Is it?\td\tIt is not.\tIt is not.\t1\r\n"

func TestReadDetection(t *testing.T) {
	judgements, err := ReadDetection(strings.NewReader(sampleDetection), "x")
	if err != nil {
		t.Fatal(err)
	}
	if j := judgements[0]; len(judgements) != 4 || j.Document != "It is \"so\",\nthey say" || !j.Contains {
		t.Errorf("%+v", judgements)
	}
	want := DetectionStatistics{File: "x", Rows: 4, Positive: 3, Questions: 1, Perspectives: 2, Documents: 2, Repeated: 1, Pairs: 2, Supporting: 1, ContainMany: 1,
		Random: Detection{Positive: .75, Accuracy: .625, F1: .75}}
	if got := DescribeDetection("x", judgements); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct{ old, new, want string }{
		{"question\t", "query\t", "x:1: the header is"},
		{"\tb\t", "\ta\t", `x:4: the id "a" is already taken by line 2`},
		{"It is.\t0", "It is.\tno", `x:4: the label is "no"`},
		{"It is.\t0", "\t0", `x:4: no "perspective"`},
		{"It is.\t0", "It is.", "x:4:1: wrong number of fields"},
		{"\"It is", "It \"is", "x:2:"},
		{sampleDetection, "", "x: empty"},
		{sampleDetection, sampleDetection[:strings.Index(sampleDetection, "\n")+1], "x: no rows"},
	} {
		if _, err := ReadDetection(strings.NewReader(strings.Replace(sampleDetection, c.old, c.new, 1)), "x"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

func FuzzReadPerspectrum(f *testing.F) {
	f.Add(samplePool, sampleClaims, sampleSplits)
	f.Add(`[]`, `[{}]`, `{"1": null}`)
	f.Add(`[null]`, `[null]`, `null`)
	f.Fuzz(func(t *testing.T, pool, claims, splits string) {
		p, err := readSample(pool, claims, splits)
		if err != nil {
			return
		}
		for _, c := range p.Claims {
			if c.Split == "" {
				t.Errorf("claim %d has no split", c.ID)
			}
			for _, documents := range c.Documents {
				for i, d := range documents {
					if int(d) >= len(p.Pool) || i > 0 && documents[i-1] >= d {
						t.Errorf("claim %d: documents %v of %d", c.ID, documents, len(p.Pool))
					}
				}
			}
		}
	})
}

func FuzzReadExpansions(f *testing.F) {
	f.Add(sampleExpansions)
	f.Add(`{"org_q": "a", "text": "b", "id": null}`)
	f.Fuzz(func(t *testing.T, text string) {
		expansions, err := ReadExpansions(strings.NewReader(text), "x")
		if err != nil {
			return
		}
		n := 0
		for question, queries := range Queries(expansions) {
			n += len(queries)
			if question == "" || slices.Contains(queries, "") {
				t.Errorf("%q: %q", question, queries)
			}
		}
		if n != len(expansions) || Describe("x", expansions).Rows != n {
			t.Errorf("%d queries of %d expansions", n, len(expansions))
		}
	})
}

func FuzzReadDetection(f *testing.F) {
	f.Add(sampleDetection)
	f.Fuzz(func(t *testing.T, text string) {
		judgements, err := ReadDetection(strings.NewReader(text), "x")
		if err != nil {
			return
		}
		if s := DescribeDetection("x", judgements); s.Positive > s.Rows || s.Supporting+s.ContainMany > s.Pairs || s.Pairs+s.Repeated > s.Rows {
			t.Errorf("%+v", s)
		}
	})
}
