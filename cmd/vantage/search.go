package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/answers"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/inputs/batch"
	"github.com/vantage-search/vantage/internal/inputs/contexts"
	"github.com/vantage-search/vantage/internal/inputs/queries"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/joint"
	"github.com/vantage-search/vantage/perspective"
)

// searching is a call of `vantage search`.
type searching struct {
	where        string // folder or address
	query, root  string
	worded       bool // the query is given as an argument
	perspectives []string
	method       string
	lambda, mmr  float64
	strength     float64
	filters      []string
	k            int

	contexts      []string
	contextFile   string
	contextLambda float64

	engine, model string
	device        named.Device
	hybrid        string
	beforeHybrid  int // arguments before --hybrid
	wordsWeight   float64
	asJSON        bool

	queries, run, tag string

	base vantage.Query // what all queries of the call share
}

func newSearch() *cobra.Command {
	s := &searching{}
	cmd := &cobra.Command{
		Use:   "search DIR|URL [WORD...]",
		Short: "Rank the documents of a collection by point of view",
		Long: `Ranks the documents of a collection (or of a site that holds one) for one query,
or for the queries of a file. The query is the words after DIR, or --query. A host
at URL that sends nothing for 30 seconds is an error.

A query such as "Find a claim that opposes the argument: X" says by itself what
it is about (its root: X) and which side it asks for (its perspective: a claim
that opposes the argument). For other queries, give --root and --perspective; with
a root alone, a --method that uses a perspective takes what the query has beyond the
root. Without --method and --lambda, a query with a root alone is ranked like one
without a perspective.

Without --method, the kind of perspective decides (auto): for and against, a leaning,
a time, a subtopic, a place, an analogy, what the root itself supports or opposes, a
sort of evidence, an audience, free words, or none. Collections made with --terms fuse
some kinds with words. The lines before the answer say what was chosen.

Methods (their aliases work, too):
` + methodTable() + `

The methods contrast and aspect need a collection whose encoder tells sides apart
(vantage index --encoder). contrast takes the side asked for from the wording of
the query or of --perspective, which must support or oppose something.

Filters: field=value, field=a|b, field=2000..2010 (both included; a bound left out
is open), field>=2000, field<=2010. Ranges need a field of numbers. All given filters
must hold.

Contexts: --context says something about you, such as "I am self-employed", and may be
repeated; --context-file has one on each line and keeps them out of the shell's history.
The query alone finds the hits, and the contexts reorder them (PCAS). Each hit names the
context that moved it. Contexts are sent to no server.

Words: --hybrid fuses the ranking with that of BM25 over the words of the whole
query, and --method bm25 ranks by those alone, in collections made with vantage
index --terms. If such a collection carries no encoder, a query that is only a text
is answered by its words, with a notice.

Batches: --queries reads JSON lines with "_id", "text" (or "query"), and if
needed "root" and "perspective" (or a list, "perspectives"); "query_vector",
"root_vector" and "perspective_vectors" stand in for texts. --run writes the
ranking in TREC format: query id, Q0, document id, rank, score, tag. Programs
that evaluate such files sort them by score, and equal scores by document id.
Equal scores are therefore written with the smallest difference. With --mmr the
order is not that of the scores, and the score written is k - rank + 1.`,
		Example: `  vantage search debates --query "Find a claim that opposes the argument: A four-day working week should become the norm"
  vantage search debates four-day working week --root "working week" --method pap --lambda 0.8 --mmr 0.75
  vantage search debates --query "school uniforms" --filter "stance=oppose" --context "I have three children" --hybrid -k 3 --json
  vantage search debates --queries examples/debates/queries.jsonl --run debates.trec -k 100`,
		Args: func(cmd *cobra.Command, args []string) error {
			if n := s.beforeHybrid; s.hybrid == search.ReciprocalRank && cmd.Flags().Changed("hybrid") && n < len(args) && slices.Contains(search.Fusions(), args[n]) {
				return usagef("--hybrid %s: write --hybrid=%s, or if %q is a word of the query, give that as --query TEXT", args[n], args[n], args[n])
			}
			if len(args) == 0 || args[0] == "" {
				return usagef("DIR or URL is missing")
			}
			s.where = args[0]
			if len(args) > 1 && cmd.Flags().Changed("query") {
				return usagef("the query is given twice, after %s and as --query: leave one out", s.where)
			}
			if len(args) > 1 {
				s.query = strings.Join(args[1:], " ")
				s.worded = true
			}
			return s.check(cmd)
		},
		ValidArgsFunction: folderArgument,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if s.base.Contexts, err = contexts.Read(cmd.Context(), s.contexts, s.contextFile); err != nil {
				return err
			}
			if s.queries != "" {
				return s.batch(cmd.Context())
			}
			return s.single(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&s.query, "query", "", "`TEXT` to search for, in place of the words after DIR")
	f.StringVar(&s.root, "root", "", "`TEXT` that says what the query is about")
	f.StringArrayVar(&s.perspectives, "perspective", nil, "`TEXT` that names the side to see it from; may be given several times")
	methodFlag(cmd, &s.method)
	scoreFlag(cmd, &s.base.Score, "as the collection says")
	f.Float64Var(&s.lambda, "lambda", search.DefaultLambda, "strength of the projection: 0 is the plain cosine, 1 the paper's; goes with pap and pap+, and without --method asks for pap+")
	f.Float64Var(&s.strength, "strength", 0, "strength of the angles in the methods contrast and aspect: 0 leaves them out, a negative one asks for the opposite (default what the encoder recommends)")
	f.Float64Var(&s.mmr, "mmr", 0, "diversify the answer, with this weight of relevance against novelty, from 0 (novelty alone) to 1 (default off)")
	f.StringArrayVar(&s.contexts, "context", nil, "private `TEXT` about you; may be given several times")
	f.StringVar(&s.contextFile, "context-file", "", "`FILE` of private texts about you, one on each line")
	f.Float64Var(&s.contextLambda, "context-lambda", joint.DefaultLambda, fmt.Sprintf("weight of the query beside the contexts, between 0 and 1; the default for a collection of token vectors is %g", joint.DefaultLambdaMaxSim))
	f.IntVar(&s.base.Rescore, "rescore", 0, "encode the best `NUMBER` documents again, and rank them by these vectors in place of the rounded ones; for collections of token vectors")
	f.StringArrayVar(&s.filters, "filter", nil, "`CONDITION` on a field, such as stance=oppose; may be given several times")
	f.IntVarP(&s.k, "k", "k", search.DefaultK, "`NUMBER` of documents wanted")
	choiceFlag(cmd, &s.engine, "engine", "what ranks: this program or the browser's WebAssembly core; the answers are the same", open.Native, open.Headless)
	modelFlag(cmd, &s.model, "", "encoder of the queries: static (built in), the `DIR` of a model, or its name on the hub (default the one that the collection carries)")
	deviceFlagsOf(cmd, &s.device)
	s.hybrid = search.ReciprocalRank
	f.Var(placed{&choice{&s.hybrid, search.Fusions()}, func() { s.beforeHybrid = f.NArg() }}, "hybrid", "fuse with the ranking by the query's words: by reciprocal ranks, or by the sum of scores that are first normalised by the named rule; needs vantage index --terms")
	completeFlag(cmd, "hybrid", search.Fusions())
	f.Lookup("hybrid").NoOptDefVal = search.ReciprocalRank
	f.Lookup("hybrid").DefValue = ""
	f.Float64Var(&s.wordsWeight, "words-weight", search.DefaultWeight, "weight of the words in --hybrid, from 0 to 1; the vectors have the rest")
	f.BoolVar(&s.asJSON, "json", false, "print the answer as JSON")
	f.StringVar(&s.queries, "queries", "", "`FILE` of queries, as JSON lines; - is stdin")
	f.StringVar(&s.run, "run", "", "`FILE` to write the ranking of --queries to; - is stdout")
	f.StringVar(&s.tag, "tag", "vantage", "`NAME` of the run, the last column of --run")
	must(cmd.MarkFlagFilename("queries", "jsonl"))
	return cmd
}

// maxK bounds the documents wanted: indexes and ranks have 32 bits.
const maxK = math.MaxInt32

// check refuses calls that make no sense, and fills in base.
func (s *searching) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("queries") && s.worded:
		return usagef("--queries holds the queries: leave %q out", s.query)
	case changed("queries") && (changed("query") || changed("root") || changed("perspective")):
		return usagef("--queries holds the queries: leave --query, --root and --perspective out")
	case changed("queries") && s.asJSON:
		return usagef("--json prints one answer: the rankings of --queries go to --run")
	case changed("queries") != changed("run"):
		return usagef("--queries FILE and --run OUT belong together")
	case changed("queries") && (s.queries == "" || s.run == ""):
		return usagef("--queries and --run need names of files")
	case changed("tag") && !changed("queries"):
		return usagef("--tag names a run: it goes with --queries and --run")
	case !changed("queries") && strings.TrimSpace(s.query) == "":
		return usagef("the query is missing: write it after %s, or give --query TEXT, or --queries FILE and --run OUT", s.where)
	case changed("root") && strings.TrimSpace(s.root) == "":
		return usagef("--root is empty: give a text or leave it out")
	case s.k < 1 || s.k > maxK:
		return usagef("-k is %d, must be from 1 to %d", s.k, maxK)
	case !(math.Abs(s.lambda) <= perspective.MaxLambda):
		return fault.As(fault.Query, &perspective.LambdaError{Lambda: s.lambda})
	case !(math.Abs(s.strength) <= perspective.MaxStrength):
		return fault.As(fault.Query, &perspective.StrengthError{Strength: s.strength})
	case changed("lambda") && s.method != "" && !usesLambda(s.method):
		return usagef("--lambda goes with a method that projects: --method pap or --method pap+")
	case changed("strength") && !search.HasAngles(s.method):
		return usagef("--strength goes with a method that has angles: --method contrast or --method aspect")
	case changed("mmr") && !(s.mmr >= 0 && s.mmr <= 1):
		return usagef("--mmr is %s, must be from 0 (novelty alone) to 1 (relevance alone)", strconv.FormatFloat(s.mmr, 'g', -1, 64))
	case changed("hybrid") && changed("mmr"):
		return usagef("--hybrid and --mmr exclude each other: a fused ranking cannot be diversified")
	case s.method == vantage.MethodWords && (changed("hybrid") || changed("mmr") || changed("root") || changed("perspective")):
		return usagef("--method bm25 ranks by the words of the query alone: leave --root, --perspective, --mmr and --hybrid out")
	case changed("words-weight") && !changed("hybrid"):
		return usagef("--words-weight goes with --hybrid")
	case !(s.wordsWeight >= 0 && s.wordsWeight <= 1):
		return usagef("--words-weight is %s, must be from 0 (vectors alone) to 1 (words alone)", strconv.FormatFloat(s.wordsWeight, 'g', -1, 64))
	case len(s.perspectives) > perspective.MaxPerspectives:
		return fault.As(fault.Query, &perspective.TooManyError{Got: len(s.perspectives)})
	}
	if why := inputs.BadWord(s.tag); why != "" {
		return usagef("--tag %q %s: a run file has columns between spaces", s.tag, why)
	}
	s.base = vantage.Query{Method: s.method, Score: s.base.Score, K: s.k, Rescore: s.base.Rescore}
	if changed("lambda") || s.method != "" {
		s.base.Lambda = &s.lambda
	}
	if changed("strength") {
		s.base.Strength = &s.strength
	}
	if changed("mmr") {
		s.base.MMR = &s.mmr
	}
	if changed("hybrid") {
		s.base.Hybrid = &vantage.Hybrid{Fusion: s.hybrid, Weight: &s.wordsWeight}
	}
	if changed("context-lambda") {
		s.base.ContextLambda = &s.contextLambda
	}
	for _, text := range s.filters {
		f, err := vantage.ParseFilter(text)
		if err != nil {
			return fault.As(fault.Query, err)
		}
		s.base.Filters = append(s.base.Filters, f)
	}
	if s.queries != "" {
		return nil
	}
	s.base.CosineRank = true // the table shows it, and --json promises it
	s.base.Query.Text = s.query
	if s.root != "" {
		s.base.Root = &vantage.Text{Text: s.root}
	}
	for _, text := range s.perspectives {
		if text == "" {
			return usagef("a --perspective is empty: give a text or leave it out")
		}
		s.base.Perspectives = append(s.base.Perspectives, vantage.Text{Text: text})
	}
	if err := queries.CheckNeeds(s.base); err != nil {
		return usagef("%w (--root TEXT, --perspective TEXT)", err)
	}
	return nil
}

// usesLambda reports whether a method, by name or alias, has the strength λ.
func usesLambda(method string) bool {
	m, err := search.LookupMethod(method)
	return err == nil && m.Lambda
}

// single answers one query.
func (s *searching) single(ctx context.Context) error {
	show := told().Progress()
	defer show.Stop()
	show.Least = progress.LineInterval
	c, err := open.Searcher(ctx, s.where, s.opening(1, show))
	if err != nil {
		return err
	}
	defer c.Close()
	show.End()
	r, err := c.Search(ctx, s.base)
	if err != nil {
		return err
	}
	if r.Notice != "" {
		told().Warnf("%s", r.Notice)
	}
	if problem := c.Warning(ctx, r); problem != "" {
		told().Warnf("%s", problem)
	}
	return printAnswer(s.asJSON, r, answers.Search{Result: r})
}

// batch answers the queries of a file and writes a run file.
func (s *searching) batch(ctx context.Context) error {
	asked, err := queries.Read(ctx, s.queries, s.base)
	if err != nil {
		return err
	}
	show := told().Progress()
	defer show.Stop()
	b := batch.Batch{Queries: asked, File: s.queries, Contexts: s.contextFile, Tag: s.tag, Output: s.run}
	c, err := open.Searcher(ctx, s.where, s.opening(b.Parallel(), show))
	if err != nil {
		return err
	}
	defer c.Close()
	b.Place, b.Dim, b.Tokens = c.Place(), c.About.Dim, c.About.TokenBits > 0
	r, err := b.Answer(ctx, c, show)
	if err != nil {
		return err
	}
	show.End()
	if r.Problems > 0 {
		more := ""
		if r.Problems > 1 {
			more = fmt.Sprintf(" (and so with %d more queries)", r.Problems-1)
		}
		told().Warnf("%s%s", r.Problem, more)
	}
	name := s.run
	if name == "-" {
		name = "stdout"
	}
	how := ""
	switch m, _ := search.LookupMethod(s.method); {
	case b.Tokens && s.base.Lambda == nil || slices.Equal(r.Methods, []string{vantage.MethodWords}):
	case s.base.Lambda == nil:
		how = ", chosen by the kinds of perspective"
	case m.Angles > 0:
		how = ", with angles"
	case m.Lambda:
		how = ", λ " + human.Shortest(float32(s.lambda))
	}
	fmt.Fprintf(stderr, "%s: %s of %s, method %s%s\n", name, human.Count(r.Lines, "line"), human.Count(len(asked), "query"), strings.Join(r.Methods, " and "), how)
	return nil
}

// opening says how the collection is opened. Up to parallel queries will be asked at
// a time.
func (s *searching) opening(parallel int, show *progress.Bar) open.Options {
	return open.Options{Engine: s.engine, Parallel: parallel, Model: s.model, Device: s.device, Progress: show.Update, Console: told()}
}
