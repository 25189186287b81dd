package vantage_test

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/vantage-search/vantage"

// goList runs go list and returns its lines. What it lists is looked at, so that go
// test runs again if a folder there changes.
func goList(t *testing.T, arguments ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, arguments...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// linked are the packages that a package links, itself included.
func linked(t *testing.T, path string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, line := range goList(t, "-deps", "-f", "{{.ImportPath}} {{.Dir}}", path) {
		name, dir, _ := strings.Cut(line, " ")
		found[name] = true
		if strings.HasPrefix(name, module) {
			if _, err := os.ReadDir(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !found[path] {
		t.Fatalf("go list -deps of %s does not name it", path)
	}
	return found
}

// What a program links with a package is part of its promise: engines, encoders and
// servers are there for those who import them.
func TestDependencies(t *testing.T) {
	models := []string{"/internal/model", "/internal/wasm/transformer", "/internal/wasm/kernel/dense", "github.com/gomlx"}
	servers := []string{"/internal/server", "go.opentelemetry.io", "github.com/prometheus", "github.com/gorilla/websocket"}
	page := []string{"/static"}
	wazero := []string{"github.com/tetratelabs/wazero", "/headless", "/internal/wasm/host"}
	command := []string{"/internal/evaluation", "/internal/recipes", "/cmd", "github.com/spf13", "github.com/evanw/esbuild"}
	for path, banned := range map[string][][]string{
		"":             {models, servers, page, wazero, command, {"/english"}},
		"/headless":    {models, servers, command, {"/english", "net/http/httptest"}},
		"/english":     {servers, page, wazero, command, models[1:], {"/internal/model/hub", "/internal/model/tokenizer"}},
		"/client":      {models, page, wazero, command, {"/english", "/internal/server/servertest", "go.opentelemetry.io", "github.com/prometheus"}},
		"/perspective": {models, servers, page, wazero, command, {"/internal/search", "net/http", "encoding/json"}},
		"/metrics":     {models, servers, page, wazero, command, {"/internal/search", "net/http"}},
		"/trec":        {models, servers, page, wazero, command, {"/internal/search", "net/http"}},
	} {
		links := linked(t, module+path)
		for _, list := range banned {
			for _, b := range list {
				if strings.HasPrefix(b, "/") {
					b = module + b
				}
				for link := range links {
					if link == b || strings.HasPrefix(link, b+"/") {
						t.Errorf("%s links %s", module+path, link)
					}
				}
			}
		}
	}
}

// public are the packages that programs may import.
var public = []string{"", "/client", "/english", "/headless", "/metrics", "/perspective", "/trec"}

// Nothing else can be imported by accident: what is not promised is internal, a
// command, or a test.
func TestPublicPackages(t *testing.T) {
	importable := map[string]bool{}
	for _, line := range goList(t, "-f", "{{.ImportPath}} {{.Name}} {{len .GoFiles}}", "./...") {
		fields := strings.Fields(line)
		path, name, files := strings.TrimPrefix(fields[0], module), fields[1], fields[2]
		if name == "main" || files == "0" || strings.Contains(path+"/", "/internal/") {
			continue
		}
		importable[path] = true
	}
	// Package static embeds the files around it, so it has to lie there; what it is
	// for the command alone, and its comment says so.
	delete(importable, "/static")
	if got := slices.Sorted(maps.Keys(importable)); !slices.Equal(got, public) {
		t.Errorf("importable are %q, want %q", got, public)
	}
}
