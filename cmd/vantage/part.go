package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/part"
)

// partOptions are the conditions on the documents of an evaluation.
type partOptions struct{ only, without []string }

func partFlags(cmd *cobra.Command, o *partOptions) {
	f := cmd.Flags()
	f.StringArrayVar(&o.only, "only", nil, "`CONDITION` on the documents' metadata, such as kind=point; other documents and their judgements are left out; may be repeated")
	f.StringArrayVar(&o.without, "without", nil, "`CONDITION` on the metadata of documents to leave out with their judgements; may be repeated")
}

func (o *partOptions) parse() (part.Part, error) { return part.Parse(o.only, o.without) }
