// Package debates_test checks the bundled demonstration corpus: its form, balance and variety,
// and that the gold follows from the metadata alone.
package debates_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// After a change to corpus.jsonl or queries.jsonl, run: go test ./examples/debates -update
var update = flag.Bool("update", false, "write qrels/test.tsv again, from the metadata")

const (
	minPassages, minTopics, minPerTopic, minDomains = 520, 42, 10, 10
	minPerStance                                    = 4 // support and oppose, in every topic
	minWords, maxWords, maxTitleWords               = 25, 70, 12
	minQueries, minOtherQueries                     = 120, 40 // other: not about stance
	maxOverlap                                      = 0.5     // shared word trigrams, exclusive

	pointKind                    = "point"
	pointsPerStance              = 6 // for each side of every topic
	minPointWords, maxPointWords = 4, 25
	minNaming                    = 3 // points of a topic that repeat a word of its root, and points that do not
)

// A document is a passage, or a point if its kind says so. Points have no title.
type document struct {
	ID       string   `json:"_id"`
	Title    string   `json:"title,omitempty"`
	Text     string   `json:"text"`
	Metadata metadata `json:"metadata"`
}

// Period, place and audience are empty if a text is about no particular one.
type metadata struct {
	Topic    string `json:"topic"`
	Stance   string `json:"stance"`
	Kind     string `json:"kind"`
	Domain   string `json:"domain"`
	Period   string `json:"period,omitempty"`
	Place    string `json:"place,omitempty"`
	Audience string `json:"audience,omitempty"`
}

// value returns the metadata that a query may ask for; ok is false for any other field.
func (m metadata) value(field string) (v string, ok bool) {
	switch field {
	case "stance":
		return m.Stance, true
	case "kind":
		return m.Kind, true
	case "period":
		return m.Period, true
	case "place":
		return m.Place, true
	case "audience":
		return m.Audience, true
	}
	return "", false
}

// A query asks for the documents of Topic whose metadata Field equals Value. Label groups queries
// for recall per kind of perspective: the value for stance, period and kind, else the field.
type query struct {
	ID          string `json:"_id"`
	Text        string `json:"text"`
	Root        string `json:"root"`
	Perspective string `json:"perspective"`
	Metadata    struct {
		Topic string `json:"topic"`
		Label string `json:"label"`
		Field string `json:"field"`
		Value string `json:"value"`
	} `json:"metadata"`
}

func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(b, []byte("\n")) {
		t.Errorf("%s: no newline at the end", name)
	}
	var rows []T
	for i, line := range bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		var row T
		if err := d.Decode(&row); err != nil || d.More() {
			t.Fatalf("%s:%d: not one JSON object of the expected fields: %v", name, i+1, err)
		}
		rows = append(rows, row)
	}
	return rows
}

var words = regexp.MustCompile(`[a-z0-9]+(?:'[a-z]+)?`)

func wordsOf(text string) []string { return words.FindAllString(strings.ToLower(text), -1) }

var (
	slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	// The corpus has one style of punctuation: plain ASCII, no dashes for parentheses.
	untidy   = regexp.MustCompile(`[^ -~]|  | [,.;:?!)]|\( | - |--|[,;:]{2}|\.\.|^ | $`)
	stances  = map[string]bool{"support": true, "oppose": true, "context": true}
	kinds    = map[string]bool{"statistic": true, "anecdote": true, "expert": true, "principle": true, "example": true, "analogy": true}
	periods  = map[string]bool{"": true, "past": true, "present": true, "future": true}
	labelled = map[string]bool{"place": true, "audience": true} // the label is the field's name
)

// readCorpus returns the passages and the points. All points come after the last passage, so that
// passages have the places in the corpus that they had before there were points.
func readCorpus(t *testing.T) (passages, points []document) {
	t.Helper()
	documents := readLines[document](t, "corpus.jsonl")
	n := 0
	for n < len(documents) && documents[n].Metadata.Kind != pointKind {
		n++
	}
	for _, d := range documents[n:] {
		if d.Metadata.Kind != pointKind {
			t.Fatalf("%s: a passage after the first point", d.ID)
		}
	}
	return documents[:n], documents[n:]
}

func TestPassages(t *testing.T) {
	passages, _ := readCorpus(t)
	if len(passages) < minPassages {
		t.Errorf("%d passages, want at least %d", len(passages), minPassages)
	}
	type tally struct {
		n              int
		stance, values map[string]int
		domain         string
		heading        string
	}
	topics, domains, titles := map[string]*tally{}, map[string]bool{}, map[string]string{}
	previous := ""
	for _, p := range passages {
		m := p.Metadata
		c := topics[m.Topic]
		if c == nil {
			heading, _, _ := strings.Cut(p.Title, ": ")
			c = &tally{stance: map[string]int{}, values: map[string]int{}, domain: m.Domain, heading: heading + ": "}
			topics[m.Topic] = c
		} else if m.Topic != previous {
			t.Errorf("%s: its topic is not in one block", p.ID)
		}
		previous = m.Topic
		c.n++
		c.stance[m.Stance]++
		for _, field := range []string{"period", "place", "audience"} {
			if v, _ := m.value(field); v != "" {
				c.values[field+"="+v]++
			}
		}
		domains[m.Domain] = true
		// Numbering each topic from 01 also makes the identifiers unique.
		if want := fmt.Sprintf("%s-%02d", m.Topic, c.n); p.ID != want || !slug.MatchString(m.Topic) {
			t.Errorf("%s: identifier should be %s", p.ID, want)
		}
		if !stances[m.Stance] || !kinds[m.Kind] || !periods[m.Period] || m.Domain == "" || m.Domain != c.domain {
			t.Errorf("%s: metadata out of range: %+v", p.ID, m)
		}
		for _, s := range []string{p.Title, p.Text, m.Domain, m.Place, m.Audience} {
			if bad := untidy.FindString(s); bad != "" {
				t.Errorf("%s: %q in %q", p.ID, bad, s)
			}
		}
		if n := len(strings.Fields(p.Text)); n < minWords || n > maxWords {
			t.Errorf("%s: %d words, want %d to %d", p.ID, n, minWords, maxWords)
		}
		if !strings.ContainsAny(p.Text[len(p.Text)-1:], ".?!") {
			t.Errorf("%s: does not end as a sentence", p.ID)
		}
		if n := len(strings.Fields(p.Title)); n < 1 || n > maxTitleWords {
			t.Errorf("%s: title of %d words, want 1 to %d", p.ID, n, maxTitleWords)
		}
		if !strings.HasPrefix(p.Title, c.heading) {
			t.Errorf("%s: title %q does not begin with its topic's heading %q", p.ID, p.Title, c.heading)
		}
		if other, seen := titles[p.Title]; seen {
			t.Errorf("%s: same title as %s", p.ID, other)
		}
		titles[p.Title] = p.ID
	}
	varied := 0
	for topic, c := range topics {
		if c.n < minPerTopic || c.stance["support"] < minPerStance || c.stance["oppose"] < minPerStance {
			t.Errorf("%s: %d passages, stances %v", topic, c.n, c.stance)
		}
		if len(c.values) >= 2 {
			varied++
		}
	}
	if len(topics) < minTopics || len(domains) < minDomains || 3*varied < len(topics) {
		t.Errorf("%d topics in %d domains, %d of them vary period, place or audience", len(topics), len(domains), varied)
	}
	t.Logf("%d passages, %d topics, %d domains, %d topics vary period, place or audience", len(passages), len(topics), len(domains), varied)
}

func TestPoints(t *testing.T) {
	passages, points := readCorpus(t)
	domains := map[string]string{}
	var topics []string
	for _, p := range passages {
		if _, seen := domains[p.Metadata.Topic]; !seen {
			topics = append(topics, p.Metadata.Topic)
		}
		domains[p.Metadata.Topic] = p.Metadata.Domain
	}
	roots := map[string]set{}
	for _, q := range readLines[query](t, "queries.jsonl") {
		roots[q.Metadata.Topic] = contentWords(q.Root)
	}
	if want := 2 * pointsPerStance * len(topics); len(points) != want {
		t.Fatalf("%d points, want %d for each side of %d topics", len(points), pointsPerStance, len(topics))
	}
	texts, stances, naming := map[string]string{}, map[string]int{}, map[string]int{}
	for i, p := range points {
		m := p.Metadata
		topic, number := topics[i/(2*pointsPerStance)], i%(2*pointsPerStance)+1
		// Topics are in the order of the passages.
		if want := fmt.Sprintf("%s-point-%02d", topic, number); p.ID != want || m.Topic != topic || m.Domain != domains[topic] {
			t.Errorf("%s: should be %s, of topic %s in domain %s: %+v", p.ID, want, topic, domains[topic], m)
		}
		if p.Title != "" || !periods[m.Period] {
			t.Errorf("%s: title %q or period %q", p.ID, p.Title, m.Period)
		}
		for _, s := range []string{p.Text, m.Place, m.Audience} {
			if bad := untidy.FindString(s); bad != "" {
				t.Errorf("%s: %q in %q", p.ID, bad, s)
			}
		}
		if n := len(strings.Fields(p.Text)); n < minPointWords || n > maxPointWords {
			t.Errorf("%s: %d words, want %d to %d", p.ID, n, minPointWords, maxPointWords)
		}
		if !strings.ContainsAny(p.Text[len(p.Text)-1:], ".?!") {
			t.Errorf("%s: does not end as a sentence", p.ID)
		}
		key := strings.Join(wordsOf(p.Text), " ")
		if other, seen := texts[key]; seen {
			t.Errorf("%s: same words as %s", p.ID, other)
		}
		texts[key] = p.ID
		stances[topic+" "+m.Stance]++
		for w := range contentWords(p.Text) {
			if _, there := roots[topic][w]; there {
				naming[topic]++
				break
			}
		}
	}
	for _, topic := range topics {
		for _, stance := range []string{"support", "oppose"} {
			if n := stances[topic+" "+stance]; n != pointsPerStance {
				t.Errorf("%s: %d points %s, want %d", topic, n, stance, pointsPerStance)
			}
		}
	}
	all := 0
	for _, topic := range topics {
		n := naming[topic]
		if all += n; n < minNaming || n > 2*pointsPerStance-minNaming {
			t.Errorf("%s: %d of %d points repeat a word of the root, at least %d should and %d should not", topic, n, 2*pointsPerStance, minNaming, minNaming)
		}
	}
	t.Logf("%d points, %d of them repeat a word of their topic's root", len(points), all)
}

// contentWords returns the words of four letters or more, without a final s.
func contentWords(text string) set {
	s := set{}
	for _, w := range wordsOf(text) {
		if len(w) >= 4 {
			s[strings.TrimSuffix(w, "s")] = struct{}{}
		}
	}
	return s
}

func TestQueries(t *testing.T) {
	passages, _ := readCorpus(t)
	queries := readLines[query](t, "queries.jsonl")
	roots, ids, texts := map[string]string{}, map[string]bool{}, map[string]bool{}
	asked, forms := map[string]int{}, map[string]int{}
	other := 0
	for _, q := range queries {
		m := q.Metadata
		if ids[q.ID] || texts[q.Text] || !slug.MatchString(q.ID) {
			t.Errorf("%s: identifier or text is used twice or malformed", q.ID)
		}
		ids[q.ID], texts[q.Text] = true, true
		lead, found := strings.CutSuffix(q.Text, ": "+q.Root)
		if !found || !strings.Contains(lead, q.Perspective) || q.Perspective == "" || untidy.MatchString(q.Text) {
			t.Errorf("%s: %q is not a lead with the perspective %q, a colon and the root", q.ID, q.Text, q.Perspective)
		}
		if r, seen := roots[m.Topic]; seen && r != q.Root {
			t.Errorf("%s: root %q, its topic has %q", q.ID, q.Root, r)
		}
		roots[m.Topic] = q.Root
		want := m.Value
		if labelled[m.Field] {
			want = m.Field
		}
		if _, ok := (metadata{}).value(m.Field); !ok || m.Value == "" || m.Label != want {
			t.Errorf("%s: metadata %+v", q.ID, m)
		}
		if m.Field != "stance" {
			other++
		}
		asked[m.Topic+" "+m.Field+" "+m.Value]++
		forms[lead]++
	}
	for _, p := range passages {
		for _, stance := range []string{"support", "oppose"} {
			if n := asked[p.Metadata.Topic+" stance "+stance]; n != 1 {
				t.Fatalf("%s: %d queries for %s, want 1", p.Metadata.Topic, n, stance)
			}
		}
	}
	for lead, n := range forms {
		if 10*n > len(queries) {
			t.Errorf("%d of %d queries begin %q: vary the wording", n, len(queries), lead)
		}
	}
	if len(queries) < minQueries || other < minOtherQueries {
		t.Errorf("%d queries, %d not about stance, want %d and %d", len(queries), other, minQueries, minOtherQueries)
	}
	t.Logf("%d queries, %d not about stance, %d roots, %d wordings", len(queries), other, len(roots), len(forms))
}

func TestQrels(t *testing.T) {
	const name = "qrels/test.tsv"
	passages, points := readCorpus(t)
	queries := readLines[query](t, "queries.jsonl")
	var want strings.Builder
	want.WriteString("query-id\tcorpus-id\tscore\n")
	for _, q := range queries {
		gold := 0
		for _, p := range slices.Concat(passages, points) {
			if v, _ := p.Metadata.value(q.Metadata.Field); p.Metadata.Topic == q.Metadata.Topic && v == q.Metadata.Value {
				fmt.Fprintf(&want, "%s\t%s\t1\n", q.ID, p.ID)
				gold++
			}
		}
		if gold == 0 {
			t.Errorf("%s: no document has topic %s with %s %s", q.ID, q.Metadata.Topic, q.Metadata.Field, q.Metadata.Value)
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Errorf("%s does not follow from the metadata: go test ./examples/debates -update", name)
	}
	judgements := strings.Count(want.String(), "\n") - 1
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	counts := fmt.Sprintf("%d passages, %d points, %d queries and %d judgements", len(passages), len(points), len(queries), judgements)
	if !strings.Contains(string(readme), counts) {
		t.Errorf("README.md does not say %q", counts)
	}
	t.Log(counts)
}
