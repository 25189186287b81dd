package dense

import "golang.org/x/sys/cpu"

type build struct {
	name string
	l    level
}

// use makes a build run, and returns what undoes that.
func (b build) use() func() {
	before := running
	use(b.l)
	return func() { use(before) }
}

func builds() []build {
	all := []build{{"plain", plain}}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, build{"AVX2", withAVX2})
	}
	if cpu.X86.HasAVX512F {
		all = append(all, build{"AVX512", withAVX512})
	}
	return all
}
