package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func flags(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	f := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.Int("queue-tokens", 1, "")
	f.StringArray("origin", nil, "")
	f.String("log", "text", "")
	f.String("config", "", "")
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return f
}

// The command line overrides the environment, and the environment overrides the file.
func TestSettle(t *testing.T) {
	file := write(t, "queue-tokens: 3\norigin: [https://a.example, https://b.example]\nlog: off\n")
	t.Setenv("VANTAGE_QUEUE_TOKENS", "4")
	for args, want := range map[string]string{"": "4", "--queue-tokens=5": "5"} {
		f := flags(t, strings.Fields(args)...)
		if err := Settle(f, file); err != nil {
			t.Fatal(err)
		}
		origins, _ := f.GetStringArray("origin")
		if got := f.Lookup("queue-tokens").Value.String(); got != want || len(origins) != 2 || f.Lookup("log").Value.String() != "off" {
			t.Errorf("%q: %s, %v", args, got, origins)
		}
	}
	t.Setenv("VANTAGE_ORIGIN", "https://c.example") // overrides the file's
	f := flags(t)
	if err := Settle(f, file); err != nil {
		t.Fatal(err)
	}
	if origins, _ := f.GetStringArray("origin"); len(origins) != 1 || origins[0] != "https://c.example" {
		t.Errorf("%v", origins)
	}
}

// An empty variable, as from a line of a unit or a container without a value, counts as not set, and so does an empty
// part of a list.
func TestEmptyVariables(t *testing.T) {
	file := write(t, "queue-tokens: 3\n")
	for variable, want := range map[string]string{"": "[]", ",": "[]", "https://a.example,": "[https://a.example]"} {
		t.Setenv("VANTAGE_ORIGIN", variable)
		t.Setenv("VANTAGE_QUEUE_TOKENS", "")
		t.Setenv("VANTAGE_LOG", "")
		f := flags(t)
		if err := Settle(f, file); err != nil {
			t.Fatalf("%q: %v", variable, err)
		}
		if got := f.Lookup("origin").Value.String(); got != want || f.Lookup("log").Value.String() != "text" || f.Lookup("queue-tokens").Value.String() != "3" {
			t.Errorf("%q: %s", variable, got)
		}
	}
}

// Errors name the file. If a setting is unknown or has a value of another form, they also name the line.
func TestFaults(t *testing.T) {
	for content, want := range map[string]struct {
		kind fault.Kind
		part string
	}{
		"speed: 3":                  {fault.Input, `line 1: there is no setting "speed"`},
		"config: x":                 {fault.Input, `"config"`},
		"\nlog: [a, b]":             {fault.Input, "line 2: log takes one value"},
		"origin: [a, [b]]":          {fault.Input, "line 1"},
		"origin: {a: b}":            {fault.Input, "line 1"},
		"[":                         {fault.Input, "is not YAML"},
		"log: json\n---\nlog: text": {fault.Input, "line 2: a second document"},
		"log: json\n---\n[":         {fault.Input, "is not YAML"},
		"queue-tokens: many":        {fault.Query, `queue-tokens "many"`},
		strings.Repeat("#", 2<<20):  {fault.Input, "more than 1048576 bytes"},
	} {
		file := write(t, content)
		if err := Settle(flags(t), file); !errors.Is(err, want.kind) || !strings.Contains(err.Error(), want.part) || !strings.Contains(err.Error(), file) {
			t.Errorf("%.40q: %v", content, err)
		}
	}
	if err := Settle(flags(t), filepath.Join(t.TempDir(), "none")); !errors.Is(err, fault.Input) {
		t.Errorf("no file: %v", err)
	}
	if err := Settle(flags(t), write(t, "")); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}
