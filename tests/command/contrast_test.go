package command

import (
	"encoding/json"
	"strings"
	"testing"
)

// The default encoder tells sides apart: contrast tells apart texts of one topic by their
// side, and says what the topic and the side give to a score.
func TestSearchContrast(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "corpus.jsonl", `{"_id": "for-text", "text": "School uniforms help pupils: they end the rivalry over clothes, so all schools should have them."}
{"_id": "against-text", "text": "School uniforms harm pupils: they cost families money and stifle them, so no school should have them."}
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
		if a.Side != side || a.Strength != 0.4 || len(a.Hits) != 3 || a.Hits[0].ID != side+"-text" || a.Hits[2].ID != "other" {
			t.Errorf("%s: %+v", query, a)
		}
		for _, h := range a.Hits {
			if h.Explain["topic"]+h.Explain["side"] != h.Score {
				t.Errorf("%s: %+v", query, h)
			}
			if wanted := strings.TrimSuffix(h.ID, "-text"); h.ID == "other" && h.Stance != nil || h.ID != "other" && (h.Stance == nil || h.Stance.Side != wanted || h.Stance.Probability < .4) {
				t.Errorf("%s: %s has the stance %+v", query, h.ID, h.Stance)
			}
		}
		r := must(t, dir, "search", "c", "--query", query, "--method", "contrast", "--strength", "-1")
		lines := strings.Split(r.stdout, "\n")
		heads := strings.Join(strings.Fields(lines[0]), " ")
		if heads != "rank score topic side moved stance id title or text" || strings.Contains(lines[1], "  "+side+"-text ") {
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
	checkSides(t, dir, topic)
	checkOtherSide(t, dir, topic)
}

// checkSides counts the sides of the collection of TestSearchContrast.
func checkSides(t *testing.T, dir, root string) {
	t.Helper()
	r := must(t, dir, "sides", "c", "--root", root)
	for _, part := range []string{"1 for, 1 against, 0 on neither side\n", "\nfor\nrank", "\nagainst\nrank", "  for-text  ", "  against-text  "} {
		if !strings.Contains(r.stdout, part) {
			t.Errorf("sides lacks %q:\n%s", part, r.stdout)
		}
	}
	native := must(t, dir, "sides", "c", "--root", root, "--json", "-k", "1", "--strength", "2").stdout
	if headless := must(t, dir, "sides", "c", "--root", root, "--json", "-k", "1", "--strength", "2", "--engine", "headless").stdout; headless != native {
		t.Errorf("natively %s, headless %s", native, headless)
	}
	var s struct {
		Strength, Subject     float64
		For, Neither, Against struct {
			Count int
			Hits  []stanceHit
		}
	}
	if err := json.Unmarshal([]byte(native), &s); err != nil {
		t.Fatal(err)
	}
	if s.Strength != 2 || s.Subject != .4 || s.Neither.Count != 0 || s.Neither.Hits == nil || s.For.Count != 1 || s.For.Hits[0].ID != "for-text" || s.For.Hits[0].Stance.Side != "for" || s.Against.Hits[0].ID != "against-text" {
		t.Errorf("%s", native)
	}
}

// checkOtherSide asks for the other side of documents.
func checkOtherSide(t *testing.T, dir, root string) {
	t.Helper()
	for id, want := range map[string]string{"for-text": "against-text", "against-text": "for-text"} {
		var o struct {
			Of   stanceHit
			Hits []stanceHit
		}
		if err := json.Unmarshal([]byte(must(t, dir, "other-side", "c", id, "--root", root, "--json").stdout), &o); err != nil {
			t.Fatal(err)
		}
		if o.Of.ID != id || len(o.Hits) != 1 || o.Hits[0].ID != want || o.Hits[0].Stance.Side+"-text" != want {
			t.Errorf("other side of %s: %+v", id, o)
		}
	}
	if r := must(t, dir, "other-side", "c", "for-text", "-k", "1"); !strings.Contains(r.stdout, "  against-text  ") || strings.Contains(r.stdout, "stance") {
		t.Errorf("without a root:\n%s", r.stdout)
	}
}

// saidStance is the side of a text.
type saidStance struct {
	Side        string
	Probability float64
}

// stanceHit is a hit with the side of its text.
type stanceHit struct {
	ID     string
	Stance *saidStance
}
