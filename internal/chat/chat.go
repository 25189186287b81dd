// Package chat asks chat models at any address that speaks OpenAI's API, and accepts
// only replies that fit a JSON schema and the caller's check. Instructions are the
// system message. The question is nothing but the text from elsewhere, in a fence.
package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/openai/openai-go/v3"

	"github.com/vantage-search/vantage/internal/httpstatus"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/retry"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Question is what a model is asked.
type Question struct {
	Instructions string
	Text         string // a text from elsewhere; Ask puts it in a fence
	Schema       *Schema
	Accept       func(reply json.RawMessage) error // says what else is wrong with a reply that fits the schema; may be nil
}

func (q *Question) check(reply json.RawMessage) error {
	if err := q.Schema.check(reply); err != nil {
		return err
	}
	if q.Accept == nil {
		return nil
	}
	return q.Accept(reply)
}

// ReplyError says why there is no reply that can be used: it did not fit, even after one
// repair, or the host or the model held it back. It is a fault.Integrity.
type ReplyError struct {
	Model, Reason string
	Cut           bool // by the bound on tokens
}

func (e *ReplyError) Error() string {
	return fmt.Sprintf("the reply of the chat model %s cannot be used: %s", human.Escape(e.Model), human.Escape(e.Reason))
}

// Is reports the kind of the fault.
func (e *ReplyError) Is(target error) bool { return target == fault.Integrity }

// Ask returns the model's reply. If it does not fit, the model is told why and asked once
// more; a reply that the bound on tokens cuts does not fit. After a temporary fault of the
// host, the request is repeated, with growing pauses. Errors are *ReplyError; fault.Limit
// for an answer of too many bytes or a request that may cost too much; fault.Unavailable for
// a host that does not answer or is busy; fault.Integrity for one that does not speak the
// API; fault.Input for an address, key or model that the host refuses, and for a question
// that a recording has no reply to; the cause of ctx's end; and the error of a cache that
// cannot keep the reply, which then comes with the error.
func (c *Client) Ask(ctx context.Context, q Question) (json.RawMessage, error) {
	reply, err := c.ask(ctx, &q)
	if refused, ok := errors.AsType[*ReplyError](err); ok {
		c.count(func(u *Usage) { u.refuse(refused.Cut, c.clean(refused.Reason)) })
	}
	return reply, err
}

func (c *Client) ask(ctx context.Context, q *Question) (json.RawMessage, error) {
	key := c.keyOf(q)
	if c.replayed != nil {
		recorded, err := c.replayed.of(key)
		if err != nil {
			return nil, err
		}
		if recorded.Refused != "" {
			return nil, &ReplyError{c.s.Model, recorded.Refused, recorded.Cut}
		}
		if err := q.check(recorded.Reply); err != nil {
			return nil, c.refused(short(err.Error(), maxReason))
		}
		c.count(func(u *Usage) { u.Kept++ })
		return recorded.Reply, nil
	}
	reply, kept := c.cached(q, key)
	if kept {
		c.count(func(u *Usage) { u.Kept++ })
	} else {
		var err error
		if reply, err = c.converse(ctx, q); err != nil {
			if refused, ok := errors.AsType[*ReplyError](err); ok {
				if reply := c.record(line{Key: key, Refused: c.clean(refused.Reason), Cut: refused.Cut}); reply != nil {
					return reply, nil // the same question was asked twice at the same time
				}
			}
			return nil, err
		}
	}
	return c.keep(key, reply, !kept)
}

// refused is the error of a reply that cannot be used.
func (c *Client) refused(reason string) error { return &ReplyError{Model: c.s.Model, Reason: reason} }

func (c *Client) count(f func(u *Usage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.usage)
}

const (
	maxReason = 500     // bytes of a reason that a model or a user is told
	maxRepeat = 4 << 10 // bytes of a wrong reply that the model is shown
	maxTokens = 1 << 32 // tokens of an answer that are counted

	// tokensFlag is the flag of Settings.MaxTokens.
	tokensFlag = "--chat-max-tokens"

	// contentFilter is how hosts say that they hold a question or a reply back.
	contentFilter = "content_filter"
)

// converse asks the model and, if its reply does not fit, asks it to repair it.
func (c *Client) converse(ctx context.Context, q *Question) (json.RawMessage, error) {
	system := strings.TrimSpace(q.Instructions) + "\n\nReply with JSON that fits this schema, and with nothing else:\n" + q.Schema.text
	user := Fence(q.Text)
	messages := []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system), openai.UserMessage(user)}
	size := len(system) + len(user) + len(q.Schema.text) // a host may read the schema of response_format, too
	for repaired := false; ; repaired = true {
		if err := c.affordable(size); err != nil {
			return nil, err
		}
		reply, cut, err := c.complete(ctx, messages, q.Schema)
		if err != nil {
			return nil, err
		}
		reason := q.check(json.RawMessage(reply))
		if reason == nil {
			return json.RawMessage(reply), nil
		}
		said, remedy, ask := c.said(reason.Error()), "", "Reply to the first message again."
		if cut {
			said, remedy, ask = fmt.Sprintf("it was cut off after %d tokens", c.s.MaxTokens), ": allow more with "+tokensFlag, "Reply to the first message again, with far fewer words."
		}
		if repaired {
			return nil, &ReplyError{c.s.Model, said + remedy, cut}
		}
		wrong, again := short(reply, maxRepeat), "Your reply cannot be used: "+said+". "+ask
		if wrong == "" {
			wrong = "(nothing)" // some hosts refuse empty messages
		}
		messages = append(messages, openai.AssistantMessage(wrong), openai.UserMessage(again))
		size += len(wrong) + len(again)
	}
}

// complete makes one request and returns the text of the reply, and whether the bound on
// tokens has cut it.
func (c *Client) complete(ctx context.Context, messages []openai.ChatCompletionMessageParamUnion, s *Schema) (reply string, cut bool, err error) {
	answer, err := c.request(ctx, messages, s)
	if err != nil {
		return "", false, err
	}
	c.count(func(u *Usage) {
		u.Requests++
		if answer.Usage.PromptTokens <= 0 && answer.Usage.CompletionTokens <= 0 {
			u.Uncounted++
		}
		u.PromptTokens += min(max(0, answer.Usage.PromptTokens), maxTokens)
		u.ReplyTokens += min(max(0, answer.Usage.CompletionTokens), maxTokens)
	})
	if len(answer.Choices) == 0 {
		return "", false, c.refused("the host sends no reply")
	}
	first := answer.Choices[0]
	said := c.said(first.Message.Refusal)
	switch {
	case strings.HasPrefix(first.FinishReason, contentFilter): // some hosts add what they have found
		return "", false, c.refused(because("the host's content filter holds the reply back", said))
	case said != "":
		return "", false, c.refused(because("the model declines", said))
	}
	return first.Message.Content, first.FinishReason == "length", nil
}

// because adds what was said to a reason.
func because(reason, said string) string {
	if said == "" {
		return reason
	}
	return reason + ": " + said
}

// classify gives an error of a request its kind, and says whether it is temporary. What
// the host says is shortened, and the key is taken out of it.
func (c *Client) classify(err error, late bool) error {
	switch kind := fault.Of(err); {
	case err == nil:
		return nil
	case kind == fault.Limit || kind == fault.Input: // by the transport
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err
		}
		return err
	case late:
		return &retry.Passing{Err: fault.Errorf(fault.Unavailable, "the chat model has sent nothing for %v", c.patience)}
	}
	if e, ok := errors.AsType[*openai.Error](err); ok {
		return c.refusal(e)
	}
	if fault.Is[net.Error](err) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &retry.Passing{Err: fault.Errorf(fault.Unavailable, "the chat model cannot be reached, or its answer was cut off: %s", c.clean(err.Error()))}
	}
	return fault.Errorf(fault.Integrity, "the chat model's host does not speak OpenAI's API: %s", c.clean(err.Error()))
}

// statusError is an answer with a status that is not 200.
type statusError struct {
	status    int
	parameter string // that the host blames, if it says so
	said      string
}

func (e *statusError) Error() string {
	return because(fmt.Sprintf("the chat model's host answers with status %d", e.status), e.said)
}

func (e *statusError) Is(target error) bool { return httpstatus.Is(e.status, target) }

func (c *Client) clean(text string) string { return human.Escape(c.said(text)) }

// said is a text of the host's, shortened. The key is taken out of it first: half of a key that the end of the text
// cuts would not be found.
func (c *Client) said(text string) string {
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, "(the key)")
	}
	return short(text, maxReason)
}

// short cuts a text that is longer than n bytes to at most n, between characters, and puts an ellipsis after it.
func short(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
