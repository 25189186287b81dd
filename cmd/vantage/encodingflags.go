package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/model/named"
)

// encodingFlagsOf says how a transformer encodes.
func encodingFlagsOf(cmd *cobra.Command, s *named.Settings) {
	f := cmd.Flags()
	f.StringVar(&s.Pooling, "pooling", "", "`METHOD` by which a transformer's token vectors become one: "+strings.Join(poolingNames, ", ")+" (default as the model says)")
	f.Var(positive{&s.MaxLength}, "max-length", "`TOKENS` of a text that a transformer reads, at most what the model takes (default as the model says)")
	f.Var(positive{&s.Threads}, "threads", "`NUMBER` of threads that encode (default as many as there are processors); the result does not depend on it")
	deviceFlagsOf(cmd, &s.Device)
	int8Flag(cmd, &s.Int8)
	completeFlag(cmd, "pooling", poolingNames)
}

// promptFlag gives prompts of queries and documents in place of those of a transformer's folder.
func promptFlag(cmd *cobra.Command, value *[]string, usage string) {
	cmd.Flags().StringArrayVar(value, "prompt", nil, usage)
	must(cmd.RegisterFlagCompletionFunc("prompt", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"query=", "document="}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}))
}

// poolingNames are the values of --pooling.
var poolingNames = []string{"cls", "mean", "max", "last", "weighted", "rootmean", "pooler"}

// int8Flag asks for weights of 8 bits.
func int8Flag(cmd *cobra.Command, value *bool) {
	cmd.Flags().BoolVar(value, "int8", false, "round a transformer's weights to 8 bits: a quarter of the memory, up to three times as fast, for vectors that are a little off")
}

// deviceFlagsOf says where a transformer is computed.
func deviceFlagsOf(cmd *cobra.Command, d *named.Device) {
	f := cmd.Flags()
	f.Var(d, "device", "where transformers are computed: cpu, in this process; process, the same in a process of its own that is started again if it dies; cuda or cuda:NUMBER, the first GPU or another, counted from 0 (needs a build with -tags cuda)")
	f.BoolVar(&d.BF16, "bf16", false, "compute in bfloat16 on a GPU: faster, for vectors that are a little off")
	completeFlag(cmd, "device", []string{named.CPU + "\tin this process", named.Process + "\ton the processor, in a process of its own", named.CUDA + "\ton the first GPU", named.CUDA + ":1\ton the second GPU"})
}
