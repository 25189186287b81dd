// Package bundle builds the scripts and styles that browsers load from their sources:
// the library from static/src into the npm package static/lib, and those of the page
// from static/demo into static/site.
package bundle

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/evanw/esbuild/pkg/api"
)

// banner begins every file that is built.
const banner = "/*! Vantage: search by point of view | https://github.com/vantage-search/vantage | Apache-2.0 */"

// Build builds from the sources under dir, which is the folder static or a folder with
// copies of its src and demo. The files are by their paths in static. The same sources
// give the same bytes on every machine.
func Build(dir string) (map[string][]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, options := range []api.BuildOptions{engine(), additions(), page(), alone(), styles()} {
		built, err := run(dir, options)
		if err != nil {
			return nil, err
		}
		maps.Copy(files, built)
	}
	return files, nil
}

// engine is the library and its worker. They share one file, which holds most of both.
func engine() api.BuildOptions {
	options := scripts("lib", map[string]string{"index": "src/index.js", "worker": "src/worker.js"})
	options.Splitting = true
	options.ChunkNames = "engine-[hash]"
	return options
}

// additions are the modules of the library that a page may have beside it.
func additions() api.BuildOptions {
	options := scripts("lib", map[string]string{
		"server":         "src/server.js",
		"thread":         "src/worker/thread.js",
		"transformers":   "src/transformers.js",
		"vantage-search": "src/vantage-search.js",
	})
	// There is one class of each error, which index.js exports.
	options.Plugins = []api.Plugin{
		external(`/errors\.js$`, "./index.js"),
		external(`/index\.js$`, "./index.js"),
		external(`/worker\.js$`, "./worker.js"),
	}
	options.External = []string{"node:*"} // in the script of a thread of Node.js
	return options
}

// page is the scripts of both pages. They load the library from lib beside them, as
// its worker does, so that a browser has it once.
func page() api.BuildOptions {
	options := scripts("site", map[string]string{"demo": "demo/demo.js", "eval": "demo/eval.js"})
	options.Plugins = []api.Plugin{
		external(`/(lib/index|errors)\.js$`, "./lib/index.js"),
		external(`/lib/server\.js$`, "./lib/server.js"),
	}
	return options
}

// alone are scripts that import nothing: what runs before the page's modules, the
// service worker, and the worker that reads files of documents.
func alone() api.BuildOptions {
	options := scripts("site", map[string]string{
		"corpus/worker": "demo/parts/corpus/worker.js",
		"early":         "demo/early.js",
		"sw":            "demo/sw.js",
	})
	options.Format = api.FormatIIFE
	return options
}

func styles() api.BuildOptions {
	return scripts("site", map[string]string{"demo": "demo/demo.css", "eval": "demo/eval.css"})
}

// scripts bundles each entry, with all it needs, into a file in the folder out.
func scripts(out string, entries map[string]string) api.BuildOptions {
	options := api.BuildOptions{
		Outdir: out,
		Bundle: true,
		Format: api.FormatESModule,

		// The oldest browsers that static/lib/README.md promises.
		Engines: []api.Engine{
			{Name: api.EngineChrome, Version: "91"},
			{Name: api.EngineFirefox, Version: "113"},
			{Name: api.EngineSafari, Version: "16.4"},
		},
		// Names stay, so that the stack in somebody's report can be read.
		MinifyWhitespace: true,
		MinifySyntax:     true,
		LineLimit:        200, // its lines, too, and what git shows
		Charset:          api.CharsetUTF8,
		LegalComments:    api.LegalCommentsNone,
		TsconfigRaw:      "{}", // no file above the sources has a say
		Banner:           map[string]string{"js": banner, "css": banner},
		LogLevel:         api.LogLevelSilent, // what is wrong comes back as an error
	}
	for _, name := range slices.Sorted(maps.Keys(entries)) { // the order counts
		options.EntryPointsAdvanced = append(options.EntryPointsAdvanced, api.EntryPoint{InputPath: entries[name], OutputPath: name})
	}
	return options
}

// external leaves imports of what the filter matches to the browser, which finds it at
// an address relative to the file that is built.
func external(filter, address string) api.Plugin {
	return api.Plugin{Name: "external", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: filter}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if args.Kind == api.ResolveEntryPoint {
				return api.OnResolveResult{}, nil
			}
			return api.OnResolveResult{Path: address, External: true}, nil
		})
	}}
}

func run(dir string, options api.BuildOptions) (map[string][]byte, error) {
	options.AbsWorkingDir = dir
	result := api.Build(options)
	var problems []error
	for _, message := range append(result.Errors, result.Warnings...) {
		at := ""
		if l := message.Location; l != nil {
			at = fmt.Sprintf("%s:%d:%d: ", l.File, l.Line, l.Column+1)
		}
		problems = append(problems, errors.New(at+message.Text))
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	files := map[string][]byte{}
	for _, file := range result.OutputFiles {
		name, err := filepath.Rel(dir, file.Path)
		if err != nil {
			return nil, err
		}
		files[filepath.ToSlash(name)] = file.Contents
	}
	return files, nil
}
