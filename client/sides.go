package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path"
	"time"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/retry"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Sides says which side of a root texts are on, according to the server's model.
type Sides struct {
	Texts []Side // in the order of the call
	// How many of the texts on the subject of the root are for it, on neither side, and
	// against it, and how many texts are not on the subject.
	For, Neither, Against, OffSubject int
	Tokens                            int // that the model saw
}

// Side is the side of a text. Its numbers are those of vantage.Stance, to the bit.
type Side struct {
	Side        string  `json:"side"`        // "for", "against" or "neither"
	Probability float32 `json:"probability"` // of this side
	Cosine      float32 `json:"cosine"`      // with the root
	Slant       float32 `json:"slant"`       // above 0 for, below 0 against
	OnSubject   bool    `json:"on_subject"`  // the cosine is high enough
	Truncated   bool    `json:"truncated"`   // the text was longer than the model takes
}

// sidesAnswer is the answer of POST /v1/sides.
type sidesAnswer struct {
	Data   []Side `json:"data"`
	Counts struct {
		For        int `json:"for"`
		Neither    int `json:"neither"`
		Against    int `json:"against"`
		OffSubject int `json:"off_subject"`
	} `json:"counts"`
	Model    string `json:"model"`
	Revision string `json:"revision"`
	Usage    struct {
		PromptTokens int `json:"prompt_tokens"`
	} `json:"usage"`
}

// Sides tells on which side of a root each text is. The server's model must tell sides apart,
// such as that of vantage serve --model sides. If the texts exceed the server's limits, several
// requests are sent. A request is repeated, without limit, while the answer has status 408, 429
// or one above 500 other than 501 and 505: the server has no room, or a proxy does not reach it.
// When the context ends, the call is cancelled, also on the server. Any other refusal is a
// *StatusError.
func (c *Client) Sides(ctx context.Context, root string, texts []string) (*Sides, error) {
	at, err := c.beside("sides")
	if err != nil {
		return nil, err
	}
	if !utf8.ValidString(root) {
		return nil, fault.New(fault.Input, "the root is not UTF-8")
	}
	for i, text := range texts {
		if !utf8.ValidString(text) {
			return nil, fault.Errorf(fault.Input, "text %d is not UTF-8", i)
		}
	}
	out := &Sides{Texts: make([]Side, 0, len(texts))}
	for len(texts) > 0 {
		n := c.portion(root, texts)
		got, err := c.askSides(ctx, at, root, texts[:n])
		if err != nil {
			return nil, err
		}
		texts = texts[n:]
		out.Texts = append(out.Texts, got.Data...)
		out.For, out.Neither = out.For+got.Counts.For, out.Neither+got.Counts.Neither
		out.Against, out.OffSubject = out.Against+got.Counts.Against, out.OffSubject+got.Counts.OffSubject
		out.Tokens += got.Usage.PromptTokens
	}
	return out, nil
}

// beside is the address of a route beside the stream.
func (c *Client) beside(route string) (string, error) {
	u, err := url.Parse(c.url)
	if err != nil {
		return "", err
	}
	switch u.Scheme {
	case "ws":
		u.Scheme = "http"
	case "wss":
		u.Scheme = "https"
	}
	u.Path = path.Join(path.Dir(u.Path), route)
	return u.String(), nil
}

// portion is the number of texts, at least one, that one request takes.
func (c *Client) portion(root string, texts []string) int {
	const escaped = 6 // bytes of JSON for a byte of a text, at most
	limits := c.Facts().Limits
	bytes, n := 1<<10+escaped*len(root), 0
	for n < len(texts) && n < limits.Texts {
		if bytes += 8 + escaped*len(texts[n]); n > 0 && bytes > limits.MessageBytes {
			break
		}
		n++
	}
	return n
}

// askSides asks until the status is none for which Sides repeats a request, or the context or the client ends.
func (c *Client) askSides(ctx context.Context, at, root string, texts []string) (*sidesAnswer, error) {
	facts := c.Facts().Model
	body, err := json.Marshal(struct {
		Model string   `json:"model"`
		Root  string   `json:"root"`
		Texts []string `json:"texts"`
	}{facts.ID, root, texts})
	if err != nil {
		return nil, err
	}
	for wait := leastWait; ; wait = min(2*wait, mostWait) {
		got, err := c.postSides(ctx, at, body, len(texts))
		if refused, ok := errors.AsType[*StatusError](err); ok && refused.temporary() && refused.Status != http.StatusInternalServerError {
			if err := c.pause(ctx, max(wait, refused.Retry)); err != nil {
				return nil, err
			}
			continue
		}
		if err == nil && got.Revision != facts.Revision {
			return nil, fault.Errorf(fault.Integrity, "the server has another revision of %s now, %s, not %s: dial again", got.Model, got.Revision, facts.Revision)
		}
		return got, err
	}
}

// pause waits, until the context or the client ends.
func (c *Client) pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.life.Done():
		return c.closed()
	}
}

// postSides asks once.
func (c *Client) postSides(ctx context.Context, at string, body []byte, texts int) (*sidesAnswer, error) {
	var got sidesAnswer
	err := c.post(ctx, at, body, func(answer io.Reader) error {
		content, err := io.ReadAll(io.LimitReader(answer, int64(readLimit+256*texts)))
		if err != nil {
			return err
		}
		if err := json.Unmarshal(content, &got); err != nil || len(got.Data) != texts {
			return violation("the answer is not the sides of %d texts", texts)
		}
		return nil
	})
	return &got, err
}

// post sends a request over HTTP, until the context or the client ends, and passes the
// body of an answer with status 200 to read. Another status is a *StatusError.
func (c *Client) post(ctx context.Context, at string, body []byte, read func(answer io.Reader) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer func() {
		if err != nil && c.life.Err() != nil {
			err = c.closed()
		}
	}()
	defer context.AfterFunc(c.life, cancel)()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return err
	}
	q.Header.Set("Content-Type", "application/json")
	if c.options.Key != "" {
		q.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
	answer, err := c.http.Do(q)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		content, err := io.ReadAll(io.LimitReader(answer.Body, readLimit))
		if err != nil {
			return err
		}
		var said struct{ Error struct{ Message string } }
		json.Unmarshal(content, &said) // a proxy may send anything
		return &StatusError{answer.StatusCode, min(retry.After(answer.Header, time.Now()), mostAsked), said.Error.Message}
	}
	return read(answer.Body)
}

// closed is the error that ended the client.
func (c *Client) closed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
