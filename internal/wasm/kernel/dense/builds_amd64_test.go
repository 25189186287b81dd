package dense

import "golang.org/x/sys/cpu"

type build struct {
	name  string
	l     level
	bytes level
}

// use makes a build run, and returns what undoes that.
func (b build) use() func() {
	before := running
	use(b.l)
	bytes = b.bytes
	return func() { use(before) }
}

func builds() []build {
	all := []build{{"plain", plain, plain}}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, build{"AVX2", withAVX2, withAVX2})
	}
	if cpu.X86.HasAVX512F {
		all = append(all, build{"AVX512", withAVX512, withAVX2})
		if cpu.X86.HasAVX512VNNI {
			all = append(all, build{"AVX512VNNI", withAVX512, withAVX512})
		}
	}
	return all
}
