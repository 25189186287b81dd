package bundle

import (
	"maps"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// The oldest browsers that the extension runs in, as its manifests say.
const (
	OldestChrome  = "120"
	OldestFirefox = "142"
)

// Extension builds the scripts and styles of the browser extension from the sources under dir, the
// folder static. It returns them by their paths in the package. The library stays outside, in the
// package's folder lib. In Firefox the engine is a part of the background.
func Extension(dir string, firefox bool) (map[string][]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	modules := map[string]string{
		"background":       "extension/background.js",
		"engine/offscreen": "extension/engine/offscreen.js",
		"options/options":  "extension/options/options.js",
		"popup/popup":      "extension/popup/popup.js",
	}
	if firefox {
		modules["background"] = "extension/background/page.js"
		delete(modules, "engine/offscreen")
	}
	files := map[string][]byte{}
	for _, options := range []api.BuildOptions{extensionModules(modules), contentScript(), extensionStyles()} {
		built, err := run(dir, options)
		if err != nil {
			return nil, err
		}
		maps.Copy(files, built)
	}
	return files, nil
}

func extensionModules(entries map[string]string) api.BuildOptions {
	options := forExtensions(entries)
	options.Plugins = []api.Plugin{
		external(`/lib/index\.js$`, "/lib/index.js"), // from the root of the package
		external(`/lib/server\.js$`, "/lib/server.js"),
	}
	return options
}

// contentScript builds the one classic script that browsers run in pages.
func contentScript() api.BuildOptions {
	options := forExtensions(map[string]string{"content": "extension/content/content.js"})
	options.Format = api.FormatIIFE
	options.Loader = map[string]api.Loader{".css": api.LoaderText} // for the bar's shadow root
	return options
}

func extensionStyles() api.BuildOptions {
	return forExtensions(map[string]string{
		"options/options": "extension/options/options.css",
		"popup/popup":     "extension/popup/popup.css",
		"privacy":         "extension/privacy.css",
	})
}

func forExtensions(entries map[string]string) api.BuildOptions {
	options := scripts(".", entries)
	options.Engines = []api.Engine{{Name: api.EngineChrome, Version: OldestChrome}, {Name: api.EngineFirefox, Version: OldestFirefox}}
	return options
}
