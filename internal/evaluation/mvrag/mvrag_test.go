package mvrag

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

const debates = "../../../examples/debates"

// experiment is one that asks the model of a scripted server; if s is nil, there is no model.
func experiment(s *chatscript.Server) *Experiment {
	e := &Experiment{Retrievers: []string{named.Builtin}, Domain: "geography", Threshold: 0.5, K: 10, Relevant: 1, Split: "test", Tests: compare.Tests{Rounds: 100, Seed: 1}}
	if s != nil {
		e.Chat = chat.Settings{URL: s.URL, Model: "parrot", Anew: true, Price: chat.Price{Prompt: 1, Reply: 10}}
	}
	return e
}

func hash(text string) uint32 {
	h := fnv.New32a()
	io.WriteString(h, text)
	return h.Sum32()
}

// views are the perspectives of geography.
var views = []string{"climate change", "urban development", "biodiversity"}

// scoresOf are the scores of the scripted model, with two decimals; nil: it names a foreign
// perspective.
func scoresOf(query string) []float64 {
	if hash(query)%7 == 0 {
		return nil
	}
	var scores []float64
	for _, v := range views {
		scores = append(scores, []float64{0, 0.3, 0.5, 0.55, 0.8, 1}[hash(v+query)%6])
	}
	return scores
}

// rewrittenBy is what the scripted model makes of a query, "" if it cannot be used.
func rewrittenBy(view, query string) string {
	if hash(query+view)%11 == 0 {
		return ""
	}
	words := strings.Fields(query)
	return view + " " + strings.Join(words[len(words)/2:], " ")
}

func parrot(r chatscript.Request) chatscript.Reply {
	if r.Schema == "answer" {
		return chatscript.Reply{Content: `{"text": "said", "sources": [1]}`}
	}
	if r.Schema == "rewritten" {
		for _, v := range views {
			if strings.Contains(r.System, "- "+v+":") {
				content, _ := json.Marshal(map[string]string{"query": rewrittenBy(v, r.Text)})
				return chatscript.Reply{Content: string(content)}
			}
		}
	}
	type score struct {
		Perspective string  `json:"perspective"`
		Score       float64 `json:"score"`
	}
	scores := []score{{"the moon", 1}}
	for i, s := range scoresOf(r.Text) {
		scores = append(scores[:i], score{views[i], s})
	}
	content, _ := json.Marshal(map[string]any{"scores": scores})
	return chatscript.Reply{Content: string(content)}
}

func TestPipeline(t *testing.T) {
	server := chatscript.Serve(t, parrot)
	e := experiment(server)
	e.Without, e.Queries, e.Answers = []string{Each}, 40, 3
	got, err := e.Evaluate(t.Context(), debates)
	if err != nil {
		t.Fatal(err)
	}
	n := newNaive(t, debates)
	if got.Queries != 40 || got.Of != 203 || got.Documents != len(n.documents) || len(got.Systems) != 5 || got.By != "parrot" || got.NoModel {
		t.Errorf("%+v", got)
	}
	asked, refused, plain := 0, 0, 0
	for i, reading := range got.Readings {
		query := n.queries[reading.Query]
		scores := scoresOf(query)
		if !slices.Equal(reading.Scores, scores) {
			t.Errorf("%s: %v, want %v", query, reading.Scores, scores)
		}
		asked++
		if scores == nil {
			asked, refused = asked+1, refused+1
		}
		usable := 0
		for j, s := range scores {
			switch text := rewrittenBy(views[j], query); {
			case s <= 0.5:
			case text == "":
				asked, refused = asked+2, refused+1
			default:
				asked++
				if v := reading.Views[usable]; v.Perspective != views[j] || v.Query != text || v.Weight != s {
					t.Errorf("%s: %+v", query, v)
				}
				usable++
			}
		}
		if usable == 0 {
			plain++
			usable = 1
		}
		if len(reading.Views) != usable {
			t.Errorf("%s: %+v", query, reading.Views)
		}
		for s, want := range [][]ranked{n.best(query, e.K), n.mvrag(query, "", e.K), n.mvrag(query, views[0], e.K), n.mvrag(query, views[1], e.K), n.mvrag(query, views[2], e.K)} {
			same(t, got.Systems[s].Name+": "+query, got.Systems[s].ranked[i], want)
		}
	}
	if got.Refused != refused || got.Plain != plain || refused < 5 || plain < 5 {
		t.Errorf("%d refused, want %d; %d plain, want %d", got.Refused, refused, got.Plain, plain)
	}
	if u := got.Chat; u == nil || u.Requests != asked+40 || len(server.Asked()) != asked+40 || u.Cost <= 0 {
		t.Errorf("%+v, want %d requests", u, asked+40)
	}
	if s := got.Steps; len(s) != 5 || s[0].Chat.Requests+s[1].Chat.Requests != asked || s[4].Chat.Requests != 40 || s[2].Chat != nil {
		t.Errorf("%+v", s)
	}
	for s, system := range got.Systems {
		var recall, precision float64
		for i, reading := range got.Readings {
			found, relevant := 0, n.relevant[reading.Query]
			for _, f := range system.ranked[i] {
				if relevant[n.documents[f.Document]] {
					found++
				}
			}
			recall, precision = recall+float64(found)/float64(len(relevant))/40, precision+float64(found)/float64(e.K)/40
		}
		if !near(system.Means["R@10"], recall) || !near(system.Means["P@10"], precision) || !near(system.F1, 2*recall*precision/(recall+precision)) {
			t.Errorf("%d: %+v, want %g and %g", s, system, recall, precision)
		}
	}
	for _, a := range got.Answers {
		if a.Refused || a.Text != "said" || len(a.Documents) != 3 {
			t.Errorf("%+v", a)
		}
	}
	reader := slices.IndexFunc(server.Asked(), func(r chatscript.Request) bool { return r.Schema == "answer" })
	if text := server.Asked()[reader].Text; strings.Count(text, "\nDocument ") != 3 {
		t.Errorf("%s", text)
	}
	if c := got.Comparisons; len(c) != 1 || len(c[0].Tests.Pairs) != 4 || c[0].Tests.Pairs[0].A != "plain query" || c[0].Tests.Seed != 1 {
		t.Errorf("%+v", c)
	}
	var text strings.Builder
	if err := report.Text(&text, got.Tables()...); err != nil || !strings.Contains(text.String(), "40 queries drawn from 203 (seed 1)") || !strings.Contains(text.String(), "by parrot") || strings.Contains(text.String(), "the paper,") {
		t.Errorf("%s %v", text.String(), err)
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
}

// Without a model, the report says so, and all perspectives count the same.
func TestStaticList(t *testing.T) {
	e := experiment(nil)
	e.Queries = 3
	got, err := e.Evaluate(t.Context(), debates)
	if err != nil {
		t.Fatal(err)
	}
	if !got.NoModel || got.By != StaticList || got.Chat != nil || got.Steps[0].Chat != nil {
		t.Errorf("%+v", got)
	}
	for _, v := range got.Views {
		if v.Score != 1 || v.Weighted != 3 || v.Documents != 4 { // ⌈10/3⌉
			t.Errorf("%+v", v)
		}
	}
	var text strings.Builder
	if err := report.Text(&text, got.Tables()...); err != nil || !strings.Contains(text.String(), "No chat model was asked") {
		t.Errorf("%s %v", text.String(), err)
	}
}

// The plain queries, which are in another language, find nothing: they count 0.
func TestNothingFound(t *testing.T) {
	e := experiment(nil)
	got, err := e.Evaluate(t.Context(), write(t, map[string]string{
		"corpus.jsonl":   "{\"_id\": \"a\", \"text\": \"trains\"}\n{\"_id\": \"b\", \"text\": \"buses\"}\n",
		"queries.jsonl":  "{\"_id\": \"1\", \"text\": \"日本\"}\n{\"_id\": \"2\", \"text\": \"東京\"}\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\ta\t1\n2\tb\t1\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if plain, views := got.Systems[0], got.Systems[1]; plain.Found != 0 || plain.Means["R@10"] != 0 || views.Means["R@10"] != 1 {
		t.Errorf("%+v, %+v", plain, views)
	}
}

// Queries without a document of the grade that is asked for count 0, which the table says. If no
// query has one, all figures would be 0, and that is an error.
func TestUnanswered(t *testing.T) {
	e := experiment(nil)
	e.Relevant = 2
	dir := write(t, map[string]string{
		"corpus.jsonl":   "{\"_id\": \"a\", \"text\": \"trains\"}\n{\"_id\": \"b\", \"text\": \"buses\"}\n",
		"queries.jsonl":  "{\"_id\": \"1\", \"text\": \"trains\"}\n{\"_id\": \"2\", \"text\": \"buses\"}\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t1\n2\tb\t1\n",
	})
	got, err := e.Evaluate(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.Text(&text, got.Tables()...); err != nil || got.Unanswered != 1 || !strings.Contains(text.String(), "Without a document of grade 2 or above: 1 query.") {
		t.Errorf("%d, %v:\n%s", got.Unanswered, err, text.String())
	}
	e.Relevant = 3
	if _, err := e.Evaluate(t.Context(), dir); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "test.tsv: no query has a document of grade 3 or above") {
		t.Error(err)
	}
}

// A run that was stopped asks only what is missing.
func TestResume(t *testing.T) {
	var broken atomic.Bool
	server := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if broken.Load() && r.Number > 15 {
			return chatscript.Reply{Status: 403}
		}
		return parrot(r)
	})
	e := experiment(server)
	e.Queries, e.Chat.Anew, e.Chat.Cache = 10, false, t.TempDir()
	broken.Store(true)
	if _, err := e.Evaluate(t.Context(), debates); err == nil {
		t.Fatal("no error")
	}
	before := len(server.Asked())
	broken.Store(false)
	resumed, err := e.Evaluate(t.Context(), debates)
	if err != nil {
		t.Fatal(err)
	}
	asked := len(server.Asked()) - before
	e.Chat.Anew = true
	whole, err := e.Evaluate(t.Context(), debates)
	if err != nil {
		t.Fatal(err)
	}
	if resumed.Chat.Kept < 5 || resumed.Chat.Requests != asked || asked >= whole.Chat.Requests || whole.Chat.Kept != 0 {
		t.Errorf("%+v after %d requests, and %+v", resumed.Chat, asked, whole.Chat)
	}
	for i := range whole.Systems {
		if a, b := whole.Systems[i], resumed.Systems[i]; a.F1 != b.F1 || a.Means["R@10"] != b.Means["R@10"] {
			t.Errorf("%+v and %+v", a, b)
		}
	}
}

// Three questions are on their way when the fourth fails. Their replies are kept, for the next run.
func TestReplyOnItsWay(t *testing.T) {
	failed := make(chan struct{})
	server := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Number == together {
			defer close(failed)
			return chatscript.Reply{Status: 403}
		}
		<-failed
		return chatscript.Reply{Wait: 50 * time.Millisecond, Content: `{"scores": [{"perspective": "climate change", "score": 0},
			{"perspective": "urban development", "score": 0}, {"perspective": "biodiversity", "score": 0}]}`}
	})
	e := experiment(server)
	e.Queries, e.Chat.Anew, e.Chat.Cache = together, false, t.TempDir()
	if _, err := e.Evaluate(t.Context(), debates); fault.Of(err) != fault.Input {
		t.Fatal(err)
	}
	resumed, err := e.Evaluate(t.Context(), debates)
	if err != nil {
		t.Fatal(err)
	}
	if resumed.Chat.Kept != together-1 {
		t.Errorf("%+v, %v", resumed.Chat, err)
	}
}

// After a question that fails, no other is begun.
func TestEachEnds(t *testing.T) {
	r := &running{queries: make([]queryOf, 10*together)}
	var begun atomic.Int64
	failure := errors.New("refused")
	if err := r.each(t.Context(), "ask", func(context.Context, int) error {
		begun.Add(1)
		return failure
	}); !errors.Is(err, failure) || begun.Load() > together {
		t.Errorf("%d begun, %v", begun.Load(), err)
	}
}

func TestDraw(t *testing.T) {
	drawn := func(seed uint64) (ids []string) {
		e := experiment(nil)
		e.Queries, e.Tests.Seed = 5, seed
		set, _, of, err := e.open(context.Background(), debates)
		if err != nil || of != 203 || len(set.Qrels.Queries()) != 5 {
			t.Fatal(of, err)
		}
		for _, q := range set.Queries {
			ids = append(ids, q.ID)
		}
		return ids
	}
	a, b, c := drawn(1), drawn(1), drawn(2)
	if !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("%v %v %v", a, b, c)
	}
}

// The tests of each retriever have a table of their own, which names the retriever.
func TestTablesOfSeveral(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "bert")
	if err := modeltest.Write(folder, 1); err != nil {
		t.Fatal(err)
	}
	e := experiment(nil)
	e.Queries, e.Retrievers = 3, []string{named.Builtin, folder}
	got, err := e.Evaluate(t.Context(), debates)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, table := range got.Tables() {
		if names[table.Name] {
			t.Errorf("two tables are named %s", table.Name)
		}
		names[table.Name] = true
	}
	var text strings.Builder
	if err := report.Text(&text, got.Tables()...); err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Comparisons {
		if !strings.Contains(text.String(), c.Retriever+": R@10, the second minus the first") {
			t.Errorf("the tests do not name %s:\n%s", c.Retriever, text.String())
		}
	}
}
