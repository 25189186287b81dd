package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/child"
)

// Where transformers are computed.
const (
	onCPU     = "cpu"     // in this process
	onProcess = "process" // on the processor, in a process of its own
	onCUDA    = "cuda"    // on a GPU, in a process of its own
)

// deviceFlags say where a transformer is computed.
type deviceFlags struct {
	kind string
	gpu  int
	bf16 bool
	warm bool // a GPU is made ready for texts of all lengths before the first
}

func deviceFlagsOf(cmd *cobra.Command, d *deviceFlags) {
	f := cmd.Flags()
	f.Var(deviceName{d}, "device", "where transformers are computed: cpu, in this process; process, the same in a process of its own that is started again if it dies; cuda or cuda:NUMBER, the first GPU or another, counted from 0 (needs a build with -tags cuda)")
	f.BoolVar(&d.bf16, "bf16", false, "compute in bfloat16 on a GPU: faster, for vectors that are a little off")
	completeFlag(cmd, "device", []string{onCPU + "\tin this process", onProcess + "\ton the processor, in a process of its own", onCUDA + "\ton the first GPU", onCUDA + ":1\ton the second GPU"})
}

// deviceName is the flag's value.
type deviceName struct{ *deviceFlags }

func (d deviceName) Type() string { return onCPU + "|" + onProcess + "|" + onCUDA + "[:NUMBER]" }

func (d deviceName) String() string {
	if d.deviceFlags == nil || d.kind == "" {
		return onCPU
	}
	if d.kind == onCUDA && d.gpu > 0 {
		return fmt.Sprintf("%s:%d", onCUDA, d.gpu)
	}
	return d.kind
}

func (d deviceName) Set(s string) error {
	kind, number, numbered := strings.Cut(s, ":")
	gpu := 0
	if numbered {
		var err error
		if gpu, err = strconv.Atoi(number); err != nil || gpu < 0 || gpu > 1023 || kind != onCUDA {
			return fmt.Errorf("%q is none of cpu, process, cuda and cuda:NUMBER (0 to 1023)", s)
		}
	}
	if kind != onCPU && kind != onProcess && kind != onCUDA {
		return fmt.Errorf("%q is none of cpu, process, cuda and cuda:NUMBER", s)
	}
	d.kind, d.gpu = kind, gpu
	return nil
}

// here reports whether transformers are computed in this process.
func (d *deviceFlags) here() bool { return d.kind == "" || d.kind == onCPU }

// asIndexed are the flags for queries of a collection: on a GPU they are computed
// as its documents were.
func (d deviceFlags) asIndexed(m *manifest.Model) deviceFlags {
	d.bf16 = d.bf16 || m.BF16 && d.kind == onCUDA
	return d
}

// check refuses what cannot be meant, or this build cannot do.
func (d *deviceFlags) check() error {
	if d.bf16 && d.kind != onCUDA {
		return usagef("--bf16 is for a GPU: give --device cuda, too")
	}
	if d.kind == onCUDA && !cudaBuilt {
		return usagef("--device %s: this program was built without it: build it with go build -tags cuda ./cmd/vantage (Linux, and a C compiler)", deviceName{d})
	}
	return nil
}

// engineConfig is what a process of its own is asked to open.
type engineConfig struct {
	Dir, ID, Revision  string
	Pooling            model.Pooling
	MaxLength, Threads int
	Int8               bool
	Normalize          *bool
	CUDA, BF16, Warm   bool
	GPU                int
}

// open opens a transformer in a process of its own.
func (d *deviceFlags) open(ctx context.Context, dir string, o model.Options) (model.Encoder, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return child.Start(ctx, child.Options{
		Command: []string{program, engineName},
		Config: engineConfig{Dir: dir, ID: o.ID, Revision: o.Revision, Pooling: o.Pooling, MaxLength: o.MaxLength, Threads: o.Threads, Int8: o.Int8,
			Normalize: o.Normalize, CUDA: d.kind == onCUDA, BF16: d.bf16, Warm: d.warm, GPU: d.gpu},
		Log: func(line string) { fmt.Fprintf(stderr, "vantage: engine: %s\n", escape(line)) },
	})
}
