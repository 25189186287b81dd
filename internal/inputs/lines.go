package inputs

import (
	"bufio"
	"errors"
)

// MaxLine is how many bytes a line may have.
const MaxLine = 16 << 20

// ErrLongLine is the error of a line beyond MaxLine.
var ErrLongLine = errors.New("long line")

// ReadLine reads a line, with its end, into memory of its own. The last one comes
// with io.EOF.
func ReadLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, ErrLongLine
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}
