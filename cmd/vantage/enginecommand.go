package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/model/named"
)

func newEngine() *cobra.Command {
	return &cobra.Command{
		Use:    named.EngineCommand,
		Short:  "Encode for another vantage process",
		Long:   `Encodes for the vantage process that started it, over stdin and stdout, in frames that are not a public interface.`,
		Hidden: true,
		Args:   noArguments,
		RunE: func(*cobra.Command, []string) error {
			// Ctrl-C and the end of the terminal reach all processes of it, and systemd's SIGTERM all of the unit; this one
			// ends when its parent does, which may still have accepted requests to finish.
			signal.Ignore(os.Interrupt, syscall.SIGHUP, syscall.SIGTERM)
			return named.Engine()
		},
	}
}
