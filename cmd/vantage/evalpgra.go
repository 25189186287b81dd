package main

import (
	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/pgra"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
)

func newEvalPGRA() *cobra.Command {
	e := pgra.Experiment{Retrievers: []string{named.Builtin}}
	var files report.Files
	cmd := &cobra.Command{
		Use:   "pgra DATA",
		Short: "Evaluate evidence for classification, reranked by a prompted language model",
		Long: `Finds evidence for texts that are to be classified ("Prompt-Guided Retrieval
Augmentation", Guo et al. 2023): a retriever finds k candidates in the training split,
a language model (OPT) reads them after demonstrations of the task, and its last hidden
state reranks them. Prints the paper's Tables 2, 5, 6, 10 and 12 with its figures beside
ours: k-NN vote, in-context learning, label consistency. Without --reranker, stage 2
and in-context learning do not run, and Tables 5 and 6 are left out. Trained readers are
n/a; --fid writes their input.

DATA is a folder with the data sets' files, such as stsa.binary.train.txt ("label text")
and cola_in_domain_train.tsv. A run that was stopped keeps what it has encoded.

A retriever is bm25, static (the built-in encoder), sides (the bundled pack), or a MODEL
or pack by its folder or its name on the hub. The reranker can be any of these except bm25.

` + modelOptions,
		Example: `  vantage eval pgra nki/
  vantage eval pgra nki/ --retriever sides --reranker facebook/opt-350m --task SST-2 --rows 200
  vantage eval pgra nki/ --reranker ./opt --templates mine --fid reader --json -`,
		Args: oneArgument("DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := files.Check(args[0], e.Templates); err != nil {
				return err
			}
			e.Encoding.Console, e.Encoding.Keep = told(), retrieve.KeptFolder()
			found, err := e.Evaluate(cmd.Context(), args[0])
			return write(&files, found, err)
		},
	}
	retrieverFlags(cmd, &e.Retrievers, &e.Encoding, "", "`NAME` of a retriever of stage 1: bm25, static, sides, or MODEL; may be repeated", retrieve.BM25Name, named.Builtin, retrieve.BundledName)
	f := cmd.Flags()
	f.StringVar(&e.Reranker, "reranker", "", "`MODEL` of stage 2: an OPT, or any encoder, which reads the template without demonstrations")
	f.StringArrayVar(&e.Tasks, "task", nil, "`NAME` of a task; may be repeated (default all)")
	f.StringVar(&e.Templates, "templates", "", "`DIR` of templates to edit; if it is missing, it is made with the paper's templates")
	f.IntVar(&e.K, "k", pgra.DefaultK, "`N` candidates of stage 1")
	f.IntVar(&e.D, "d", pgra.DefaultD, "`N` texts of evidence")
	f.IntVar(&e.Shots, "shots", pgra.DefaultShots, "`N` demonstrations before every text")
	f.IntVar(&e.Rows, "rows", 0, "test at most `N` texts of a task, drawn by --seed (default all)")
	f.Uint64Var(&e.Seed, "seed", 1, "`NUMBER` that seeds the random draws")
	f.StringVar(&e.FiD, "fid", "", "write the evidence as a reader's input, in FiD's JSON lines, to a folder `DIR`")
	completeFlag(cmd, "task", pgra.Names())
	reportFlags(cmd, &files)
	return cmd
}
