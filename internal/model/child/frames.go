// Package child runs an encoder in a child process, because a fault in a GPU's
// libraries kills the process that it happens in. The parent watches the child and
// restarts it if it dies. Neither side trusts the other's data.
//
// They exchange frames over the child's stdin and stdout. A frame has a length, a kind,
// the number of a request, and content that depends on the kind. Numbers are
// little-endian. The child's stderr is its log.
package child

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/vantage-search/vantage/internal/encoder"
)

// kind of a frame.
type kind uint8

// The kinds of the parent's frames, then those of the child's.
const (
	kindOpen   kind = 'O' // the number is the protocol's version; the content is JSON that says what to open
	kindTexts  kind = 'T' // texts to encode
	kindIDs    kind = 'I' // token ids to encode
	kindCancel kind = 'C' // the request is cancelled

	kindReady   kind = 'R' // a description as JSON
	kindVectors kind = 'V' // embeddings of a request
	kindError   kind = 'E' // error of a request; before kindReady, error of opening the model
	kindModel   kind = 'M' // error of opening the model, if the model is at fault
)

// version is the version of the protocol.
const version = 4

const (
	frameHead = 9        // kind and number
	maxFrame  = 64 << 20 // greatest length of a frame's content in bytes
	maxInfo   = 1 << 20  // greatest length of a model's description in bytes
	maxWords  = 64 << 10 // greatest length of an error in bytes
)

// description is what a child says about its model: encoder.Info, with the fields that its JSON
// leaves out because it is also for clients of a server.
type description struct {
	encoder.Info
	Score      string `json:"score,omitempty"`
	Instructed bool   `json:"instructed,omitempty"`
}

func describe(info encoder.Info) ([]byte, error) {
	return json.Marshal(description{info, info.Score, info.Instructed})
}

func described(b []byte) (encoder.Info, error) {
	var d description
	err := json.Unmarshal(b, &d)
	d.Info.Score, d.Info.Instructed = d.Score, d.Instructed
	return d.Info, err
}

// frame is one message.
type frame struct {
	kind    kind
	id      uint64
	content []byte
}

// beginFrame begins a frame. The caller appends content, and endFrame completes the
// frame.
func beginFrame(k kind, id uint64) []byte {
	return binary.LittleEndian.AppendUint64(append(make([]byte, 4, 64), byte(k)), id)
}

func endFrame(b []byte) ([]byte, error) {
	if n := len(b) - 4 - frameHead; n > maxFrame {
		return nil, fmt.Errorf("%d bytes at once, an engine's process takes at most %d: send less", n, maxFrame)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	return b, nil
}

// errFrame is wrapped by errors of malformed frames.
var errFrame = errors.New("not a frame of this protocol")

// readFrame reads the next frame. The error is io.EOF if the input ends between frames.
func readFrame(r io.Reader) (frame, error) {
	var head [4 + frameHead]byte
	if _, err := io.ReadFull(r, head[:4]); err != nil {
		return frame{}, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n < frameHead || n > maxFrame+frameHead {
		return frame{}, fmt.Errorf("%w: one of %d bytes", errFrame, n)
	}
	if _, err := io.ReadFull(r, head[4:]); err != nil {
		return frame{}, cut(err)
	}
	f := frame{kind: kind(head[4]), id: binary.LittleEndian.Uint64(head[5:]), content: make([]byte, n-frameHead)}
	_, err := io.ReadFull(r, f.content)
	return f, cut(err)
}

// cut is the error if the input ends within a frame.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// cursor reads a frame's content. After the first fault, all its results are empty.
type cursor struct {
	b   []byte
	bad bool
}

// take returns the next n bytes.
func (c *cursor) take(n int) []byte {
	if c.bad || n < 0 || n > len(c.b) {
		c.bad, c.b = true, nil
		return nil
	}
	part := c.b[:n:n]
	c.b = c.b[n:]
	return part
}

func (c *cursor) byte() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) uint32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// text reads a length and that many bytes.
func (c *cursor) text() string { return string(c.take(c.count(1))) }

// count reads a number of things of at least size bytes each. It is a fault if the
// remaining bytes are too few for that.
func (c *cursor) count(size int) int {
	n := int64(c.uint32())
	if n*int64(size) > int64(len(c.b)) {
		c.bad, c.b = true, nil
		return 0
	}
	return int(n)
}

// end reports whether the content was complete and has been read to its end.
func (c *cursor) end() error {
	if c.bad || len(c.b) > 0 {
		return fmt.Errorf("%w: its content is too short or too long", errFrame)
	}
	return nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}
