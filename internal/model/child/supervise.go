package child

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// supervise runs one process after another, until the engine is closed or no
// longer starts.
func (e *Engine) supervise(p *process) {
	defer close(e.stopped)
	idle := 0 // number of processes in a row that answered nothing
	for {
		answered, err := e.converse(p)
		if e.ctx.Err() != nil {
			p.stop(patience)
			return
		}
		err = p.obituary(err)
		p.stop(0)
		if idle++; answered {
			idle = 0
		}
		e.log(fmt.Sprintf("the engine's process has died and is started again; %d requests that were under way are sent again: %v", e.recall(err), err))
		if p, err = e.restart(idle); err != nil {
			if !errors.Is(err, errClosed) {
				e.log(fmt.Sprintf("all is refused from now on: %v", err))
			}
			e.refuse(err)
			return
		}
	}
}

// restart starts a process, after a pause that grows with the number of useless
// processes before it.
func (e *Engine) restart(useless int) (*process, error) {
	for failed := 0; ; failed++ {
		if err := e.wait(useless + failed); err != nil {
			return nil, errClosed
		}
		p, err := start(e.ctx, e.o)
		switch {
		case err == nil && !reflect.DeepEqual(p.info, e.info):
			p.stop(0)
			return nil, fmt.Errorf("the engine's process has died, and the model %s is another one now: start again", e.info.ID)
		case err == nil:
			return p, nil
		case e.ctx.Err() != nil:
			return nil, errClosed
		case failed+1 == starts:
			return nil, fmt.Errorf("the engine's process has died and does not start any more, %d times in a row: %w", starts, err)
		}
		e.log(fmt.Sprintf("the engine's process does not start: %v", err))
	}
}

// wait pauses before a restart, depending on the number of useless processes before it.
func (e *Engine) wait(useless int) error {
	if useless == 0 {
		return e.ctx.Err()
	}
	t := time.NewTimer(min(mostPause, e.o.pause<<min(useless-1, 20)))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-e.ctx.Done():
		return e.ctx.Err()
	}
}

// converse sends requests to a process and receives its answers, until the
// process dies or sends a bad frame, or the engine is closed. When it returns,
// nobody reads from the process or writes to it.
func (e *Engine) converse(p *process) (answered bool, err error) {
	broken := make(chan error, 1)
	go func() {
		for {
			f, err := readFrame(p.out)
			if err == nil {
				err = e.take(f)
			}
			if errors.Is(err, errFrame) {
				p.kill() // otherwise it could keep running and block us
			}
			if err != nil {
				broken <- err
				return
			}
			answered = true
		}
	}()
	// The reader and the writer stop each other. Ending the process stops the reader.
	stop := context.AfterFunc(e.ctx, func() { p.in.Close() })
	defer stop()
	for {
		if b := e.next(); b != nil {
			if _, err := p.in.Write(b); err != nil { // the process has died, or must be ended
				p.kill()
				err = <-broken
				return answered, err
			}
			continue
		}
		select {
		case <-e.wake:
		case err := <-broken:
			return answered, err
		case <-e.ctx.Done():
			select {
			case err := <-broken:
				return answered, err
			case <-time.After(patience):
				p.kill()
				err = <-broken
				return answered, err
			}
		}
	}
}

func (e *Engine) log(line string) {
	if e.o.Log != nil {
		e.o.Log(line)
	}
}
