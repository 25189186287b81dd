package named

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/child"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Kinds of devices.
const (
	CPU     = "cpu"     // in this process
	Process = "process" // on the processor, in a child process
	CUDA    = "cuda"    // on a GPU, in a child process
)

// Device says which device computes a transformer. The zero value is the processor, in
// this process. Device is the value of a flag: cpu, process, cuda or cuda:NUMBER.
type Device struct {
	BF16 bool // compute in bfloat16 on a GPU
	Warm bool // compile for texts of all lengths before the first text

	kind string
	gpu  int
}

// Type describes the values of the flag.
func (d *Device) Type() string { return CPU + "|" + Process + "|" + CUDA + "[:NUMBER]" }

func (d *Device) String() string {
	if d == nil || d.kind == "" {
		return CPU
	}
	if d.kind == CUDA && d.gpu > 0 {
		return fmt.Sprintf("%s:%d", CUDA, d.gpu)
	}
	return d.kind
}

// Set parses a value.
func (d *Device) Set(s string) error {
	kind, number, numbered := strings.Cut(s, ":")
	gpu := 0
	if numbered {
		var err error
		if gpu, err = strconv.Atoi(number); err != nil || gpu < 0 || gpu > 1023 || kind != CUDA {
			return fmt.Errorf("%q is none of cpu, process, cuda and cuda:NUMBER (0 to 1023)", s)
		}
	}
	if kind != CPU && kind != Process && kind != CUDA {
		return fmt.Errorf("%q is none of cpu, process, cuda and cuda:NUMBER", s)
	}
	d.kind, d.gpu = kind, gpu
	return nil
}

// Here reports whether this process computes transformers.
func (d *Device) Here() bool { return d.kind == "" || d.kind == CPU }

// Given reports whether a setting is given that only transformers have.
func (d *Device) Given() bool { return !d.Here() || d.BF16 }

// AsIndexed is the device for queries of a collection. On a GPU, queries are computed in
// bfloat16 if the collection's documents were.
func (d Device) AsIndexed(m *manifest.Model) Device {
	d.BF16 = d.BF16 || m.BF16 && d.kind == CUDA
	return d
}

// Check refuses settings that contradict each other or that this build does not
// support.
func (d *Device) Check() error {
	if d.BF16 && d.kind != CUDA {
		return fault.Errorf(fault.Query, "--bf16 is for a GPU: give --device cuda, too")
	}
	if d.kind == CUDA && !cudaBuilt {
		return fault.Errorf(fault.Query, "--device %s: this program was built without it: build it with go build -tags cuda ./cmd/vantage (Linux, and a C compiler)", d)
	}
	return nil
}

// engineConfig says what a child process should open.
type engineConfig struct {
	Dir, ID, Revision  string
	Pooling            model.Pooling
	MaxLength, Threads int
	Int8               bool
	Normalize          *bool
	Prompts            map[string]string
	CUDA, BF16, Warm   bool
	GPU                int
}

// open opens a transformer in a child process.
func (d *Device) open(ctx context.Context, dir string, o model.Options, c *console.Console) (model.Encoder, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return child.Start(ctx, child.Options{
		Command: []string{program, EngineCommand},
		Config: engineConfig{Dir: dir, ID: o.ID, Revision: o.Revision, Pooling: o.Pooling, MaxLength: o.MaxLength, Threads: o.Threads, Int8: o.Int8,
			Normalize: o.Normalize, Prompts: o.Prompts, CUDA: d.kind == CUDA, BF16: d.BF16, Warm: d.Warm, GPU: d.gpu},
		Log: func(line string) { c.Notef("engine: %s", line) },
	})
}
