package main

import (
	"encoding/binary"
	"fmt"
	"os"
)

// latencyFile is where Linux is told how many microseconds a processor may take to
// wake, for as long as the file is open (Documentation/power/pm_qos_interface.rst).
const latencyFile = "/dev/cpu_dma_latency"

// keepAwake keeps processors from sleeping until the file is closed, or says why they
// do. One that sleeps takes long to wake, on a virtual machine up to milliseconds: a
// text that is served waits for that several times, and one that is encoded in place
// does not, as neither would on a server that has work.
func keepAwake() (*os.File, string) {
	f, err := os.OpenFile(latencyFile, os.O_WRONLY, 0)
	if err == nil {
		if err = binary.Write(f, binary.NativeEndian, int32(0)); err == nil {
			return f, ""
		}
		f.Close()
	}
	return nil, fmt.Sprintf("processors may sleep, and each that wakes adds to a latency: %v", err)
}
