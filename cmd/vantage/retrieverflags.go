package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/model/named"
)

// retrieverFlags name the retrievers of an evaluation and say how their models
// encode.
type retrieverFlags struct {
	retrievers []string
	pooling    string
	queryModel string
	device     named.Device
	int8       bool
}

// register adds the flags; names are retrievers beside the folders of models. Those
// that are in r already are the default.
func (r *retrieverFlags) register(cmd *cobra.Command, short, usage string, names ...string) {
	f := cmd.Flags()
	f.StringArrayVarP(&r.retrievers, "retriever", short, r.retrievers, usage)
	f.StringVar(&r.pooling, "pooling", "", "how the token vectors of transformers become one: "+strings.Join(poolingNames, ", ")+" (default as each model says)")
	f.StringVar(&r.queryModel, "query-model", "", "encoder of the queries where the model of --retriever encodes only documents, as with DPR's two: the `DIR` of a model, or its name on the hub")
	deviceFlagsOf(cmd, &r.device)
	int8Flag(cmd, &r.int8)
	completeFlag(cmd, "pooling", poolingNames)
	must(cmd.RegisterFlagCompletionFunc("retriever", func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return completeRetriever(names, begun)
	}))
}

// modelOptions tells in a help text how several models are told apart.
const modelOptions = `--pooling, --int8 and --device hold for all transformers, and --query-model for the
one model that there is. Among several, a model brings its own behind commas:
--retriever MODEL,pooling=WAY,query-model=MODEL.`

// completeRetriever completes a retriever's name or, behind a comma, an option.
func completeRetriever(names []string, begun string) ([]string, cobra.ShellCompDirective) {
	at := strings.LastIndexByte(begun, ',')
	if at < 0 {
		return names, cobra.ShellCompDirectiveDefault // of folders, too
	}
	var options []string
	for _, way := range poolingNames {
		options = append(options, begun[:at+1]+poolingOption+"="+way)
	}
	return append(options, begun[:at+1]+queryModelOption+"="), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
