package berds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Generated are perspectives that a chat model wrote to expand the test questions, or a
// static list of perspectives if there is no model.
type Generated struct {
	By        string  `json:"by"`                 // the model, or StaticList
	NoModel   bool    `json:"no_model,omitempty"` // the static list stands in for a model, because none is configured
	Questions int     `json:"questions"`          // with perspectives
	Queries   float64 `json:"queries"`            // mean number of perspectives of such a question
	Refused   int     `json:"refused"`            // replies that could not be used, whose questions keep their rankings

	queries map[string][]string // by the question's text without surrounding white space
}

// StaticList is what By says of the static list.
const StaticList = "static list"

// staticPerspectives is a list for any question. The paper's model writes 6.1 perspectives
// on average.
var staticPerspectives = []string{
	"The reasons for it", "The reasons against it", "What it costs and who pays for it",
	"What it means for health and safety", "What is fair and whose rights are at stake", "What experience and evidence show",
}

// The bounds of a reply.
const (
	mostPerspectives     = 10
	mostPerspectiveBytes = 1_000
)

var perspectivesSchema = chat.NewSchema("perspectives", `{"type": "object", "additionalProperties": false, "required": ["perspectives"],
"properties": {"perspectives": {"type": "array", "items": {"type": "string"}}}}`)

// perspectivesOf reads a reply. Its error tells the model what is wrong.
func perspectivesOf(reply json.RawMessage) ([]string, error) {
	var said struct{ Perspectives []string }
	if err := json.Unmarshal(reply, &said); err != nil {
		return nil, err
	}
	if n := len(said.Perspectives); n == 0 || n > mostPerspectives {
		return nil, fmt.Errorf("it has %d perspectives, 1 to %d are asked for", n, mostPerspectives)
	}
	seen := map[string]bool{}
	for i, p := range said.Perspectives {
		p = strings.Join(strings.Fields(p), " ")
		switch {
		case p == "":
			return nil, errors.New("a perspective is empty")
		case len(p) > mostPerspectiveBytes:
			return nil, fmt.Errorf("a perspective has %d bytes, at most %d are read", len(p), mostPerspectiveBytes)
		case seen[strings.ToLower(p)]:
			return nil, errors.New("a perspective is there twice")
		}
		seen[strings.ToLower(p)], said.Perspectives[i] = true, p
	}
	return said.Perspectives, nil
}

// generate expands claims by perspectives of the chat model (paper, Section 5, Query
// Expansion). As in BERDS' files, a query is the question, a space and a perspective.
func (e *Experiment) generate(ctx context.Context, claims []Claim) (*Generated, error) {
	g := &Generated{By: StaticList, NoModel: e.client == nil, queries: map[string][]string{}}
	var texts []string
	for i := range claims {
		text := strings.TrimSpace(claims[i].Text)
		if _, known := g.queries[text]; !known {
			texts = append(texts, text)
			g.queries[text] = nil
		}
	}
	list := func(int) ([]string, error) { return staticPerspectives, nil }
	if g.NoModel {
		e.Encoding.Console.Warnf("no chat model is configured (--chat-model), so questions are expanded by a static list of %d perspectives", len(staticPerspectives))
	} else {
		replies, err := e.askForPerspectives(ctx, texts)
		if err != nil {
			return nil, err
		}
		g.By = e.client.Model()
		list = func(i int) ([]string, error) {
			if replies[i] == nil {
				g.Refused++
				return nil, nil
			}
			return perspectivesOf(replies[i])
		}
	}
	total := 0
	for i, text := range texts {
		some, err := list(i)
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			g.queries[text] = append(g.queries[text], text+" "+p)
		}
		if total += len(some); len(some) > 0 {
			g.Questions++
		}
	}
	g.Queries = ratio(total, g.Questions)
	return g, nil
}

func (e *Experiment) askForPerspectives(ctx context.Context, texts []string) ([]json.RawMessage, error) {
	instructions, err := e.client.Instructions("berds-perspectives")
	if err != nil {
		return nil, err
	}
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	defer e.step("expansion", e.client.Usage())()
	replies, err := e.client.AskAll(ctx, len(texts), func(i int) chat.Question {
		return chat.Question{Instructions: instructions, Text: texts[i], Schema: perspectivesSchema,
			Accept: func(reply json.RawMessage) error { _, err := perspectivesOf(reply); return err }}
	}, func(done int) { show.Update(progress.Expand, int64(done), int64(len(texts))) })
	show.End()
	return replies, err
}

// about says in a note of Table 4 what the queries are.
func (g *Generated) about() string {
	text := fmt.Sprintf("Query expansion by %s: perspectives for %s, %.1f queries each", human.Escape(g.By), human.Count(g.Questions, "question"), g.Queries)
	if g.NoModel {
		text = fmt.Sprintf("Query expansion by a static list of %d perspectives, because no chat model is configured", len(staticPerspectives))
	}
	if g.Refused > 0 {
		text += fmt.Sprintf("; %s refused, whose questions keep their rankings", human.Count(g.Refused, "reply"))
	}
	return text + "."
}

// openChat opens the chat model, nil if none has a name. A model that is asked nothing is
// an error, and so is a recording that would replace one of the inputs.
func (e *Experiment) openChat(inputs []string) (*chat.Client, error) {
	if e.Chat.Model != "" && !e.Expand && !e.detectsBy(ChatName) {
		return nil, fault.Errorf(fault.Query, "nothing is asked of the chat model: add --expand, or --detect %s", ChatName)
	}
	return chat.OpenNamed(e.Chat, inputs...)
}
