// Package memory keeps what a process takes near what it needs.
package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// maxGarbage beside a model, in bytes.
const maxGarbage = 64 << 20

// BoundGarbage keeps the memory of a process with a model near what the model
// takes: left alone, the collector lets garbage grow until it is as large as what
// is in use, and that would be the weights once more. Weights hold no pointers,
// so that collecting more often costs little. It is called before a model is
// opened, and what it returns afterwards; who sets GOGC decides for himself.
func BoundGarbage() (opened func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	debug.SetGCPercent(20)
	return func() {
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		debug.SetGCPercent(max(1, min(100, int(100*maxGarbage/m.HeapAlloc))))
	}
}

// Limit has the collector keep this process below what it takes now and so many
// bytes more, or below GOMEMLIMIT if that is less.
func Limit(more int64) {
	debug.FreeOSMemory()
	list := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(list)
	limit := int64(list[0].Value.Uint64()-list[1].Value.Uint64()) + more
	debug.SetMemoryLimit(min(limit, debug.SetMemoryLimit(-1)))
}
