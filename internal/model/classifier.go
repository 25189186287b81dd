package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// classifier is a transformer with a classification head.
type classifier struct {
	*textEncoder
	head   *transformer.Head
	labels []string
	typed  bool // token types tell the texts of a pair apart
}

// classifierHeads are the layers over the first token, by model_type.
var classifierHeads = map[string][]transformer.HeadLayer{
	"bert":        {{Name: "pooler.dense", Activation: dense.Tanh}, {Name: "classifier"}},
	"roberta":     {{Name: "classifier.dense", Activation: dense.Tanh}, {Name: "classifier.out_proj"}},
	"xlm-roberta": {{Name: "classifier.dense", Activation: dense.Tanh}, {Name: "classifier.out_proj"}},
	"camembert":   {{Name: "classifier.dense", Activation: dense.Tanh}, {Name: "classifier.out_proj"}},
	"mpnet":       {{Name: "classifier.dense", Activation: dense.Tanh}, {Name: "classifier.out_proj"}},
	"distilbert":  {{Name: "pre_classifier", Activation: dense.ReLU}, {Name: "classifier"}},
}

func openClassifier(ctx context.Context, dir string, o Options) (_ *classifier, err error) {
	if o.Device != nil {
		return nil, errors.New("classifiers run on the processor, not on a device")
	}
	o.Pooling = CLS
	e, err := open(ctx, dir, o, classification)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", dir, err), e.Close())
		}
	}()
	layers := classifierHeads[e.config.Type]
	if layers == nil {
		return nil, fmt.Errorf("a classifier of type %q is not supported", e.config.Type)
	}
	if !transformer.HasHead(e.checkpoint, layers[len(layers)-1].Name) {
		return nil, fmt.Errorf("the checkpoint has no classification head (%s): it is an encoder", layers[len(layers)-1].Name)
	}
	c := &classifier{textEncoder: e}
	if c.typed, err = tokenizer.GivesTypes(e.recipe.dir); err != nil {
		return nil, err
	}
	c.typed = c.typed && e.config.Type != "distilbert" && e.config.Type != "mpnet" // which have no token types
	if c.head, err = transformer.NewHead(e.checkpoint, e.size.Hidden(), layers...); err != nil {
		return nil, err
	}
	c.labels = make([]string, c.head.Out())
	for i := range c.labels {
		c.labels[i] = "LABEL_" + strconv.Itoa(i)
		if label, ok := e.config.Labels[strconv.Itoa(i)]; ok {
			c.labels[i] = strings.TrimSpace(label)
		}
	}
	return c, nil
}

func (c *classifier) Labels() []string { return c.labels }

// Classify implements Classifier.
func (c *classifier) Classify(ctx context.Context, pairs [][2]string) ([]Scores, error) {
	inputs := make([]input, len(pairs))
	for i, p := range pairs {
		var err error
		if inputs[i], err = c.pair(c.encode(p[0]), c.encode(p[1])); err != nil {
			return nil, err
		}
	}
	return c.classify(ctx, inputs)
}

// pair is the input for two texts.
func (c *classifier) pair(first, second []uint32) (in input, err error) {
	if !c.tokens.TakesPairs() {
		return in, fmt.Errorf("the tokenizer of %s has no template for pairs of texts", c.about.ID)
	}
	in.ids, in.types, in.truncated = c.tokens.FramePair(first, second, c.maxLength)
	if !c.typed {
		in.types = nil
	}
	return in, nil
}

func (c *classifier) classify(ctx context.Context, inputs []input) ([]Scores, error) {
	scores := make([]Scores, len(inputs))
	err := c.forward(ctx, inputs, func(i int, hidden []float32) {
		scores[i] = Scores{Tokens: len(inputs[i].ids), Truncated: inputs[i].truncated}
		if len(hidden) > 0 {
			scores[i].Logits = c.head.Apply(c.workers, hidden[:c.size.Hidden()], 1)
		}
	})
	return scores, err
}

// leastRoom is how many tokens a second text must leave for windows of the first.
const leastRoom = 16

// ClassifyWindows implements Classifier.
func (c *classifier) ClassifyWindows(ctx context.Context, pairs [][2]string) ([][]Scores, error) {
	var inputs []input
	counts := make([]int, len(pairs))
	for i, p := range pairs {
		first, second := c.encode(p[0]), c.encode(p[1])
		bare, err := c.pair(nil, second)
		if err != nil {
			return nil, err
		}
		room := len(first)
		if c.maxLength > 0 && len(bare.ids)+len(first) > c.maxLength {
			if room = c.maxLength - len(bare.ids); room < leastRoom {
				return nil, fmt.Errorf("%s reads %d tokens, and the text %.80q takes so many of them that fewer than %d are left for another: shorten it", c.about.ID, c.maxLength, p[1], leastRoom)
			}
		}
		windows := encoder.Windows(slices.Repeat([]int{1}, len(first)), room)
		counts[i] = len(windows)
		for _, w := range windows {
			in, err := c.pair(first[w[0]:w[1]], second)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, in)
		}
	}
	scores, err := c.classify(ctx, inputs)
	if err != nil {
		return nil, err
	}
	out := make([][]Scores, len(pairs))
	for i, n := range counts {
		out[i], scores = scores[:n:n], scores[n:]
	}
	return out, nil
}
