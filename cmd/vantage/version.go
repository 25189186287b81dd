package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/wasm/abi"
)

// versions is what `vantage version --json` prints.
type versions struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"` // of the source, if the build knows it
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Format   int    `json:"format"` // of collections: the highest that is read
	ABI      int    `json:"abi"`    // of the browser's core
	Model    struct {
		ID       string `json:"id"`
		Revision string `json:"revision"`
		Language string `json:"language"`
	} `json:"model"` // the built-in one
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program, its formats and its built-in model",
		Example: `  vantage version
  vantage version --json`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			v := currentVersions()
			if asJSON {
				return printJSON(v)
			}
			return printText(func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "vantage %s%s\ncollections of format %d, core ABI %d\nmodel %s@%s (%s)\n%s %s\n",
					v.Version, map[bool]string{true: " (" + v.Commit + ")"}[v.Commit != ""], v.Format, v.ABI,
					v.Model.ID, v.Model.Revision, v.Model.Language, v.Go, v.Platform)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// line is what --version prints.
func (v *versions) line() string {
	built := v.Go
	if v.Commit != "" {
		built = v.Commit + ", " + built
	}
	return fmt.Sprintf("vantage %s (%s)", v.Version, built)
}

func currentVersions() *versions {
	v := &versions{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Format: manifest.Version, ABI: abi.Version}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				v.Commit = setting.Value
			}
		}
	}
	model := builtin.Builtin()
	v.Model.ID, v.Model.Revision, v.Model.Language = model.ID, model.Revision, model.Language
	return v
}
