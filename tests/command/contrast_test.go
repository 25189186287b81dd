package command

import (
	"encoding/json"
	"strings"
	"testing"
)

// The default encoder hears sides: contrast tells apart texts of one topic by their
// side, and says what the topic and the side give to a score.
func TestSearchContrast(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "corpus.jsonl", `{"_id": "for", "text": "School uniforms help pupils: they end the rivalry over clothes, so all schools should have them."}
{"_id": "against", "text": "School uniforms harm pupils: they cost families money and stifle them, so no school should have them."}
{"_id": "other", "text": "The kettle boils at a hundred degrees."}
`)
	if out := must(t, dir, "index", "corpus.jsonl", "-o", "c").stdout; !strings.Contains(out, "encoder vantage-sides, 384 dimensions") {
		t.Errorf("index prints %q", out)
	}
	const topic = "School uniforms are good for pupils"
	for side, query := range map[string]string{"for": "Find a claim that supports the argument: " + topic, "against": "arguments against " + topic} {
		var a struct {
			answer
			Strength float32
			Side     string
		}
		if err := json.Unmarshal([]byte(must(t, dir, "search", "c", "--json", "--query", query, "--method", "contrast").stdout), &a); err != nil {
			t.Fatal(err)
		}
		if a.Side != side || a.Strength != 0.4 || len(a.Hits) != 3 || a.Hits[0].ID != side || a.Hits[2].ID != "other" {
			t.Errorf("%s: %+v", query, a)
		}
		for _, h := range a.Hits {
			if h.Explain["topic"]+h.Explain["side"] != h.Score {
				t.Errorf("%s: %+v", query, h)
			}
		}
		r := must(t, dir, "search", "c", "--query", query, "--method", "contrast", "--strength", "-1")
		lines := strings.Split(r.stdout, "\n")
		heads := strings.Join(strings.Fields(lines[0]), " ")
		if fields := strings.Fields(lines[1]); heads != "rank score topic side moved id title or text" || fields[5] == side {
			t.Errorf("turned, %s finds\n%s", query, r.stdout)
		}
		for _, part := range []string{"method contrast, strength -1, encoder vantage-sides@", "side: " + side} {
			if !strings.Contains(r.stderr, part) {
				t.Errorf("stderr %q lacks %q", r.stderr, part)
			}
		}
	}
	fails(t, usage, dir, []string{"search", "c", "--query", "what a pupil says about this: uniforms", "--method", "contrast"}, "names none, or several")
	r := must(t, dir, "search", "c", "--query", "uniforms, from the perspective of a pupil", "--method", "aspect", "-k", "1")
	if !strings.Contains(r.stderr, "method aspect, strength 0.25") {
		t.Errorf("stderr %q", r.stderr)
	}
}
