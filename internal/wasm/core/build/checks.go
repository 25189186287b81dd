package build

import (
	"fmt"
	"slices"
	"strings"
)

// checks are the functions that Go's compiler calls if a pointer is nil or an index is
// out of range. In the runtime's own functions this means corrupt memory, so the call
// is replaced by a trap, which loses the instance like Go's fatal error would. In
// other functions the checks stay and become errors (call in internal/wasm/core).
const checks = `runtime.sigpanic runtime.goPanicIndex runtime.goPanicIndexU
	runtime.goPanicSliceAlen runtime.goPanicSliceAlenU runtime.goPanicSliceAcap runtime.goPanicSliceAcapU runtime.goPanicSliceB runtime.goPanicSliceBU`

// prints are the functions with which the runtime prints details before a fatal error.
// Only the error itself is kept.
const prints = `runtime.printlock runtime.printunlock runtime.printstring runtime.printnl runtime.printsp runtime.printint runtime.printuint
	runtime.printhex runtime.printpointer runtime.printuintptr runtime.printbool runtime.printfloat64`

// speakers are prefixes of the functions that print the message of a panic or a fatal
// error. Their prints are kept.
var speakers = []string{"runtime.print", "runtime.throw", "runtime.fatal", "runtime.gopanic", "runtime.dopanic_m", "runtime.startpanic_m", "runtime.recordForPanic"}

// unneeded are the functions whose calls are removed from the runtime.
type unneeded struct{ checks, prints []int64 }

func findUnneeded(m *module) (u unneeded, err error) {
	for _, kind := range []struct {
		names   string
		numbers *[]int64
	}{{checks, &u.checks}, {prints, &u.prints}} {
		for name := range strings.FieldsSeq(kind.names) {
			i, ok := m.named[name]
			if !ok {
				return u, fmt.Errorf("tighten: no function is called %s: read internal/wasm/core/build/checks.go again with this toolchain's runtime at hand", name)
			}
			*kind.numbers = append(*kind.numbers, int64(m.imported+i))
		}
	}
	return u, nil
}

// remove removes the calls of checks and prints from a function of the runtime. A check
// becomes a trap without its arguments; a print disappears:
//
//	local.get 1; i32.const 8; i32.sub; local.tee 1; global.set 0
//	local.get 1; i64.const …; i64.store; i32.const 0; call; global.get 0; local.set 1; br_if
func (u unneeded) remove(name string, list []instruction) []instruction {
	if !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "internal_runtime_") {
		return list
	}
	speaks := slices.ContainsFunc(speakers, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	const before = 9
	var out []instruction
	for at := 0; at < len(list); at++ {
		in := list[at]
		check, print := slices.Contains(u.checks, in.value), !speaks && slices.Contains(u.prints, in.value)
		if in.op != opCall || !check && !print || len(out) < before || !matches(list[at+1:], opGlobalGet, opSet, opBrIf) ||
			!matches(out[len(out)-before:], opGet, opI32Const, opI32Sub, opTee, opGlobalSet, opGet, opI64Const, opStore+1, opI32Const) {
			out = append(out, in)
			continue
		}
		out = out[:len(out)-before]
		at += 3
		if print {
			continue
		}
		for len(out) > 0 {
			if _, _, straight := arity(out[len(out)-1]); !straight {
				break
			}
			out = out[:len(out)-1]
		}
		out = append(out, plain(opUnreachable))
	}
	return out
}
