package chat

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// maxLine is the greatest size of a line of a recording in bytes. JSON may write a byte of a reply with six.
const maxLine = 6*maxReply + 1<<10

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

// cached returns a reply of the recording, or one of the cache that fits. A damaged one is asked for again.
func (c *Client) cached(q *Question, key string) (json.RawMessage, bool) {
	c.mu.Lock()
	recorded := c.recorded[key].Reply
	c.mu.Unlock()
	if recorded != nil {
		return recorded, true
	}
	if c.cache == nil {
		return nil, false
	}
	reply, ok := c.cache.get(c.cacheName(key))
	return reply, ok && q.check(reply) == nil
}

// keep adds a reply to the cache and to the recording, and returns the one that stands.
func (c *Client) keep(key string, reply json.RawMessage, fresh bool) (json.RawMessage, error) {
	if standing := c.record(line{Key: key, Reply: reply}); standing != nil {
		reply = standing
	}
	if !fresh || c.cache == nil {
		return reply, nil
	}
	if err := c.cache.put(c.cacheName(key), reply); err != nil {
		return reply, fault.Errorf(fault.Unavailable, "the chat model's replies cannot be kept: %w: make the folder writable, or add --no-chat-cache", err)
	}
	return reply, nil
}

// record adds a line to the recording, and returns the reply that it then has for the question, nil if it has none. There
// is one line for a question, and the first reply stands: if the same question got another one, a replay would find other
// figures than the run. A reply takes the place of a refusal.
func (c *Client) record(l line) json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recorded == nil {
		return nil
	}
	if before, known := c.recorded[l.Key]; !known || before.Reply == nil && l.Reply != nil {
		c.recorded[l.Key] = l
	}
	return c.recorded[l.Key].Reply
}

// line is a line of a recording: the key of a question, and the reply or why there is none that can be used.
type line struct {
	Key     string          `json:"key"`
	Reply   json.RawMessage `json:"reply,omitempty"`
	Refused string          `json:"refused,omitempty"`
	Cut     bool            `json:"cut,omitempty"` // as in ReplyError
}

// Close ends the work with a client, and returns the work's error, or else its own. It writes the recording, if one was asked
// for, closes one that was replayed, and warns of what Usage.Remark says. If the work failed, an earlier recording keeps its
// lines, and gets those of other questions.
func (c *Client) Close(work error, warn func(format string, args ...any)) error {
	if remark := c.Usage().Remark(); remark != "" {
		warn("%s", remark)
	}
	if c.replayed != nil {
		return errors.Join(work, c.replayed.file.Close())
	}
	if len(c.recorded) == 0 { // the work may have failed before the first question
		return work
	}
	err := file.Replace(c.s.Record, func(w io.Writer) error {
		earlier, err := c.earlier(work)
		if err != nil {
			return err
		}
		return errors.Join(earlier.write(w, c.recorded), earlier.close())
	})
	if work == nil {
		return err
	}
	if err != nil {
		warn("the replies are not recorded: %v", err) // an interrupted command prints no error but that
	}
	return work
}

// earlier is the recording that must not be lost, an empty one if there is none. If the work failed, it may have replies
// that the work did not come to.
func (c *Client) earlier(work error) (*recording, error) {
	info, err := os.Stat(c.s.Record)
	if _, stream := file.Stream(c.s.Record); work == nil || stream || err != nil || !info.Mode().IsRegular() {
		return &recording{}, nil
	}
	r, err := openRecording(c.s.Record)
	if err != nil {
		return nil, fmt.Errorf("the file that is there cannot be read as a recording, and is left as it is: %w", err)
	}
	return r, nil
}

// recording is an open file of replies. It keeps where each of them is and not the replies themselves, so that a
// recording of any size can be replayed.
type recording struct {
	file  *os.File
	lines map[string]span // by key
}

// span is the place of a line in a file.
type span struct {
	start int64
	bytes int
}

func openRecording(path string) (*recording, error) {
	f, _, err := file.Open(path)
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	r := &recording{f, map[string]span{}}
	if err := r.scan(); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

func (r *recording) close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// write writes the lines of a recording and of other questions, in the order of their keys.
func (r *recording) write(w io.Writer, others map[string]line) error {
	keys := slices.Concat(slices.Collect(maps.Keys(r.lines)), slices.Collect(maps.Keys(others)))
	slices.Sort(keys)
	encoder := json.NewEncoder(w)
	for _, key := range slices.Compact(keys) {
		l := others[key]
		if _, there := r.lines[key]; there {
			var err error
			if l, err = r.of(key); err != nil {
				return err
			}
		}
		if err := encoder.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

// scan checks all lines and notes where they are.
func (r *recording) scan() error {
	lines := bufio.NewReaderSize(r.file, 64<<10)
	var text []byte
	var start int64
	for n := 1; ; n++ {
		text = text[:0]
		var err error
		for more := true; more; more = errors.Is(err, bufio.ErrBufferFull) {
			var part []byte
			part, err = lines.ReadSlice('\n')
			if text = append(text, part...); len(text) > maxLine {
				return fault.Errorf(fault.Limit, "%s, line %d: longer than the %d bytes that a reply may take: record the replies again", r.file.Name(), n, maxLine)
			}
		}
		if err != nil && err != io.EOF {
			return fault.As(fault.Input, err)
		}
		if len(text) > 0 {
			l, ok := parseLine(text)
			if !ok {
				return fault.Errorf(fault.Input, "%s, line %d: not a key and a reply as JSON: record the replies again", r.file.Name(), n)
			}
			r.lines[l.Key] = span{start, len(text)}
			start += int64(len(text))
		}
		if err == io.EOF {
			return nil
		}
	}
}

// parseLine accepts only keys as long as keyOf makes them, because keys are held in memory.
func parseLine(text []byte) (l line, ok bool) {
	err := json.Unmarshal(text, &l)
	return l, err == nil && len(l.Key) == hex.EncodedLen(sha256.Size) && (l.Reply != nil) != (l.Refused != "") && !(l.Cut && l.Refused == "")
}

// ErrNotRecorded says that a question was asked that a recording lacks.
var ErrNotRecorded = errors.New("no reply to one of the questions")

// of returns the line of the question with a key.
func (r *recording) of(key string) (l line, err error) {
	place, ok := r.lines[key]
	if !ok {
		return l, fault.Errorf(fault.Input, "%s has %w: record with the same data, model, prompts and tokens", r.file.Name(), ErrNotRecorded)
	}
	text := make([]byte, place.bytes)
	if _, err := r.file.ReadAt(text, place.start); err != nil {
		return l, fault.As(fault.Input, err)
	}
	if l, ok = parseLine(text); !ok || l.Key != key {
		return l, fault.Errorf(fault.Input, "%s has changed while it was replayed: start again", r.file.Name())
	}
	return l, nil
}
