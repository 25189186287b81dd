// Package child runs an encoder in a child process, which the parent watches and
// restarts if it dies: a fault in a GPU's libraries ends the process that it
// happens in. Neither side trusts the other's data.
//
// They exchange frames over the child's stdin and stdout: a length, a kind, the
// number of a request, and then content that depends on the kind. Numbers are
// little-endian. The child's stderr is its log.
package child

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// kind of a frame.
type kind uint8

// The kinds, from the parent and to it.
const (
	kindOpen   kind = 'O' // the number is the protocol's version; JSON that says what to open
	kindTexts  kind = 'T' // texts to be encoded
	kindIDs    kind = 'I' // the same as token ids
	kindCancel kind = 'C' // nobody waits for the request of this number any more

	kindReady   kind = 'R' // JSON of model.Info
	kindVectors kind = 'V' // the embeddings of a request
	kindError   kind = 'E' // why there are none; before kindReady, why nothing was opened
	kindModel   kind = 'M' // why nothing was opened, if the model is at fault
)

// version of the protocol.
const version = 3

const (
	frameHead = 9        // kind and number
	maxFrame  = 64 << 20 // bytes of a frame's content
	maxInfo   = 1 << 20  // bytes of a model's description
	maxWords  = 64 << 10 // bytes of an error
)

// frame is one message.
type frame struct {
	kind    kind
	id      uint64
	content []byte
}

// beginFrame begins a frame, to which content is appended; endFrame completes it.
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

// errFrame is wrapped by errors about frames that cannot be read.
var errFrame = errors.New("no frame of this protocol")

// readFrame reads the next frame; io.EOF is an end between frames.
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

// cut is the error of an end within a frame.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// cursor reads a frame's content; after the first fault everything it gives is
// empty.
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

// text reads a length and so many bytes.
func (c *cursor) text() string { return string(c.take(c.count(1))) }

// count reads a number of things that have at least size bytes each, which
// bounds it by what is there.
func (c *cursor) count(size int) int {
	n := int64(c.uint32())
	if n*int64(size) > int64(len(c.b)) {
		c.bad, c.b = true, nil
		return 0
	}
	return int(n)
}

// end reports whether everything was read, and was there.
func (c *cursor) end() error {
	if c.bad || len(c.b) > 0 {
		return fmt.Errorf("%w: its content is too short or too long", errFrame)
	}
	return nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}
