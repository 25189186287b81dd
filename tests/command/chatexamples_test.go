package command

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
)

var update = flag.Bool("update", false, "record the replies in examples/chat again")

// scripted is the model of examples/chat. It knows no language: an essay is a sentence for
// its stance and the first sentence of each background, a verdict follows from a few words,
// perspectives are fixed phrases, and the first and third perspective of a domain count.
func scripted(t *testing.T) func(chatscript.Request) chatscript.Reply {
	return func(r chatscript.Request) chatscript.Reply {
		content, err := json.Marshal(replyOf(t, r))
		if err != nil {
			t.Error(err)
		}
		return chatscript.Reply{Content: string(content)}
	}
}

func replyOf(t *testing.T, r chatscript.Request) any {
	switch r.Schema {
	case "perspectives":
		return map[string]any{"perspectives": []string{"It helps families and children.", "It costs money and staff."}}
	case "weights":
		type score struct {
			Perspective string  `json:"perspective"`
			Score       float64 `json:"score"`
		}
		var scores []score
		for i, name := range perspectivesIn(r.System) {
			scores = append(scores, score{name, []float64{0.8, 0.3, 0.6}[i%3]})
		}
		return map[string]any{"scores": scores}
	case "rewritten":
		return map[string]string{"query": perspectivesIn(r.System)[0] + ": " + r.Text}
	}
	names, texts := chatscript.Parts(t, r.Text)
	about := map[string]string{}
	for i, name := range names {
		about[name] = texts[i]
	}
	if r.Schema == "essay" {
		essay := []string{map[string]string{"support": "This is a good and welcome idea.", "oppose": "This is a bad and harmful idea."}[about["Stance"]]}
		for i, name := range names {
			if strings.HasPrefix(name, "Background") {
				first, _, _ := strings.Cut(texts[i], ". ")
				essay = append(essay, first+".")
			}
		}
		return map[string]string{"essay": strings.Join(essay, " ")}
	}
	has := func(of string, words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(of, w) })
	}
	pro, con := has(about["Document"], "right step", "worth"), has(about["Document"], "wrong", "mistake")
	against := has(about["Perspective"], "closed", "needed")
	verdict := "neither"
	if pro && !against || con && against {
		verdict = "supports"
	} else if pro || con {
		verdict = "opposes"
	}
	return map[string]string{"verdict": verdict}
}

// perspectivesIn are the names in the list of perspectives of a prompt.
func perspectivesIn(system string) (names []string) {
	for line := range strings.Lines(system) {
		if name, _, is := strings.Cut(strings.TrimPrefix(line, "- "), ": "); is && strings.HasPrefix(line, "- ") {
			names = append(names, name)
		}
	}
	return names
}

// examplesOfChat are the commands in docs/papers that recordings answer, without --replay.
var examplesOfChat = map[string]string{
	"essays.jsonl":       "eval rag examples/debates --retriever static --methods none --sample 5 --seed 1 --chat-model scripted",
	"detect.jsonl":       "eval berds examples/chat/pers_det.test.tsv --detect sides --detect chat --chat-model scripted",
	"views.jsonl":        "eval mvrag examples/debates --domain political-science --queries 3 --seed 1 --chat-model scripted",
	"perspectives.jsonl": "eval berds examples/chat/claims --retriever bm25 --expand --chat-model scripted",
}

// The recordings of examples/chat are what the scripted model says today, and the documents
// run the commands that they belong to.
func TestChatExamples(t *testing.T) {
	t.Parallel()
	s := chatscript.Serve(t, scripted(t))
	documents := ""
	for _, name := range []string{"pir.md", "berds.md", "mvrag.md"} {
		documents += read(t, filepath.Join(root(t), "docs", "papers", name))
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root(t), "examples"), filepath.Join(dir, "examples")); err != nil {
		t.Fatal(err)
	}
	for name, line := range examplesOfChat {
		must(t, dir, append(strings.Fields(line), "--chat-url", s.URL, "--no-chat-cache", "--record", name)...)
		if r := try(t, dir, append(strings.Fields(line), "--chat-url", s.URL, "--record", "/dev/full")...); r.code != failed || !strings.Contains(r.stderr, "vantage: write /dev/full: ") || !strings.Contains(r.stdout, "scripted") {
			t.Errorf("%s: figures without a recording: exit code %d\n%s\n%s", line, r.code, r.stdout, r.stderr)
		}
		recorded := read(t, filepath.Join(dir, name))
		committed := filepath.Join(root(t), "examples", "chat", name)
		if *update {
			write(t, filepath.Dir(committed), name, recorded)
		}
		if recorded != read(t, committed) {
			t.Errorf("examples/chat/%s is out of date; run: go test ./tests/command -run TestChatExamples -update", name)
		}
		if command := "\nvantage " + line + " --replay examples/chat/" + name + "\n"; !strings.Contains(documents, command) {
			t.Errorf("no page of docs/papers has%s", command)
		}
	}
}
