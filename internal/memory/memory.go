// Package memory limits the garbage of a process.
package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// maxGarbage is about the greatest amount of garbage, in bytes, in a process with a model. It is
// more if one percent of the heap is.
const maxGarbage = 64 << 20

// BoundGarbage limits the garbage of a process with a model. By default, the collector
// lets garbage grow to the size of the live heap, which includes the weights. Weights
// have no pointers, so collecting more often costs little. Call it before a model is
// opened, and call the function that it returns afterwards. It does nothing if GOGC is
// set.
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

// Limit sets the collector's memory limit to the current size of the process plus the given
// number of bytes, or to GOMEMLIMIT if that is less.
func Limit(more int64) {
	debug.FreeOSMemory()
	list := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(list)
	limit := int64(list[0].Value.Uint64()-list[1].Value.Uint64()) + more
	debug.SetMemoryLimit(min(limit, debug.SetMemoryLimit(-1)))
}
