package host

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

const (
	pageSize  = 64 << 10
	maxMemory = 4 << 30
)

// LostError says that an instance can no longer answer: it blocked, exited, trapped, reported an internal error, named
// addresses beyond its memory, or was closed. The next query gets a new one.
type LostError struct {
	Call   string
	Reason string
	Limit  int64 // bytes of WithMemoryLimit if the core needed more, otherwise 0
}

func (e *LostError) Error() string {
	if e.Limit > 0 {
		var raise string
		if e.Limit < maxMemory {
			raise = fmt.Sprintf("raise the limit, to %d MB at most, ", int64(maxMemory)>>20)
		}
		return fmt.Sprintf("headless: the core needs more than the %d MB that WithMemoryLimit allows it, in %s (%s): %sindex with --quantize int8, or split the collection",
			e.Limit>>20, e.Call, e.Reason, raise)
	}
	return fmt.Sprintf("headless: the core was lost in %s: %s", e.Call, e.Reason)
}

// Is reports the kind of fault: limit if the core needed more memory than its limit,
// otherwise internal.
func (e *LostError) Is(target error) bool {
	if e.Limit > 0 {
		return target == fault.Limit
	}
	return target == fault.Internal
}

// CallError is an error that the core reported.
type CallError struct {
	Call string
	Code int32 // below zero; see fault.OfCode
	Text string
}

func (e *CallError) Error() string { return e.Text }

// Is reports the kind of fault, which is that of the core's own error.
func (e *CallError) Is(target error) bool { return target == fault.OfCode(e.Code) }

// instance is a core with its kernel in a wazero runtime of its own.
type instance struct {
	ctx      context.Context
	runtime  wazero.Runtime
	host     gojs
	module   api.Module
	sequence uint32 // address of the word that every completed call increments
	lost     *LostError
	limit    int64 // limit of memory in bytes
}

// start instantiates the shim, the core and the kernel, which depend on each other. The
// core imports the shim's functions, which call through a table. When the kernel has
// imported the core's memory, the glue fills the table with the kernel's functions.
func start(ctx context.Context, m modules, cache wazero.CompilationCache, memoryLimit int64) (*instance, error) {
	// Calls may come after the context of start has ended.
	in := &instance{limit: memoryLimit}
	in.ctx = experimental.WithMemoryAllocator(context.WithoutCancel(ctx), experimental.MemoryAllocatorFunc(newLinear))
	config := wazero.NewRuntimeConfig().WithCompilationCache(cache).WithMemoryLimitPages(uint32(memoryLimit / pageSize))
	in.runtime = wazero.NewRuntimeWithConfig(in.ctx, config)
	if err := in.boot(m); err != nil {
		err = fmt.Errorf("headless: %w", err)
		if in.outOfMemory(err) {
			err = &LostError{"its start", firstLine(err.Error()), in.limit}
		}
		return nil, errors.Join(err, in.close())
	}
	return in, nil
}

func (in *instance) boot(m modules) error {
	if err := in.host.instantiate(in.ctx, in.runtime); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		code []byte
	}{{"kernel", m.shim}, {"go", m.core}, {"kimpl", m.kernel}, {"glue", m.glue}} {
		module, err := in.runtime.InstantiateWithConfig(in.ctx, part.code, wazero.NewModuleConfig().WithName(part.name).WithStartFunctions())
		if err != nil {
			return fmt.Errorf("module %s: %w", part.name, err)
		}
		if part.name == "go" {
			in.module = module
		}
	}
	// The arguments of main: argc 1, argv at 4104 with one entry, "js" at 4096.
	arguments := append([]byte("js\x00\x00\x00\x00\x00\x00"), binary.LittleEndian.AppendUint64(nil, 4096)...)
	if !in.module.Memory().Write(4096, append(arguments, make([]byte, 16)...)) {
		return errors.New("the core has no room for its arguments")
	}
	if _, err := in.module.ExportedFunction("run").Call(in.ctx, 1, 4104); err != nil {
		return err
	}
	for _, f := range abi.Functions() {
		if in.module.ExportedFunction(f.Name) == nil {
			return fmt.Errorf("the core does not export %s: core and library are of different versions", f.Name)
		}
	}
	// This first call cannot be checked, because it returns the address of the word by which
	// calls are checked.
	result, err := in.module.ExportedFunction("sequence").Call(in.ctx)
	if err != nil {
		return err
	}
	in.sequence = uint32(result[0])
	version, err := in.call("abi_version")
	if err != nil {
		return err
	}
	if version != abi.Version {
		return fmt.Errorf("the core speaks ABI version %d, this library %d", version, abi.Version)
	}
	return nil
}

// arena is the most by which Go's heap grows in a step, in bytes: 4 MB before Go 1.26, and 512 KB since.
const arena = 4 << 20

// outOfMemory reports whether the memory limit ended the core, by its last output or, if it did not start, by the
// size of its memory and the error of its start.
func (in *instance) outOfMemory(start error) bool {
	if start == nil {
		words := in.host.output.String()
		for _, end := range []string{"out of memory", "cannot allocate memory", "arena already initialized"} { // of Go's runtime
			if strings.Contains(words, end) {
				return true
			}
		}
		return false
	}
	return in.module != nil && int64(in.module.Memory().Size()) > in.limit-arena || strings.Contains(start.Error(), "over limit of")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// raw calls an export and checks that it completed.
func (in *instance) raw(name string, args ...uint64) (uint64, error) {
	if in.lost != nil {
		return 0, in.lost
	}
	lose := func(reason string) (uint64, error) {
		if story := strings.TrimSpace(in.host.output.String()); story != "" {
			reason += ": " + story
		}
		in.lost = &LostError{Call: name, Reason: reason}
		if in.outOfMemory(nil) {
			in.lost.Reason, in.lost.Limit = firstLine(reason), in.limit // the stack of a core without memory tells nothing
		}
		return 0, in.lost
	}
	if in.host.due() {
		if _, err := in.module.ExportedFunction("resume").Call(in.ctx); err != nil {
			return lose("trap: " + err.Error())
		}
	}
	before, _ := in.module.Memory().ReadUint32Le(in.sequence)
	results, err := in.module.ExportedFunction(name).Call(in.ctx, args...)
	after, _ := in.module.Memory().ReadUint32Le(in.sequence)
	switch {
	case in.host.exited:
		return lose(fmt.Sprintf("it exited with code %d", in.host.code))
	case err != nil:
		return lose("trap: " + err.Error())
	case before == after:
		return lose("it blocked")
	}
	return results[0], nil
}

// call is raw for exports that return an error code below zero.
func (in *instance) call(name string, args ...uint64) (int32, error) {
	value, err := in.raw(name, args...)
	if err != nil {
		return 0, err
	}
	result := int32(uint32(value))
	if result >= 0 {
		return result, nil
	}
	text, err := in.errorText()
	if err != nil {
		return 0, err
	}
	if result == fault.Internal.Facts().Code {
		in.lost = &LostError{Call: name, Reason: text}
		return 0, in.lost
	}
	return 0, &CallError{name, result, text}
}

func (in *instance) errorText() (string, error) {
	at, err := in.raw("error_text")
	if err != nil {
		return "", err
	}
	return in.text(uint32(at))
}

// text reads the text of a TextRef.
func (in *instance) text(ref uint32) (string, error) {
	pointer, _ := in.module.Memory().ReadUint32Le(ref)
	length, _ := in.module.Memory().ReadUint32Le(ref + 4)
	b, err := in.read(pointer, length)
	return string(b), err
}

func (in *instance) read(pointer, length uint32) ([]byte, error) {
	b, ok := in.module.Memory().Read(pointer, length)
	if !ok {
		in.lost = &LostError{Call: "memory", Reason: fmt.Sprintf("it named %d bytes at address %d, beyond its memory", length, pointer)}
		return nil, in.lost
	}
	return b, nil
}

// put copies bytes into a new buffer of the core. The caller must release the buffer or
// pass it on.
func (in *instance) put(b []byte) (uint32, error) {
	pointer, err := in.allocate(len(b))
	if err != nil {
		return 0, err
	}
	if !in.module.Memory().Write(pointer, b) {
		in.lost = &LostError{Call: "allocate", Reason: "it gave out a buffer beyond its memory"}
		return 0, in.lost
	}
	return pointer, nil
}

func (in *instance) allocate(bytes int) (uint32, error) {
	if int64(bytes) > maxMemory {
		return 0, fmt.Errorf("headless: %d bytes do not fit into the core's memory", bytes)
	}
	pointer, err := in.raw("allocate", uint64(bytes))
	if err != nil {
		return 0, err
	}
	if pointer == 0 {
		text, err := in.errorText()
		if err != nil {
			return 0, err
		}
		return 0, &CallError{"allocate", fault.Limit.Facts().Code, text}
	}
	return uint32(pointer), nil
}

func (in *instance) release(pointers ...uint32) {
	for _, p := range pointers {
		if p != 0 && in.lost == nil {
			in.call("release", uint64(p))
		}
	}
}

// close frees the instance. Its memory must not be accessed afterwards.
func (in *instance) close() error {
	if in.lost == nil {
		in.lost = &LostError{Call: "close", Reason: "it was closed"}
	}
	return in.runtime.Close(in.ctx)
}
