package threads

import (
	"errors"
	"fmt"
)

// panicked is the error of work that panicked, as the encoder, the corpus or the file system
// of a program may.
type panicked struct{ value any }

func (p *panicked) Error() string { return fmt.Sprint(p.value) }

// Caught, if it is deferred, makes a panic an error. In the goroutine of background work, the
// panic would end the process.
func Caught(err *error) {
	if value := recover(); value != nil {
		*err = &panicked{value}
	}
}

// Rethrow panics if an error was a panic. A call that waits for background work does so in its
// place: the caller can recover.
func Rethrow(err error) {
	if p, ok := errors.AsType[*panicked](err); ok {
		panic(p.value)
	}
}
