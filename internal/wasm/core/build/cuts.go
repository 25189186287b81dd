package build

// A cut names functions of Go's runtime and standard library that the core does not
// need, with the reason. A name that no function has is an error, because then the
// toolchain has changed and the list must be reviewed.
type cut struct {
	why   string
	names string // the linker's names, separated by spaces
}

// never lists functions that cannot be reached, because nothing sets the variable that
// enables their callers, or because their callers need threads. They are replaced by a
// trap, which a host reports as a lost instance.
var never = []cut{
	{"the execution tracer: no one starts it, runtime/trace is not linked", `
		runtime.traceAcquireEnabled runtime.traceAdvance runtime.traceReader runtime.traceReaderAvailable runtime.traceThreadDestroy
		runtime.traceReadCPU runtime.traceCPUFlush runtime.traceBufFlush runtime.traceStack
		runtime.traceLocker.eventWriter runtime.traceLocker.emitUnblockStatus runtime.traceLocker.startPC
		runtime.traceLocker.GCActive runtime.traceLocker.GCDone runtime.traceLocker.GCMarkAssistDone runtime.traceLocker.GCMarkAssistStart
		runtime.traceLocker.GCStart runtime.traceLocker.GCSweepDone runtime.traceLocker.GCSweepSpan runtime.traceLocker.GCSweepStart
		runtime.traceLocker.GoCreate runtime.traceLocker.GoEnd runtime.traceLocker.GoPark runtime.traceLocker.GoStart runtime.traceLocker.GoStop
		runtime.traceLocker.GoSysCall runtime.traceLocker.GoSysExit runtime.traceLocker.GoUnpark runtime.traceLocker.Gomaxprocs
		runtime.traceLocker.GoroutineStackAlloc runtime.traceLocker.GoroutineStackFree runtime.traceLocker.HeapAlloc runtime.traceLocker.HeapGoal
		runtime.traceLocker.HeapObjectAlloc runtime.traceLocker.HeapObjectFree runtime.traceLocker.ProcStart runtime.traceLocker.ProcSteal
		runtime.traceLocker.ProcStop runtime.traceLocker.STWDone runtime.traceLocker.STWStart runtime.traceLocker.SpanAlloc runtime.traceLocker.SpanFree`},
	{"profiles: their rates are 0", `
		runtime.mProf_Free runtime.blockevent runtime.saveblockevent
		runtime.doRecordGoroutineProfile runtime.tryRecordGoroutineProfile runtime.tryRecordGoroutineProfileWB`},
	{"settings of GODEBUG: hosts pass no environment", `
		runtime.schedtrace runtime.checkFinalizersAndCleanups runtime.dumpScanStats runtime.printScavTrace runtime.startCheckmarks
		runtime.endCheckmarks runtime.setCheckmark runtime.runCheckmark`},
	{"threads: a browser's module has one, and no system calls that block it", `
		runtime.stopm runtime.startm runtime.newm runtime.handoffp runtime.startlockedm runtime.stoplockedm runtime.mexit
		runtime.oneNewExtraM runtime.newextram runtime.allocm runtime.reentersyscall runtime.exitsyscall`},
	{"cgo", `runtime.cgocall runtime.asmcgocall runtime.cgoContextPCs runtime.callCgoSymbolizer`},
	{"bubbles of testing/synctest", `
		runtime.__synctestBubble_.changegstatus runtime.__synctestBubble_.decActive runtime.__synctestBubble_.incActive
		runtime.__synctestBubble_.maybeWakeLocked runtime.getOrSetBubbleSpecial`},
	{"the profile of leaked goroutines: no one asks for it", `runtime.findGoroutineLeaks`},
	{"types of plugins", `runtime.typesEqual`},
}

// quiet lists functions without results whose effects nobody needs. They are made to return
// immediately. To explain a crash, the runtime's message, the exit code and the
// host's own stack are enough; `go run ./internal/wasm/core/ledger NUMBER…` names
// the functions of that stack.
var quiet = []cut{
	{"the memory profile: its rate is set to 0 soon after the start; until then an allocation may be sampled", `runtime.mProf_Malloc`},
	{"stack traces", `
		runtime.traceback1 runtime.goroutineheader runtime.tracebacksomeothers runtime.tracebackHexdump
		runtime.dumpgstatus runtime.gcDumpObject runtime.printanycustomtype`},
}
