package inputs

import (
	"bufio"
	"errors"
)

// MaxLine is the greatest length of a line in bytes.
const MaxLine = 16 << 20

// ErrLongLine is the error for a line longer than MaxLine.
var ErrLongLine = errors.New("long line")

// ReadLine reads a line with its line break into new memory. With what follows the last line
// break, which may be nothing, it returns io.EOF.
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
