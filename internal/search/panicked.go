package search

import (
	"errors"
	"fmt"
)

// panicked is the error of work in the background that panicked, as the encoder or the file
// system of a program may. There, the panic would end the process; a call that waits for the
// work panics in its place, and its caller can recover.
type panicked struct{ value any }

func (p *panicked) Error() string { return fmt.Sprint(p.value) }

// caught, if it is deferred, makes a panic an error.
func caught(err *error) {
	if value := recover(); value != nil {
		*err = &panicked{value}
	}
}

// rethrow panics if err is a panic.
func rethrow(err error) {
	if p, ok := errors.AsType[*panicked](err); ok {
		panic(p.value)
	}
}
