package chat

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/vantage-search/vantage/internal/retry"
	"github.com/vantage-search/vantage/internal/stall"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// dialect says which parameters a model refuses. Newer models of OpenAI take neither
// max_tokens nor a temperature, while many other hosts do not know max_completion_tokens.
type dialect struct {
	newTokens     bool // the bound on tokens is max_completion_tokens
	noTemperature bool // the temperature is the model's
	format        format
}

// format is how a request says which replies fit.
type format uint8

const (
	jsonSchema format = iota
	jsonObject        // the older way of llama.cpp's servers, with the schema inside; others ignore it
	noFormat          // the schema stands only in the instructions
)

// adapt drops or replaces the parameter that the host's answer names, and reports whether there
// was one to change.
func (d *dialect) adapt(refused *statusError) bool {
	if !refused.aboutParameters() {
		return false
	}
	switch {
	case !d.newTokens && refused.names(parameterTokens):
		d.newTokens = true
	case !d.noTemperature && refused.names(parameterTemperature):
		d.noTemperature = true
	case d.format < noFormat && refused.names(parameterFormat):
		d.format++
	default:
		return false
	}
	return true
}

// The parameters in which hosts differ.
const (
	parameterTokens      = "max_tokens"
	parameterTemperature = "temperature"
	parameterFormat      = "response_format"
)

// aboutParameters reports whether the host refuses a request because of one of these parameters.
// llama-cpp-python does so with status 500.
func (e *statusError) aboutParameters() bool {
	switch e.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return e.names(parameterTokens) || e.names(parameterTemperature) || e.names(parameterFormat)
	}
	return false
}

// names reports whether the host blames a parameter.
func (e *statusError) names(parameter string) bool {
	if e.parameter != "" {
		return e.parameter == parameter
	}
	inName := func(r rune) bool { return r == '_' || r >= 'a' && r <= 'z' }
	for word := range strings.FieldsFuncSeq(e.said, func(r rune) bool { return !inName(r) }) {
		if word == parameter {
			return true
		}
	}
	return false
}

// apply sets the parameters in which hosts differ.
func (d dialect) apply(params *openai.ChatCompletionNewParams, s *Schema, tokens int) {
	params.Temperature, params.MaxTokens, params.MaxCompletionTokens = openai.Float(0), openai.Int(int64(tokens)), param.Opt[int64]{}
	if d.newTokens {
		params.MaxTokens, params.MaxCompletionTokens = params.MaxCompletionTokens, params.MaxTokens
	}
	if d.noTemperature {
		params.Temperature = param.Opt[float64]{}
	}
	params.ResponseFormat = openai.ChatCompletionNewParamsResponseFormatUnion{}
	switch d.format {
	case jsonSchema:
		params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: s.name, Strict: openai.Bool(true), Schema: s.document},
		}
	case jsonObject:
		params.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
		params.ResponseFormat.OfJSONObject.SetExtraFields(map[string]any{"schema": s.document})
	}
}

// request asks once, and repeats the request after temporary faults, as long as all of it may take. If the host refuses
// a parameter of the dialect, the request is made again without it or with its replacement, and the client remembers for
// its model what was accepted.
func (c *Client) request(ctx context.Context, messages []openai.ChatCompletionMessageParamUnion, s *Schema) (*openai.ChatCompletion, error) {
	whole, cancel := context.WithTimeoutCause(ctx, c.whole, errWhole)
	defer cancel()
	p := &progress{}
	answer, err := c.attempts(whole, messages, s, p)
	if ctx.Err() == nil && errors.Is(err, errWhole) {
		err = c.unfinished(p)
	}
	return answer, err
}

// errWhole ends a request that has taken too long with its repetitions.
var errWhole = errors.New("the whole request takes too long")

// progress is what is known of a request that is under way.
type progress struct {
	attempts int
	last     error // of the attempt before, nil at first
}

// unfinished is the error of a request that has taken too long.
func (c *Client) unfinished(p *progress) error {
	times, last := "one attempt", ""
	if p.attempts > 1 {
		times = strconv.Itoa(p.attempts) + " attempts"
	}
	if p.last != nil {
		last = ", of which one failed because " + p.last.Error()
	}
	return fault.Errorf(fault.Unavailable, "the chat model has not finished a reply within %v, in %s%s: use a faster model or host, or allow it more time with more tokens (%s)",
		c.whole, times, last, tokensFlag)
}

// attempts makes the attempts of a request.
func (c *Client) attempts(ctx context.Context, messages []openai.ChatCompletionMessageParamUnion, s *Schema, p *progress) (answer *openai.ChatCompletion, err error) {
	c.mu.Lock()
	d := c.dialect
	c.mu.Unlock()
	params := openai.ChatCompletionNewParams{Model: c.s.Model, Messages: messages}
	for {
		d.apply(&params, s, c.s.MaxTokens)
		err := c.policy.Do(ctx, nil, func() (bool, error) {
			p.attempts++
			attempt, watch := stall.New(ctx, c.patience)
			defer watch.Stop()
			var sent atomic.Bool
			traced := httptrace.WithClientTrace(attempt, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
			var err error
			answer, err = c.service.New(context.WithValue(traced, watchKey{}, watch), params)
			if sent.Load() && unanswered(err) {
				c.count(func(u *Usage) { u.Unanswered++ })
			}
			if err = c.classify(err, attempt.Err() != nil); err == nil {
				err = c.errorOf(answer)
			}
			if ctx.Err() == nil {
				p.last = err
			}
			return false, err
		})
		if err == nil {
			c.mu.Lock()
			c.dialect = d
			c.mu.Unlock()
			return answer, nil
		}
		if refused, ok := errors.AsType[*statusError](err); !ok || !d.adapt(refused) {
			return nil, err
		}
	}
}

// unanswered reports whether a request that was sent has failed without a whole answer of the host's.
func unanswered(err error) bool {
	_, status := errors.AsType[*openai.Error](err)
	return err != nil && !status && fault.Of(err) != fault.Input // a redirection
}

// errorOf is the error in an answer with status 200, which gateways send if the host behind them fails. It says nothing
// about the question, so it must not count as a reply that the model refused.
func (c *Client) errorOf(answer *openai.ChatCompletion) error {
	said := answer.JSON.ExtraFields["error"].Raw()
	if len(answer.Choices) > 0 || said == "" || said == "null" {
		return nil
	}
	return &retry.Passing{Err: fault.Errorf(fault.Unavailable, "the chat model's host answers with an error in place of a reply: %s", c.clean(said))}
}

// refusal is the error of an answer with a status that is not 200.
func (c *Client) refusal(e *openai.Error) error {
	if e.Code == contentFilter {
		return c.refused(because("the host's content filter refuses the question", c.clean(e.Message)))
	}
	refused := &statusError{e.StatusCode, e.Param, c.clean(e.Message)}
	if e.Message == "" {
		refused.readDetail(e.Response.Body)
		refused.said = c.clean(refused.said)
	}
	if refused.Is(fault.Unavailable) && !refused.aboutParameters() {
		return &retry.Passing{Err: refused, Wait: retry.After(e.Response.Header, time.Now())}
	}
	return refused
}

// readDetail reads the body in which FastAPI, the framework of several hosts, refuses a
// request: a list of what is wrong, each with its place.
func (e *statusError) readDetail(body io.Reader) {
	var refusal struct {
		Detail []struct {
			Place   []any  `json:"loc"`
			Message string `json:"msg"`
		}
	}
	if json.NewDecoder(body).Decode(&refusal) != nil || len(refusal.Detail) == 0 {
		return
	}
	first := refusal.Detail[0]
	if len(first.Place) > 1 && first.Place[0] == "body" {
		e.parameter, _ = first.Place[1].(string)
	}
	if e.said = first.Message; e.parameter != "" {
		e.said = e.parameter + ": " + e.said
	}
}
