package pirbench

import (
	"context"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/extract"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/pirtables"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// openChat opens the chat model, nil if none has a name. Settings that would have no
// effect are an error, and so is a recording that would replace one of the inputs.
func (e *Experiment) openChat(inputs []string) (*chat.Client, error) {
	if e.Chat.Model != "" && !e.Extract {
		return nil, fault.New(fault.Query, "nothing is asked of the chat model: add --extract")
	}
	return chat.OpenNamed(e.Chat, inputs...)
}

// extractStage is a stage that counts queries.
const extractStage = "extract"

// extract takes the queries of all tasks apart; the result is nil if that is not asked for.
func (e *Experiment) extract(ctx context.Context, asked *chat.Client, evaluation *pirtables.Evaluation, show *progress.Bar) ([][]pireval.Parts, error) {
	if !e.Extract && !e.Decompose {
		return nil, nil
	}
	by := &evaluation.Extraction
	by.By = pireval.Wording
	if by.NoModel = e.Extract && asked == nil; by.NoModel {
		e.Encoding.Console.Warnf("no chat model is configured (--chat-model), so queries are split by their wording")
	}
	if asked != nil {
		by.By = asked.Model()
	}
	total, before := int64(0), int64(0)
	for i := range evaluation.Tasks {
		total += int64(len(evaluation.Tasks[i].Queries))
	}
	extracted := make([][]pireval.Parts, len(evaluation.Tasks))
	for i := range evaluation.Tasks {
		queries := evaluation.Tasks[i].Queries
		if asked == nil {
			extracted[i] = pireval.ByWording(queries)
			continue
		}
		var err error
		extracted[i], err = extract.ByModel(ctx, asked, queries, func(done int) { show.Update(extractStage, before+int64(done), total) })
		if err != nil {
			return nil, err
		}
		before += int64(len(queries))
	}
	if asked != nil {
		used := asked.Usage()
		by.Chat = &used
	}
	return extracted, nil
}
