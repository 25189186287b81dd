package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/lastresort"
	"github.com/vantage-search/vantage/internal/serve"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// version is the release that this source belongs to.
const version = "0.1.0"

// generator names the program in what it writes.
const generator = "vantage " + version

// run executes the command line and returns the exit code.
func run(args []string) int {
	// The first signal ends the context, and with it all work, cleanly. The second one has its default effect and kills
	// the process. A terminal that is closed does not count as two: its shell and the system both say so.
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	last := lastresort.New(func() {
		printError(stderr, "", errInterrupted)
		os.Exit(exitFailed)
	})
	defer last.Watch(ctx)()
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP)
		stop()
	})

	root := newRoot()
	root.SetArgs(args)
	var out checkedOutput
	root.SetOut(&out)
	understood := false
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		understood = true
		if cmd.Name() == serveName {
			last.Wait(serve.Closing)
		}
	}
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		err = out.err
	case !understood && fault.Of(err) == "": // an error before a command runs is about the call
		err = fault.As(fault.Query, err)
	case interrupted(ctx, err):
		err = errInterrupted
	}
	printError(stderr, cmd.CommandPath(), err)
	return exitCode(err)
}

func newRoot() *cobra.Command {
	asksVersion := false
	root := &cobra.Command{
		Use:   "vantage",
		Short: "Search by point of view",
		Long: `Vantage ranks documents by what a query is about (its root) and by the side it
asks for (its perspective): in a browser from static files, and here.

Exit codes: 0 done, 1 failed, 2 wrong usage or a query without an answer, 3 bad
input. Ctrl-C, SIGTERM and the end of the terminal end every command, within ten
seconds (serve: thirty); a second Ctrl-C or SIGTERM ends it at once.`,
		Example: `  vantage index examples/debates/corpus.jsonl -o site --site
  vantage search site --query "Find a claim that opposes the argument: A four-day working week should become the norm"
  vantage serve site`,
		Args: cobra.ArbitraryArgs, // otherwise cobra would refuse unknown commands with its own message
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return usagef("unknown command %q%s", args[0], nearest(cmd, args[0]))
			case asksVersion:
				return printText(func(w io.Writer) error {
					_, err := fmt.Fprintln(w, currentVersions().line())
					return err
				})
			}
			return cmd.Help()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newIndex(), newEmbed(), newTokenize(), newFit(), newSearch(), newSides(), newOtherSide(), newServe(), newEval(), newInspect(), newPull(), newModel(), newBench(), newVersion(), newEngine())
	root.Flags().BoolVarP(&asksVersion, "version", "v", false, "print the version")
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Run, help.RunE = nil, showHelp
	}
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Args = cobra.ArbitraryArgs
		completion.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usagef("no completion for %q: choose bash, zsh, fish or powershell", args[0])
		}
	}
	return root
}

// showHelp prints the help of the command that the arguments name.
func showHelp(help *cobra.Command, args []string) error {
	cmd, rest, err := help.Root().Find(args)
	switch {
	case err != nil:
		return fault.As(fault.Query, err)
	case len(rest) > 0 && !cmd.HasSubCommands():
		return usagef("%s has no command %q: see '%s --help'", cmd.CommandPath(), rest[0], cmd.CommandPath())
	case len(rest) > 0:
		return usagef("there is no help on %q%s", rest[0], nearest(cmd, rest[0]))
	}
	cmd.InitDefaultHelpFlag() // so that it prints the same as --help
	return cmd.Help()
}

// nearest suggests commands for an unknown name.
func nearest(cmd *cobra.Command, name string) string {
	cmd.SuggestionsMinimumDistance = 2
	var quoted []string
	for _, near := range cmd.SuggestionsFor(name) {
		quoted = append(quoted, strconv.Quote(near))
	}
	if len(quoted) == 0 {
		return fmt.Sprintf(": '%s --help' lists what there is", cmd.CommandPath())
	}
	return ", did you mean " + strings.Join(quoted, " or ") + "?"
}

// oneArgument requires exactly one argument, such as DIR.
func oneArgument(name string, keep ...*string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 || args[0] == "":
			return usagef("%s is missing", name)
		case len(args) > 1:
			return usagef("one %s is expected, not %d: put quotes around a name with spaces, and flags' values directly after their flags", name, len(args))
		}
		for _, to := range keep {
			*to = args[0]
		}
		return nil
	}
}

// inputArgument takes a FILE, which may be left out and may instead be given as --input.
func inputArgument(cmd *cobra.Command, args []string, input *string) error {
	switch {
	case len(args) > 1:
		return oneArgument("FILE")(cmd, args)
	case len(args) == 1 && *input != "":
		return usagef("two inputs, %s and %s: give one", args[0], *input)
	case len(args) == 1:
		*input = args[0]
	}
	return nil
}

// noArguments wants none.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%q is not expected here", args[0])
	}
	return nil
}
