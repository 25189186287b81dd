package wasmfile

import "fmt"

// Bare returns the module without the table and the global that the linker
// puts into every module, one for indirect calls and one for the stack pointer.
// The kernel uses neither; were that not so, the result would not validate.
// A module with static data, or one that runs code on its own, is refused, and
// so are sections that nobody expects.
func Bare(module []byte) ([]byte, error) {
	sections, err := Sections(module)
	if err != nil {
		return nil, err
	}
	var bare []byte
	for _, s := range sections {
		switch s.ID {
		case Type, Import, Func, Export, Code:
			bare = s.Append(bare)
		case Table, Global:
		default:
			return nil, fmt.Errorf("the linked module has a section %d %q, which a kernel without memory of its own cannot have", s.ID, s.Name)
		}
	}
	return bare, nil
}
