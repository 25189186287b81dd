package vantage_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

const module = "github.com/vantage-search/vantage"

// Each public package promises not to link certain others: programs get an engine, an
// encoder or a server only if they import its package.
func TestDependencies(t *testing.T) {
	models := []string{"/internal/model", "github.com/gomlx"}
	packs := []string{"/internal/wasm/transformer", "/internal/wasm/kernel/dense", "/internal/wasm/packed", "/internal/search/packrun", "/packs"}
	servers := []string{"/internal/server", "go.opentelemetry.io", "github.com/prometheus", "github.com/gorilla/websocket"}
	page := []string{"/static", "/static/lib"}
	wazero := []string{"github.com/tetratelabs/wazero", "/headless", "/internal/wasm/host"}
	command := []string{"/internal/evaluation", "/internal/recipes", "/cmd", "github.com/spf13", "github.com/evanw/esbuild"}
	parsers := []string{"/internal/collection/corpus", "github.com/yuin/goldmark", "go.yaml.in", "gopkg.in/yaml.v3", "github.com/pelletier/go-toml", "golang.org/x/net/html"}
	for path, banned := range map[string][][]string{
		"":             {models, packs, servers, page, wazero, command, parsers, {"/english", "/sides"}},
		"/headless":    {models, packs, servers, command, parsers, {"/english", "/sides", "/static/internal"}},
		"/english":     {packs, servers, page, wazero, command, parsers, models[1:], {"/sides", "/internal/model/hub", "/internal/model/tokenizer"}},
		"/packs":       {models, servers, page, wazero, command, parsers, {"/english", "/sides"}},
		"/sides":       {models, servers, page, wazero, command, parsers, {"/english"}},
		"/client":      {models, packs, page, wazero, command, parsers, {"/english", "/sides", "/internal/server/servertest", "go.opentelemetry.io", "github.com/prometheus"}},
		"/corpus":      {models, packs, servers, page, wazero, command, {"/english", "/sides"}},
		"/perspective": {models, packs, servers, page, wazero, command, parsers, {"/internal/search", "net/http", "encoding/json"}},
		"/metrics":     {models, packs, servers, page, wazero, command, parsers, {"/internal/search", "net/http"}},
		"/trec":        {models, packs, servers, page, wazero, command, parsers, {"/internal/search", "net/http"}},
	} {
		links := tools.Dependencies(t, strings.TrimPrefix(path, "/"))
		if slices.Contains(links, module+"/static") {
			t.Errorf("%s embeds the page", module+path)
		}
		for _, list := range banned {
			for _, b := range list {
				if strings.HasPrefix(b, "/") {
					b = module + b
				}
				for _, link := range links {
					if link == b || strings.HasPrefix(link, b+"/") {
						t.Errorf("%s links %s", module+path, link)
					}
				}
			}
		}
	}
}

// public are the packages that programs may import.
var public = []string{"", "/client", "/corpus", "/english", "/headless", "/metrics", "/packs", "/perspective", "/sides", "/trec"}

// Every package is public, internal, a command or a test, so that programs import nothing
// by accident.
func TestPublicPackages(t *testing.T) {
	importable := map[string]bool{}
	for _, p := range tools.GoList(t, nil, "./...") {
		path := strings.TrimPrefix(p.ImportPath, module)
		if p.Name == "main" || len(p.GoFiles) == 0 || strings.Contains(path+"/", "/internal/") {
			continue
		}
		importable[path] = true
	}
	// These packages have to lie beside the files that they embed. They are for the
	// command and for package headless, as their comments say.
	delete(importable, "/static")
	delete(importable, "/static/lib")
	delete(importable, "/examples/debates")
	// It lies beside the sources that it builds the browser extension from.
	delete(importable, "/static/extension")
	if got := slices.Sorted(maps.Keys(importable)); !slices.Equal(got, public) {
		t.Errorf("the importable packages are %q, want %q", got, public)
	}
}
