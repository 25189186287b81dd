package build

import (
	"fmt"
	"slices"
	"strings"
)

// checks are what Go's compiler calls where a pointer is nil or an index out of
// range. The runtime's own functions meet neither unless memory is corrupt: there
// a trap in place of the call says so, which loses the instance like the fatal
// error that Go has for it. Elsewhere they become errors (call in wasm/core).
const checks = `runtime.sigpanic runtime.goPanicIndex runtime.goPanicIndexU
	runtime.goPanicSliceAlen runtime.goPanicSliceAlenU runtime.goPanicSliceAcap runtime.goPanicSliceAcapU runtime.goPanicSliceB runtime.goPanicSliceBU`

// checked returns the numbers of the checks that the module has.
func checked(m *module) (numbers []int64, err error) {
	for name := range strings.FieldsSeq(checks) {
		i, ok := m.named[name]
		if !ok {
			return nil, fmt.Errorf("tighten: no function is called %s: read wasm/core/build/checks.go again with this toolchain's runtime at hand", name)
		}
		numbers = append(numbers, int64(m.imported+i))
	}
	return numbers, nil
}

// ofRuntime tells whether a function is the runtime's.
func ofRuntime(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal_runtime_")
}

// withoutChecks lets the calls of checks trap, with what computes their arguments:
//
//	local.get 1; i32.const 8; i32.sub; local.tee 1; global.set 0
//	local.get 1; i64.const …; i64.store; i32.const 0; call; global.get 0; local.set 1; br_if
func withoutChecks(list []instruction, checks []int64) []instruction {
	const before = 9
	out := list[:0]
	for at := 0; at < len(list); at++ {
		in := list[at]
		if in.op != opCall || !slices.Contains(checks, in.value) || at < before || !matches(list[at+1:], opGlobalGet, opSet, opBrIf) ||
			!matches(list[at-before:at], opGet, opI32Const, opI32Sub, opTee, opGlobalSet, opGet, opI64Const, opStore+1, opI32Const) {
			out = append(out, in)
			continue
		}
		for len(out) > 0 {
			if _, _, straight := arity(out[len(out)-1]); !straight {
				break
			}
			out = out[:len(out)-1]
		}
		out = append(out, instruction{op: opUnreachable, bytes: []byte{opUnreachable}})
		at += 3
	}
	return out
}
