// Package bundle builds the scripts and styles that browsers load: the library from
// static/src into the npm package static/lib, the pages' scripts from static/demo,
// static/search and static/about into static/site, and those of the browser extension.
package bundle

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/evanw/esbuild/pkg/api"
)

// banner is the beginning of every built file.
const banner = "/*! Vantage | Apache-2.0 */"

// Build builds the library and the pages from the sources under dir, which is the folder static
// or a folder with copies of its src, demo, search and about. It returns the files by their paths
// in static. The same sources give the same bytes on every machine.
func Build(dir string) (map[string][]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, options := range []api.BuildOptions{engine(), additions(), words(), minified(), page(), alone(), styles()} {
		built, err := run(dir, options)
		if err != nil {
			return nil, err
		}
		maps.Copy(files, built)
	}
	return files, nil
}

// engine builds the library and its worker, which share one file with most of their
// code.
func engine() api.BuildOptions {
	options := scripts("lib", map[string]string{"index": "src/index.js", "worker": "src/worker.js"})
	options.Splitting = true
	options.ChunkNames = "engine-[hash]"
	return options
}

// additions builds the optional modules of the library.
func additions() api.BuildOptions {
	options := scripts("lib", map[string]string{
		"server":         "src/server.js",
		"thread":         "src/worker/thread.js",
		"transformers":   "src/transformers.js",
		"vantage-search": "src/vantage-search.js",
	})
	// The error classes come from index.js, so that there is only one of each.
	options.Plugins = []api.Plugin{
		external(`/errors\.js$`, "./index.js"),
		external(`/index\.js$`, "./index.js"),
		external(`^\.{1,2}/words\.js$`, "./words.js"),
		external(`/worker\.js$`, "./worker.js"),
		sheets(),
	}
	options.External = []string{"node:*"} // imported by the script of Node.js threads
	return options
}

// words builds the search by words alone. It has a copy of all that it needs, so that a
// page loads one small file before its first answer.
func words() api.BuildOptions {
	return scripts("lib", map[string]string{"words": "src/words.js"})
}

// minified builds the library and its worker as one file with short names, for pages
// that want few bytes and requests more than readable stacks.
func minified() api.BuildOptions {
	options := scripts("lib", map[string]string{"vantage.min": "src/min/index.js"})
	options.MinifyIdentifiers = true
	options.Plugins = []api.Plugin{{Name: "start", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `^\.\./start\.js$`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: filepath.Join(filepath.Dir(args.ResolveDir), "min", "start.js")}, nil
		})
	}}}
	return options
}

// page builds the scripts of the pages. They load the library from lib beside them: the search
// page as one file unless it has an encode server, the others as index.js, which shares a file
// with the library's worker.
func page() api.BuildOptions {
	options := scripts("site", map[string]string{"demo": "demo/demo.js", "eval": "demo/eval.js", "search": "search/search.js"})
	options.Plugins = []api.Plugin{
		external(`/(lib/index|errors)\.js$`, "./lib/index.js"),
		external(`/lib/server\.js$`, "./lib/server.js"),
		external(`/lib/vantage\.min\.js$`, "./lib/vantage.min.js"),
		external(`/lib/words\.js$`, "./lib/words.js"),
	}
	return options
}

// alone builds scripts without imports: the one that runs before the page's
// modules, the service worker, and the worker that reads files of documents.
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
	return scripts("site", map[string]string{"demo": "demo/demo.css", "eval": "demo/eval.css", "search": "search/search.css"})
}

// scripts bundles each entry, with all its imports, into a file in the folder out.
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
		// Names are kept, so that stacks in bug reports can be read.
		MinifyWhitespace: true,
		MinifySyntax:     true,
		LineLimit:        2000, // for the same reason, and for readable diffs; 400 would take 3 KB more
		Charset:          api.CharsetUTF8,
		LegalComments:    api.LegalCommentsNone,
		TsconfigRaw:      "{}", // ignore a tsconfig.json in a parent folder
		Banner:           map[string]string{"js": banner, "css": banner},
		LogLevel:         api.LogLevelSilent, // faults are returned as errors
	}
	for _, name := range slices.Sorted(maps.Keys(entries)) { // the order changes the output
		options.EntryPointsAdvanced = append(options.EntryPointsAdvanced, api.EntryPoint{InputPath: entries[name], OutputPath: name})
	}
	return options
}

// external keeps imports that match the filter, as imports of an address relative to
// the built file.
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

// sheets makes an imported style sheet a short text. Declarations for older browsers stay before those that take their
// place.
func sheets() api.Plugin {
	return api.Plugin{Name: "sheets", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `\.css$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			sheet, err := os.ReadFile(args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			result := api.Transform(string(sheet), api.TransformOptions{Loader: api.LoaderCSS, Sourcefile: args.Path, MinifyWhitespace: true, MinifySyntax: true, Charset: api.CharsetUTF8})
			text := string(result.Code)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderText, Errors: result.Errors, Warnings: result.Warnings}, nil
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
