package main

import (
	"encoding/binary"
	"fmt"
	"os"
)

// latencyFile limits how many microseconds a processor may take to wake, while the
// file is open (Linux, Documentation/power/pm_qos_interface.rst).
const latencyFile = "/dev/cpu_dma_latency"

// keepAwake keeps processors from sleeping until the file is closed, or returns why
// it cannot. On a virtual machine a processor may take milliseconds to wake. A served
// text would wait for that several times, and a text for the bare encoder would not;
// on a busy server, neither would.
func keepAwake() (*os.File, string) {
	f, err := os.OpenFile(latencyFile, os.O_WRONLY, 0)
	if err == nil {
		if err = binary.Write(f, binary.NativeEndian, int32(0)); err == nil {
			return f, ""
		}
		f.Close()
	}
	return nil, fmt.Sprintf("processors may sleep, and waking them adds to latencies: %v", err)
}
