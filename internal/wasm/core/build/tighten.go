package build

import (
	"encoding/binary"
	"fmt"
)

// Variables that Go's compiler gives every function: its parameter, which says where to
// continue, and a copy of the global stack pointer.
const (
	place        = 0
	stackPointer = 1
)

// tighten makes the compiler's code shorter, or more alike (plainExits). Every function does
// the same, except for what remove takes from the runtime's own. Program counters
// stay, because the runtime's tables contain them.
func tighten(m *module) error {
	unneeded, err := findUnneeded(m)
	if err != nil {
		return err
	}
	for i := range m.functions {
		f := &m.functions[i]
		locals, list, err := decode(f.body)
		if err != nil {
			return fmt.Errorf("tighten: %w in %s", err, f.name)
		}
		list = shortAddresses(unneeded.remove(f.name, withoutNops(list)))
		list = plainExits(directJumps(list))
		f.body = encode(locals, list)
	}
	return nil
}

// withoutNops drops instructions without an effect.
func withoutNops(list []instruction) []instruction {
	kept := list[:0]
	for _, in := range list {
		if in.op != opNop {
			kept = append(kept, in)
		}
	}
	return kept
}

// matches reports whether a list begins with the given instructions.
func matches(list []instruction, ops ...byte) bool {
	if len(list) < len(ops) {
		return false
	}
	for i, op := range ops {
		if list[i].op != op {
			return false
		}
	}
	return true
}

func constant32(v int32) instruction {
	return instruction{opI32Const, int64(v), appendSigned([]byte{opI32Const}, int64(v))}
}

// access is a load or store with another offset.
func access(in instruction, offset int64) instruction {
	r := reader{in.bytes, 1}
	r.uint()
	return instruction{in.op, offset, binary.AppendUvarint(in.bytes[:r.at:r.at], uint64(offset))}
}

func indexed(op byte, index int) instruction {
	return instruction{op, int64(index), binary.AppendUvarint([]byte{op}, uint64(index))}
}
