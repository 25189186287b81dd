package berds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// perspectivesOn are the perspectives of the test's model: as many as the question's last
// word has letters, up to five. On a ferry it gives the same one twice, which is refused.
func perspectivesOn(question string) (list []string) {
	words := strings.Fields(question)
	if strings.Contains(question, "ferry") {
		return []string{"the same", "The  same"}
	}
	for n := range min(5, len(words[len(words)-1])) {
		list = append(list, fmt.Sprintf("%s law river %d", words[n%len(words)], n))
	}
	return list
}

// Expansion by a model's perspectives has the figures of the definitions, beside those of
// the other expansion, which it leaves as they are.
func TestGenerated(t *testing.T) {
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		reply, _ := json.Marshal(map[string]any{"perspectives": perspectivesOn(r.Text)})
		return chatscript.Reply{Content: string(reply)}
	})
	for seed := range uint64(3) {
		p := invented(seed)
		client, err := chat.Open(chat.Settings{URL: s.URL, Model: "m", Anew: true})
		if err != nil {
			t.Fatal(err)
		}
		e := Experiment{client: client}
		e.Encoding.Console = console.New(&bytes.Buffer{})
		generated, err := e.generate(t.Context(), p.Split(Test))
		if err != nil {
			t.Fatal(err)
		}
		given, refused := map[string][]string{}, 0
		for _, c := range p.Split(Test) {
			if strings.Contains(c.Text, "ferry") {
				refused++
				continue
			}
			for _, view := range perspectivesOn(c.Text) {
				given[c.Text] = append(given[c.Text], c.Text+" "+view)
			}
		}
		if generated.By != "m" || generated.NoModel || generated.Refused != refused || generated.Questions != len(given) || len(e.steps) != 1 {
			t.Errorf("%+v, %d refused", generated, refused)
		}
		checkGenerated(t, p, generated, given)
	}
}

// checkGenerated compares figures of generated perspectives with the definitions.
func checkGenerated(t *testing.T, p *Perspectrum, generated *Generated, given map[string][]string) {
	t.Helper()
	retrievers, vectors := retrieversOf(t, p)
	var done, total int64
	e, err := Evaluate(t.Context(), p, Options{Retrievers: retrievers, Similarity: vectors.Similarity, Generated: generated,
		Progress: func(at, of int64) { done, total = at, of }})
	if err != nil || done != total {
		t.Fatal(err, done, total)
	}
	for i, named := range retrievers {
		for bothSides, got := range map[bool]*Results{false: &e.Retrievers[i].All, true: &e.Retrievers[i].TwoSided} {
			o := oracle{t, p, named.Retriever, vectors.Similarity, given, "", map[string][]lexical.Hit{}, map[string][]uint32{}}
			for _, k := range []int{5, 10} {
				o.near(fmt.Sprint(named.Name, " MRecall@", k), got.Generated.MRecall[k], o.mean(Test, bothSides, func(c *Claim) float64 { return o.mRecall(c, o.expanded(c, true), k) }))
				o.near(fmt.Sprint(named.Name, " Precision@", k), got.Generated.Precision[k], o.mean(Test, bothSides, func(c *Claim) float64 { return o.precision(c, o.expanded(c, true), k) }))
			}
			o.given = nil // the surface forms
			o.near(named.Name+" beside", got.Expansion.MRecall[5], o.mean(Test, bothSides, func(c *Claim) float64 { return o.mRecall(c, o.expanded(c, true), 5) }))
		}
	}
}

// Without a model, a static list stands in for it, and the result says so.
func TestGeneratedWithoutModel(t *testing.T) {
	var told bytes.Buffer
	e := Experiment{Retrievers: []string{"bm25"}, Expand: true}
	e.Encoding.Console = console.New(&told)
	out, err := e.Evaluate(t.Context(), []string{sampleFolder(t, nil)}, true)
	if err != nil {
		t.Fatal(err)
	}
	g := out.Perspectrum.Generated
	if g == nil || !g.NoModel || g.By != StaticList || g.Questions != 1 || g.Queries != 6 || out.Steps != nil || !strings.Contains(told.String(), "no chat model is configured") {
		t.Errorf("%+v %s", g, told.String())
	}
	var text strings.Builder
	if err := report.Text(&text, out.Tables()...); err != nil || !strings.Contains(text.String(), "static list of 6 perspectives, because no chat model is configured") || !strings.Contains(text.String(), "+ Query expansion by static list") {
		t.Errorf("%v %s", err, text.String())
	}
	p := invented(1)
	generated, err := e.generate(t.Context(), p.Split(Test))
	if err != nil {
		t.Fatal(err)
	}
	given := map[string][]string{}
	for _, c := range p.Split(Test) {
		for _, view := range staticPerspectives {
			given[c.Text] = append(given[c.Text], c.Text+" "+view)
		}
	}
	checkGenerated(t, p, generated, given)
}

func TestPerspectivesOf(t *testing.T) {
	many, _ := json.Marshal(map[string]any{"perspectives": strings.Split("abcdefghijk", "")})
	for reply, want := range map[string]string{
		`{"perspectives": []}`:              "it has 0 perspectives",
		string(many):                        "it has 11 perspectives",
		`{"perspectives": ["x", " "]}`:      "empty",
		`{"perspectives": ["x y", "X  y"]}`: "twice",
		`{"perspectives": ["` + strings.Repeat("é", mostPerspectiveBytes/2+1) + `"]}`: "has 1002 bytes",
	} {
		if _, err := perspectivesOf(json.RawMessage(reply)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", reply, err)
		}
	}
}

// A retriever that cannot be opened, or splits that cannot be measured, are reported before the chat model is asked
// anything.
func TestNothingAskedInVain(t *testing.T) {
	s := chatscript.Serve(t, chatscript.Says(`{"perspectives": ["x"]}`))
	questions := filepath.Join(t.TempDir(), "kialo_query_exp.dev.jsonl")
	corpus := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := errors.Join(os.WriteFile(questions, []byte(questionLines(1)), 0o600), os.WriteFile(corpus, []byte(questionCorpus), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		e    Experiment
		path string
		part string
	}{
		"no model":            {Experiment{Retrievers: []string{"bm25", "nomodel"}}, sampleFolder(t, nil), "nomodel"},
		"claims without dev":  {Experiment{Retrievers: []string{"bm25"}}, sampleFolder(t, map[string]string{"dataset_split_v1.0.json": `{"1": "test", "2": "test"}`}), ErrSplits.Error()},
		"a question, no test": {Experiment{Retrievers: []string{"bm25"}, Corpus: corpus, Detect: "sides"}, questions, ErrSplits.Error()},
	} {
		c.e.Expand, c.e.Chat, c.e.Encoding.Console = true, chat.Settings{URL: s.URL, Model: "m", Anew: true}, console.New(&bytes.Buffer{})
		if _, err := c.e.Evaluate(t.Context(), []string{c.path}, true); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(s.Asked()); n != 0 {
			t.Fatalf("%s: %d questions were asked before", name, n)
		}
	}
}
