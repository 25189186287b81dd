package berds

import (
	"context"
	"encoding/json"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ChatName names the chat model as a detector.
const ChatName = "chat"

// chatDetector asks a chat model whether a document supports a perspective (paper, Section 3
// and Table 7, by prompt without an example). The prompt is ours.
type chatDetector struct {
	info         DetectorInfo
	client       *chat.Client // of the experiment, which closes it
	instructions string
}

var verdictSchema = chat.NewSchema("verdict", `{"type": "object", "additionalProperties": false, "required": ["verdict"],
"properties": {"verdict": {"type": "string", "enum": ["supports", "opposes", "neither"]}}}`)

// The score of a verdict of a chat model says which reply it had.
const (
	scoreRefused = -1
	scoreNo      = 0
	scoreYes     = 1
)

func newChatDetector(client *chat.Client) (*chatDetector, error) {
	if client == nil {
		return nil, fault.Errorf(fault.Query, "--detect %s needs a model: name one with --chat-model, or detect by --detect sides", ChatName)
	}
	instructions, err := client.Instructions("berds-detect")
	info := DetectorInfo{Name: client.Model(), Model: client.Model() + " by prompt, zero-shot", Score: "1 for yes", Decides: true, Opposes: true, ByPrompt: true}
	return &chatDetector{info, client, instructions}, err
}

func (d *chatDetector) about() *DetectorInfo { return &d.info }

func (d *chatDetector) Close() error { return nil }

// judge implements detector. A reply that cannot be used counts as neither.
func (d *chatDetector) judge(ctx context.Context, pairs []pair, done func(pairs int)) ([]verdict, error) {
	replies, err := d.client.AskAll(ctx, len(pairs), func(i int) chat.Question {
		return chat.Question{Instructions: d.instructions, Schema: verdictSchema,
			Text: chat.Parts(chat.Part{Name: "Perspective", Text: pairs[i].perspective}, chat.Part{Name: "Document", Text: pairs[i].document})}
	}, done)
	if err != nil {
		return nil, err
	}
	out := make([]verdict, len(pairs))
	for i, reply := range replies {
		if reply == nil {
			out[i].score = scoreRefused
			continue
		}
		var said struct{ Verdict string }
		if err := json.Unmarshal(reply, &said); err != nil {
			return nil, err
		}
		switch said.Verdict {
		case "supports":
			out[i] = verdict{score: scoreYes, supports: true}
		case "opposes":
			out[i] = verdict{score: scoreNo, opposes: true}
		}
	}
	return out, nil
}

// refusedBy counts the replies of a chat model that could not be used.
func refusedBy(info *DetectorInfo, verdicts []verdict) (n int) {
	for _, v := range verdicts {
		if info.ByPrompt && v.score == scoreRefused {
			n++
		}
	}
	return n
}
