package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// encodingFlags say how a transformer encodes.
type encodingFlags struct {
	pooling            string
	maxLength, threads int
	device             named.Device
	int8               bool
}

func encodingFlagsOf(cmd *cobra.Command, e *encodingFlags) {
	f := cmd.Flags()
	f.StringVar(&e.pooling, "pooling", "", "`METHOD` by which a transformer's token vectors become one: "+strings.Join(poolingNames, ", ")+" (default as the model says)")
	f.Var(positive{&e.maxLength}, "max-length", "`TOKENS` of a text that a transformer reads, at most what the model takes (default as the model says)")
	f.Var(positive{&e.threads}, "threads", "`NUMBER` of threads that encode (default as many as there are processors); the result does not depend on it")
	deviceFlagsOf(cmd, &e.device)
	int8Flag(cmd, &e.int8)
	completeFlag(cmd, "pooling", poolingNames)
}

// poolingNames are the values of --pooling.
var poolingNames = []string{"cls", "mean", "max", "last", "weighted", "rootmean", "pooler"}

// int8Flag asks for weights of 8 bits.
func int8Flag(cmd *cobra.Command, value *bool) {
	cmd.Flags().BoolVar(value, "int8", false, "round a transformer's weights to 8 bits: a quarter of the memory, up to three times as fast, for vectors that are a little off")
}

// settings reports whether flags are given that static models do not have.
func (e *encodingFlags) settings() bool {
	return e.pooling != "" || e.maxLength != 0 || e.int8 || !e.device.Here() || e.device.BF16
}

// options are what the flags ask of a model.
func (e *encodingFlags) options() (o model.Options, err error) {
	if e.pooling != "" {
		if o.Pooling, err = model.ParsePooling(e.pooling); err != nil {
			return o, fault.As(fault.Query, err)
		}
	}
	o.MaxLength, o.Threads, o.Int8 = e.maxLength, e.threads, e.int8
	return o, nil
}

// deviceFlagsOf says where a transformer is computed.
func deviceFlagsOf(cmd *cobra.Command, d *named.Device) {
	f := cmd.Flags()
	f.Var(d, "device", "where transformers are computed: cpu, in this process; process, the same in a process of its own that is started again if it dies; cuda or cuda:NUMBER, the first GPU or another, counted from 0 (needs a build with -tags cuda)")
	f.BoolVar(&d.BF16, "bf16", false, "compute in bfloat16 on a GPU: faster, for vectors that are a little off")
	completeFlag(cmd, "device", []string{named.CPU + "\tin this process", named.Process + "\ton the processor, in a process of its own", named.CUDA + "\ton the first GPU", named.CUDA + ":1\ton the second GPU"})
}
