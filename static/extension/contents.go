package extension

import "slices"

// contents lists the files that the packages of both browsers have. A file that is not listed is not packed, and a
// listed one that is missing is an error. A name with a star stands for at least one file.
var contents = []string{
	"LICENSE",
	"_locales/en/messages.json",
	"background.js",
	"collections/sides/manifest.json",
	"collections/sides/*/*",
	"collections/sides/*/*/*",
	"content.js",
	"icons/128.png",
	"icons/16.png",
	"icons/32.png",
	"icons/48.png",
	"lib/core.wasm.gz",
	"lib/engine-*.js",
	"lib/index.js",
	"lib/kernel-relaxed.wasm",
	"lib/kernel.wasm",
	"lib/server.js",
	"lib/worker.js",
	"light/config.json",
	"light/model.safetensors",
	"light/tokenizer.json",
	"manifest.json",
	"options/options.css",
	"options/options.html",
	"options/options.js",
	"popup/popup.css",
	"popup/popup.html",
	"popup/popup.js",
	"privacy.css",
	"privacy.html",
}

// chromeContents are in Chrome's package alone.
var chromeContents = []string{
	"engine/offscreen.html",
	"engine/offscreen.js",
}

// Contents lists the files of a browser's package, as patterns of path.Match.
func Contents(browser Browser) []string {
	if browser == Chrome {
		return slices.Concat(contents, chromeContents)
	}
	return slices.Clone(contents)
}
