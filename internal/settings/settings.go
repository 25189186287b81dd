// Package settings sets flags that were not given on the command line from the
// environment and from a YAML file.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// environmentPrefix precedes a flag's name in the environment.
const environmentPrefix = "VANTAGE_"

// Variable is the name of a flag's environment variable.
func Variable(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Settle sets the flags that were not given, from the environment or otherwise from a
// YAML file whose keys are the flags' names. An empty variable counts as not set.
func Settle(flags *pflag.FlagSet, file string) error {
	values, err := readSettings(flags, file)
	if err != nil {
		return err
	}
	var faults []error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed || f.Name == "help" {
			return
		}
		from := Variable(f.Name)
		var list []string
		if value := os.Getenv(from); repeats(f) {
			list = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		} else if value != "" {
			list = []string{value}
		}
		if len(list) == 0 {
			from, list = file, values[f.Name]
		}
		for _, value := range list {
			if err := flags.Set(f.Name, value); err != nil {
				faults = append(faults, fault.Errorf(fault.Query, "%s: %s %q: %v", from, f.Name, value, err))
			}
		}
	})
	return errors.Join(faults...)
}

// repeats reports whether a flag may be given several times.
func repeats(f *pflag.Flag) bool { return f.Value.Type() == "stringArray" }

// maxSettings is the greatest length of a settings file in bytes.
const maxSettings = 1 << 20

// readSettings reads the file. Only flags that may be repeated may have lists.
func readSettings(flags *pflag.FlagSet, file string) (map[string][]string, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w", file, fault.Unnamed(err))
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w", file, fault.Unnamed(err))
	}
	if len(content) > maxSettings {
		return nil, fault.Errorf(fault.Input, "%s has more than %d bytes: is it the file of settings?", file, maxSettings)
	}
	var nodes map[string]yaml.Node
	var another yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	err = decoder.Decode(&nodes)
	if err == nil { // otherwise settings of a second document, such as keys, would be lost
		if err = decoder.Decode(&another); err == nil {
			return nil, fault.Errorf(fault.Input, "%s: line %d: a second document: a file has one", file, another.Line)
		}
	}
	if !errors.Is(err, io.EOF) {
		why := err.Error()
		if e, ok := errors.AsType[*yaml.LoadError](err); ok {
			why = fmt.Sprintf("line %d: %s", e.Mark.Line, e.Message)
		}
		return nil, fault.Errorf(fault.Input, "%s is not YAML of the form \"flag: value\": %s", file, why)
	}
	values := map[string][]string{}
	for name, node := range nodes {
		flag := flags.Lookup(name)
		if flag == nil || slices.Contains([]string{"help", "config"}, name) {
			return nil, fault.Errorf(fault.Input, "%s: line %d: there is no setting %q: settings are named as the flags are", file, node.Line, name)
		}
		switch {
		case node.Kind == yaml.ScalarNode:
			values[name] = []string{node.Value}
		case node.Kind == yaml.SequenceNode && !repeats(flag):
			return nil, fault.Errorf(fault.Input, "%s: line %d: %s takes one value", file, node.Line, name)
		case node.Kind == yaml.SequenceNode:
			for _, item := range node.Content {
				if item.Kind != yaml.ScalarNode {
					return nil, fault.Errorf(fault.Input, "%s: line %d: %s takes a value or a list of values", file, item.Line, name)
				}
				values[name] = append(values[name], item.Value)
			}
		default:
			return nil, fault.Errorf(fault.Input, "%s: line %d: %s takes a value or a list of values", file, node.Line, name)
		}
	}
	return values, nil
}
