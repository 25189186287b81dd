package chat

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// maxRecording is the greatest size of a recording in bytes.
const maxRecording = 64 << 20

// keyOf is the hash of everything that a reply depends on, save the host.
func (c *Client) keyOf(q *Question) string {
	all, _ := json.Marshal([]any{1, c.s.Model, c.s.MaxTokens, q.Schema.name, q.Schema.text, q.Instructions, q.Text})
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:])
}

// cacheName is the name of a reply in the cache. The same name of a model may mean
// another model at another address.
func (c *Client) cacheName(key string) string {
	sum := sha256.Sum256([]byte(c.s.URL + "\n" + key))
	return hex.EncodeToString(sum[:])
}

// cached returns a reply of the cache, if it is there and fits. A damaged one is asked for again.
func (c *Client) cached(q *Question, key string) (json.RawMessage, bool) {
	if c.cache == nil {
		return nil, false
	}
	reply, ok := c.cache.get(c.cacheName(key))
	return reply, ok && q.check(reply) == nil
}

// keep adds a reply to the cache and to the recording.
func (c *Client) keep(key string, reply json.RawMessage, fresh bool) error {
	c.mu.Lock()
	if c.recorded != nil {
		c.recorded[key] = reply
	}
	c.mu.Unlock()
	if !fresh || c.cache == nil {
		return nil
	}
	return fault.As(fault.Unavailable, c.cache.put(c.cacheName(key), reply))
}

// line is a line of a recording: the key of a question, and the reply.
type line struct {
	Key   string          `json:"key"`
	Reply json.RawMessage `json:"reply"`
}

// Close writes the recording, if one was asked for, and warns of replies that were cut.
func (c *Client) Close(warn func(format string, args ...any)) error {
	if remark := c.Usage().Remark(); remark != "" {
		warn("%s", remark)
	}
	if c.recorded == nil {
		return nil
	}
	return file.Replace(c.s.Record, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		for _, key := range slices.Sorted(maps.Keys(c.recorded)) {
			if err := encoder.Encode(line{key, c.recorded[key]}); err != nil {
				return err
			}
		}
		return nil
	})
}

func readRecording(path string) (map[string]json.RawMessage, error) {
	data, err := file.Read(path, maxRecording, "recording")
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	replies := map[string]json.RawMessage{}
	n := 0
	for text := range bytes.Lines(data) {
		n++
		var l line
		if err := json.Unmarshal(text, &l); err != nil || l.Key == "" || l.Reply == nil {
			return nil, fault.Errorf(fault.Input, "%s, line %d: not a key and a reply as JSON: record the replies again", path, n)
		}
		replies[l.Key] = l.Reply
	}
	return replies, nil
}
