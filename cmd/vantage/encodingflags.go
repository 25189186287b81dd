package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/model"
)

// encodingFlags say how a transformer encodes.
type encodingFlags struct {
	pooling            string
	maxLength, threads int
	device             deviceFlags
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
	return e.pooling != "" || e.maxLength != 0 || e.int8 || !e.device.here() || e.device.bf16
}

// options are what the flags ask of a model.
func (e *encodingFlags) options() (o model.Options, err error) {
	if e.pooling != "" {
		if o.Pooling, err = model.ParsePooling(e.pooling); err != nil {
			return o, &usageError{err}
		}
	}
	o.MaxLength, o.Threads, o.Int8 = e.maxLength, e.threads, e.int8
	return o, nil
}
