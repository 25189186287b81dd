package chat

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Price is the price of a million tokens in US dollars.
type Price struct {
	Prompt, Reply float64
}

// Set reads "PROMPT,REPLY", such as 0.15,0.6.
func (p *Price) Set(text string) error {
	prompt, reply, _ := strings.Cut(text, ",")
	a, errA := strconv.ParseFloat(prompt, 64)
	b, errB := strconv.ParseFloat(reply, 64)
	if errA != nil || errB != nil || !(a >= 0) || !(b >= 0) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return fault.New(fault.Query, "must be two prices, of a million tokens in prompts and in replies, such as 0.15,0.6")
	}
	p.Prompt, p.Reply = a, b
	return nil
}

func (p *Price) String() string {
	if *p == (Price{}) {
		return ""
	}
	return strconv.FormatFloat(p.Prompt, 'g', -1, 64) + "," + strconv.FormatFloat(p.Reply, 'g', -1, 64)
}

// Type is the name of the value in the command's help.
func (p *Price) Type() string { return "PROMPT,REPLY" }

func (p Price) of(prompt, reply int64) float64 {
	return (float64(prompt)*p.Prompt + float64(reply)*p.Reply) / 1e6
}

// Usage counts what a client has used.
type Usage struct {
	Model        string  `json:"model"`
	Requests     int     `json:"requests"` // answered by the model, repairs included
	Kept         int     `json:"kept"`     // questions answered from the cache or a recording
	PromptTokens int64   `json:"prompt_tokens"`
	ReplyTokens  int64   `json:"reply_tokens"`
	Cost         float64 `json:"cost,omitempty"`    // US dollars; 0 if no price is known
	Cut          int     `json:"cut,omitempty"`     // questions whose reply the bound on tokens has cut, even after a repair
	Refused      int     `json:"refused,omitempty"` // other questions without a reply that can be used
	Reason       string  `json:"reason,omitempty"`  // why there is none to the last of them

	// Uncounted are requests for which the host reported no tokens, so that tokens and cost are too low.
	Uncounted int `json:"uncounted,omitempty"`
	// Unanswered are requests that were sent and ended without an answer, because the caller left or the host broke off. The
	// model may have worked on them.
	Unanswered int `json:"-"`
}

// Usage returns what the client has used so far.
func (c *Client) Usage() Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.usage
	u.Model, u.Cost = c.s.Model, c.s.Price.of(u.PromptTokens, u.ReplyTokens)
	return u
}

// refuse counts a question without a reply that can be used.
func (u *Usage) refuse(cut bool, reason string) {
	if cut {
		u.Cut++
		return
	}
	u.Refused++
	u.Reason = reason
}

// Since is what was used after an earlier state.
func (u Usage) Since(before Usage) Usage {
	u.Requests, u.Kept, u.Cut, u.Uncounted = u.Requests-before.Requests, u.Kept-before.Kept, u.Cut-before.Cut, u.Uncounted-before.Uncounted
	u.Unanswered -= before.Unanswered
	u.PromptTokens, u.ReplyTokens = u.PromptTokens-before.PromptTokens, u.ReplyTokens-before.ReplyTokens
	u.Cost -= before.Cost
	if u.Refused -= before.Refused; u.Refused == 0 {
		u.Reason = ""
	}
	return u
}

func (u Usage) String() string {
	text := fmt.Sprintf("%s: %s and %s kept, %s in prompts and %s in replies", human.Escape(u.Model), human.Count(u.Requests, "request"), human.Count(u.Kept, "reply"), human.Count(int(u.PromptTokens), "token"), human.Count(int(u.ReplyTokens), "token"))
	if u.Cost > 0 {
		text += fmt.Sprintf(", $%.4f", u.Cost)
	}
	if remark := u.Remark(); remark != "" {
		text += "; " + remark
	}
	return text
}

// Remark says how many replies were cut, and what to do, how many could not be used for other reasons, and for how many
// requests the host did not count tokens; "" if there are none of these.
func (u Usage) Remark() string {
	var remarks []string
	if u.Cut > 0 {
		remarks = append(remarks, fmt.Sprintf("%s %s cut off at the bound on tokens, even when asked to be shorter: allow more with %s", human.Count(u.Cut, "reply"), human.Are(u.Cut), tokensFlag))
	}
	if u.Refused > 0 {
		remarks = append(remarks, because(human.Count(u.Refused, "reply")+" cannot be used, the last for this reason", u.Reason))
	}
	if u.Uncounted > 0 {
		remarks = append(remarks, fmt.Sprintf("the host reports no tokens for %s, so that tokens and cost are too low", human.Count(u.Uncounted, "request")))
	}
	return strings.Join(remarks, "; ")
}

// templateTokens are more than a model's template adds to a conversation of ours.
const templateTokens = 256

// affordable reports an error if a request may cost more than it is allowed to. A token
// has at least one byte, so the bytes of a prompt bound its tokens.
func (c *Client) affordable(promptBytes int) error {
	most := c.s.Price.of(int64(promptBytes)+templateTokens, int64(c.s.MaxTokens))
	if c.s.MaxCost > 0 && most > c.s.MaxCost {
		return fault.Errorf(fault.Limit, "a request to the chat model may cost up to $%.6f, more than the $%g that are allowed: allow more, or fewer tokens in replies", most, c.s.MaxCost)
	}
	return nil
}
