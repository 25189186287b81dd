package host

import (
	"bytes"
	"context"
	"crypto/rand"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// gojs provides the imports of a GOOS=js module without syscall/js: eight functions of
// the Go runtime. Each takes the Go stack pointer. Parameters and results are above it,
// with Go's layout.
type gojs struct {
	started time.Time
	exited  bool
	code    int32
	output  bytes.Buffer // output of the runtime, which explains a crash
	timers  map[uint32]time.Time
	last    uint32
}

// maxOutput is the greatest number of bytes of output that are kept.
const maxOutput = 16 << 10

func (g *gojs) instantiate(ctx context.Context, r wazero.Runtime) error {
	g.started, g.timers = time.Now(), map[uint32]time.Time{}
	builder := r.NewHostModuleBuilder("gojs")
	define := func(name string, f func(m api.Memory, sp uint32)) {
		builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, m api.Module, stack []uint64) {
			f(m.Memory(), uint32(stack[0]))
		}), []api.ValueType{api.ValueTypeI32}, nil).Export("runtime." + name)
	}
	define("wasmExit", func(m api.Memory, sp uint32) {
		code, _ := m.ReadUint32Le(sp + 8)
		g.exited, g.code = true, int32(code)
	})
	define("wasmWrite", func(m api.Memory, sp uint32) {
		pointer, _ := m.ReadUint64Le(sp + 16)
		length, _ := m.ReadUint32Le(sp + 24)
		text, ok := m.Read(uint32(pointer), length)
		if ok && g.output.Len()+len(text) <= maxOutput {
			g.output.Write(text)
		}
	})
	define("resetMemoryDataView", func(api.Memory, uint32) {}) // wazero has no views to renew
	define("nanotime1", func(m api.Memory, sp uint32) {
		m.WriteUint64Le(sp+8, uint64(time.Since(g.started))+1) // the runtime requires a time above 0
	})
	define("walltime", func(m api.Memory, sp uint32) {
		now := time.Now()
		m.WriteUint64Le(sp+8, uint64(now.Unix()))
		m.WriteUint32Le(sp+16, uint32(now.Nanosecond()))
	})
	define("scheduleTimeoutEvent", func(m api.Memory, sp uint32) {
		delay, _ := m.ReadUint64Le(sp + 8)
		g.last++
		g.timers[g.last] = time.Now().Add(time.Duration(delay) * time.Millisecond)
		m.WriteUint32Le(sp+16, g.last)
	})
	define("clearTimeoutEvent", func(m api.Memory, sp uint32) {
		id, _ := m.ReadUint32Le(sp + 8)
		delete(g.timers, id)
	})
	define("getRandomData", func(m api.Memory, sp uint32) {
		pointer, _ := m.ReadUint64Le(sp + 8)
		length, _ := m.ReadUint64Le(sp + 16)
		if b, ok := m.Read(uint32(pointer), uint32(length)); ok {
			rand.Read(b)
		}
	})
	_, err := builder.Instantiate(ctx)
	return err
}

// due removes the expired timers and reports whether there were any.
func (g *gojs) due() bool {
	found := false
	for id, at := range g.timers {
		if !time.Now().Before(at) {
			delete(g.timers, id)
			found = true
		}
	}
	return found
}
