package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

// choice is a flag with a fixed set of values, which completion offers.
type choice struct {
	value  *string
	values []string
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return strings.Join(c.values, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.values, s) {
		return fmt.Errorf("choose one of %s", strings.Join(c.values, ", "))
	}
	*c.value = s
	return nil
}

func choiceFlag(cmd *cobra.Command, value *string, name, usage string, values ...string) {
	*value = values[0]
	cmd.Flags().Var(&choice{value, values}, name, usage)
	completeFlag(cmd, name, values)
}

// placed calls a function when the flag is set. A flag whose value may be left out takes it only after "=": what
// follows a space is an argument, and the function can note how many came before.
type placed struct {
	*choice
	set func()
}

func (p placed) Set(s string) error {
	p.set()
	return p.choice.Set(s)
}

// scoreFlag says how vectors are compared.
func scoreFlag(cmd *cobra.Command, value *perspective.Score, standard string) {
	cmd.Flags().Var(&choice{(*string)(value), perspective.Scores()}, "score", "how vectors are compared: by their cosine, or by their dot product, in which lengths count (default "+standard+")")
	completeFlag(cmd, "score", perspective.Scores())
}

// positive is a flag for a number of at least 1. The value 0 means that the flag is not
// given.
type positive struct{ value *int }

func (p positive) String() string {
	if p.value == nil || *p.value == 0 {
		return ""
	}
	return strconv.Itoa(*p.value)
}

func (p positive) Type() string { return "int" }

func (p positive) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return fmt.Errorf("it must be a whole number from 1 to %d; leave it out for the default", math.MaxInt32)
	}
	*p.value = n
	return nil
}

// tokenBits is a flag for the width of token vectors.
type tokenBits struct{ value *int }

func (b tokenBits) String() string { return positive(b).String() }
func (b tokenBits) Type() string   { return "bits" }

func (b tokenBits) Set(s string) error {
	if n, err := strconv.Atoi(s); err == nil && tokens.CheckBits(n) == nil {
		*b.value = n
		return nil
	}
	return errors.New("it must be 8, 4 or 2")
}

// methodName is a flag that names a scoring method.
type methodName struct{ value *string }

func (m methodName) String() string { return *m.value }
func (m methodName) Type() string   { return "name" }

func (m methodName) Set(s string) error {
	if strings.EqualFold(s, vantage.MethodAuto) {
		*m.value = ""
		return nil
	}
	found, err := search.LookupMethod(s)
	if err != nil {
		return err
	}
	*m.value = s
	if found.Name == vantage.MethodWords {
		*m.value = found.Name // however it was spelt
	}
	return nil
}

func methodFlag(cmd *cobra.Command, value *string) {
	cmd.Flags().Var(methodName{value}, "method", "how to score (default auto, the method that measurement chose for the kind of perspective; with --lambda, pap+)")
	values := []string{vantage.MethodAuto + "\twhat measurement chose for the kind of perspective"}
	for _, m := range vantage.Methods() {
		values = append(values, m.Short()+"\t"+m.Summary)
	}
	completeFlag(cmd, "method", values)
}

// completeMethods completes --methods, which takes methods by vectors.
func completeMethods(cmd *cobra.Command) {
	values := []string{"all\tevery method"}
	for _, m := range perspective.Methods() {
		if m.Angles > 0 {
			continue // most retrievers have no angles
		}
		values = append(values, m.Short()+"\t"+m.Summary)
	}
	completeFlag(cmd, "methods", values)
}

// measureNames are some of the measures, which have too many names and parameters for a list of all.
var measureNames = []string{"nDCG@10", "map", "P.5,10", "R@100", "RR@10", "Success@5", "recip_rank", "all_trec", "official"}

// methodTable lists the methods for a help text.
func methodTable() string {
	var lines []string
	for _, m := range vantage.Methods() {
		lines = append(lines, fmt.Sprintf("  %-13s %s", m.Short(), m.Summary))
	}
	return strings.Join(lines, "\n")
}

func completeFlag(cmd *cobra.Command, name string, values []string) {
	must(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// folderArgument completes folders.
func folderArgument(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// modelFlag takes the name of a model: static, a folder, a name on the hub, or what usage lists.
func modelFlag(cmd *cobra.Command, value *string, standard, usage string) {
	cmd.Flags().StringVar(value, "model", standard, usage)
	must(cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"static\tthe built-in model, English only"}, cobra.ShellCompDirectiveDefault
	}))
}

// outputFlag takes a folder to write to; it is required.
func outputFlag(cmd *cobra.Command, value *string, usage string) {
	cmd.Flags().StringVarP(value, "output", "o", "", usage)
	must(cmd.MarkFlagDirname("output"))
}

// must is for mistakes in the definition of a command, which no input can
// cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
