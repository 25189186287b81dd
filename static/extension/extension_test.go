package extension

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/static/internal/bundle"
)

const root = "../.."

var built = sync.OnceValues(func() (map[Browser]map[string][]byte, error) {
	packages := map[Browser]map[string][]byte{}
	for _, browser := range Browsers {
		var err error
		if packages[browser], err = Files(root, browser); err != nil {
			return nil, err
		}
	}
	return packages, nil
})

func packages(t *testing.T) map[Browser]map[string][]byte {
	t.Helper()
	all, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A zip has the listed files and no others, and the same bytes each time it is built.
func TestZip(t *testing.T) {
	for browser, files := range packages(t) {
		packed, err := Zip(files)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes", browser, len(packed))
		if len(packed) > MaxZip {
			t.Errorf("%s: %d bytes, at most %d", browser, len(packed), MaxZip)
		}
		again, err := Files(root, browser)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := Zip(again); err != nil || !bytes.Equal(packed, twice) {
			t.Errorf("%s: another build gives other bytes (%v)", browser, err)
		}
		archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		var before string
		for _, file := range archive.File {
			if file.Name <= before {
				t.Errorf("%s: %s follows %s", browser, file.Name, before)
			}
			before = file.Name
			listed := slices.IndexFunc(Contents(browser), func(pattern string) bool {
				match, err := path.Match(pattern, file.Name)
				return match && err == nil
			})
			if listed < 0 {
				t.Errorf("%s: %s is not listed", browser, file.Name)
				continue
			}
			used[Contents(browser)[listed]] = true
			r, err := file.Open()
			if err != nil {
				t.Fatal(err)
			}
			if content, err := io.ReadAll(r); err != nil || !bytes.Equal(content, files[file.Name]) {
				t.Errorf("%s: %s is not packed as it is (%v)", browser, file.Name, err)
			}
		}
		if len(used) != len(Contents(browser)) || len(archive.File) != len(files) {
			t.Errorf("%s: %d of the %d listed names are there, %d files of %d", browser, len(used), len(Contents(browser)), len(archive.File), len(files))
		}
	}
}

// A listed file that is missing is an error, and what is not listed is left out.
func TestPick(t *testing.T) {
	files := maps.Clone(packages(t)[Chrome])
	files["notes.txt"] = []byte("not for readers")
	picked, err := pick(files, Chrome)
	if err != nil || picked["notes.txt"] != nil || len(picked) != len(files)-1 {
		t.Errorf("%d files of %d: %v", len(picked), len(files), err)
	}
	delete(files, "privacy.html")
	if _, err := pick(files, Chrome); err == nil || !strings.Contains(err.Error(), "privacy.html") {
		t.Errorf("without privacy.html: %v", err)
	}
}

// The extension asks for no more than it needs, and its pages run no code from elsewhere.
func TestManifests(t *testing.T) {
	library, err := os.ReadFile("../lib/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var npm struct{ Version string }
	if err := json.Unmarshal(library, &npm); err != nil {
		t.Fatal(err)
	}
	shared := map[string]any{
		"manifest_version":          3.0,
		"name":                      "__MSG_extensionName__",
		"description":               "__MSG_extensionDescription__",
		"version":                   npm.Version,
		"default_locale":            "en",
		"icons":                     map[string]any{"16": "icons/16.png", "32": "icons/32.png", "48": "icons/48.png", "128": "icons/128.png"},
		"optional_host_permissions": []any{"https://*/*", "http://*/*"},
		"content_security_policy":   map[string]any{"extension_pages": "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'"},
		"options_ui":                map[string]any{"page": "options/options.html", "open_in_tab": true},
		"action": map[string]any{
			"default_title": "__MSG_extensionName__",
			"default_icon":  map[string]any{"16": "icons/16.png", "32": "icons/32.png"},
			"default_popup": "popup/popup.html",
		},
	}
	own := map[Browser]map[string]any{
		Chrome: {
			"minimum_chrome_version": "120",
			"permissions":            []any{"storage", "offscreen", "scripting", "activeTab"},
			"background":             map[string]any{"service_worker": "background.js", "type": "module"},
		},
		Firefox: {
			"permissions": []any{"storage", "scripting", "activeTab"},
			"background":  map[string]any{"scripts": []any{"background.js"}, "type": "module"},
			"browser_specific_settings": map[string]any{"gecko": map[string]any{
				"id":                 "extension@vantage-search.example",
				"strict_min_version": "142.0",
				"data_collection_permissions": map[string]any{
					"required": []any{"none"}, "optional": []any{"websiteContent", "searchTerms"},
				},
			}},
		},
	}
	for browser, files := range packages(t) {
		want := maps.Clone(shared)
		maps.Copy(want, own[browser])
		var got map[string]any
		if err := json.Unmarshal(files["manifest.json"], &got); err != nil {
			t.Fatal(err)
		}
		for key := range maps.Keys(got) {
			if !reflect.DeepEqual(got[key], want[key]) {
				t.Errorf("%s: %s is %v, want %v", browser, key, got[key], want[key])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s has the keys %q, want %q", browser, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
}

// The manifests ask for the first browsers that know all that the package uses, and its scripts are built for them. The
// features listed here are the newest that it uses without asking whether they are there.
func TestOldestBrowsers(t *testing.T) {
	for browser, key := range map[Browser]*regexp.Regexp{
		Chrome:  regexp.MustCompile(`"minimum_chrome_version": "(\d+)"`),
		Firefox: regexp.MustCompile(`"strict_min_version": "(\d+)\.0"`),
	} {
		newest := 0
		for _, used := range []struct {
			text  string
			since map[Browser]int
		}{
			{"URL.canParse(", map[Browser]int{Chrome: 120, Firefox: 115}},
			{"chrome.runtime.getContexts(", map[Browser]int{Chrome: 116}},
			{".checkVisibility", map[Browser]int{Chrome: 105, Firefox: 106}},
			{":has(", map[Browser]int{Chrome: 105, Firefox: 121}},
			{"@container", map[Browser]int{Chrome: 105, Firefox: 110}},
			{"optional_host_permissions", map[Browser]int{Chrome: 102, Firefox: 128}},
			{"data_collection_permissions", map[Browser]int{Firefox: 142}}, // 140 on desktops
		} {
			since, there := used.since[browser]
			found := false
			for _, content := range packages(t)[browser] {
				found = found || bytes.Contains(content, []byte(used.text))
			}
			if found != there {
				t.Errorf("%s: the package has %s: %v, want %v", browser, used.text, found, there)
			}
			newest = max(newest, since)
		}
		asked := key.FindSubmatch(packages(t)[browser]["manifest.json"])
		if asked == nil || string(asked[1]) != strconv.Itoa(newest) {
			t.Errorf("%s: the manifest asks for %q, want %d", browser, asked, newest)
		}
		target := map[Browser]string{Chrome: bundle.OldestChrome, Firefox: bundle.OldestFirefox}[browser]
		if target != strconv.Itoa(newest) {
			t.Errorf("%s: the scripts are built for %s, want %d", browser, target, newest)
		}
	}
}

// merge does what RFC 7396 shows in its appendix.
func TestMerge(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		var into, differs, want map[string]any
		for i, object := range []*map[string]any{&into, &differs, &want} {
			if err := json.Unmarshal([]byte(c[i]), object); err != nil {
				t.Fatal(err)
			}
		}
		if merge(into, differs); !reflect.DeepEqual(into, want) {
			t.Errorf("%s with %s is %v, want %s", c[0], c[1], into, c[2])
		}
	}
}

// No script makes code of texts, starts a worker from a blob or loads code from elsewhere; pages have no inline scripts
// or styles and load none from other hosts.
func TestNoRemoteCode(t *testing.T) {
	script := regexp.MustCompile(`\beval\(|\bnew Function\b|\bFunction\(|createObjectURL|\bblob:|\bdata:text/javascript|importScripts|` +
		`import\(\s*["'` + "`" + `](?:https?:)?//|from\s*["'](?:https?:)?//|\.(?:inner|outer)HTML\s*\+?=[^=]|insertAdjacentHTML|document\.write`)
	saved := regexp.MustCompile(`createObjectURL\(\s*new\s+Blob\(\s*\[[^\]]*\],\s*\{\s*type:\s*"application/json"\s*\}`) // a file that the user saves
	page := regexp.MustCompile(`(?is)<script\b[^>]*>[^<]|<script\b[^>]*src="(?:https?:)?//|\son\w+\s*=|<link\b[^>]*href="(?:https?:)?//|<style|<base`)
	for browser, files := range packages(t) {
		for name, content := range files {
			switch path.Ext(name) {
			case ".js":
				content = saved.ReplaceAll(content, nil)
				if at := script.FindIndex(content); at != nil {
					t.Errorf("%s: %s has %q", browser, name, content[at[0]:at[1]])
				}
			case ".html":
				if at := page.FindIndex(content); at != nil {
					t.Errorf("%s: %s has %q", browser, name, content[at[0]:at[1]])
				}
			}
		}
	}
}

// Every file that pages, scripts and the manifest name is in the package.
func TestNamedFiles(t *testing.T) {
	named := regexp.MustCompile(`(?:src|href)="([^"#]+)"|(?:from|import|import\()\s*"([./][^"]+)"|"([\w/]+\.(?:js|html|png))"`)
	for browser, files := range packages(t) {
		seen := 0
		for name, content := range files {
			if ext := path.Ext(name); ext != ".html" && ext != ".js" && name != "manifest.json" {
				continue
			}
			for _, match := range named.FindAllSubmatch(content, -1) {
				target := string(match[1]) + string(match[2]) + string(match[3])
				if strings.Contains(target, ":") {
					continue
				}
				seen++
				at := path.Join(path.Dir(name), target)
				if rooted := strings.TrimPrefix(target, "/"); rooted != target || match[3] != nil {
					at = rooted
				}
				if path.Base(at) == "thread.js" {
					continue // loaded in Node.js alone
				}
				if files[at] == nil {
					t.Errorf("%s: %s names %s, which is not in the package", browser, name, target)
				}
			}
		}
		if seen < 15 {
			t.Errorf("%s: only %d names were found", browser, seen)
		}
	}
}

// The icons are static/demo/icon.svg in four sizes, as `go run ./tests/icons` draws it: a dark green disc with a light V
// and an orange dot.
func TestIcons(t *testing.T) {
	svg, err := os.ReadFile("../demo/icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	for color, at := range map[string][2]float64{"#134e4a": {18, 3}, "#f59e0b": {18, 12.5}, "#f5f3ee": {12, 19}} {
		if !bytes.Contains(svg, []byte(color)) {
			t.Fatalf("icon.svg has no %s", color)
		}
		value, err := strconv.ParseUint(color[1:], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{16, 32, 48, 128} {
			icon := decode(t, size)
			scale := float64(size) / 36
			r, g, b, a := icon.At(int(at[0]*scale), int(at[1]*scale)).RGBA()
			near := func(got uint32, want uint64) bool { return max(int(got>>8)-int(want), int(want)-int(got>>8)) < 40 }
			if a>>8 < 250 || !near(r, value>>16) || !near(g, value>>8&255) || !near(b, value&255) {
				t.Errorf("%d.png has %d %d %d %d at %v, want %s", size, r>>8, g>>8, b>>8, a>>8, at, color)
			}
			if _, _, _, corner := icon.At(0, 0).RGBA(); corner > 0x4000 {
				t.Errorf("%d.png: the corner is not transparent", size)
			}
		}
	}
}

func decode(t *testing.T, size int) image.Image {
	t.Helper()
	file, err := os.Open(filepath.Join("icons", strconv.Itoa(size)+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	icon, err := png.Decode(file)
	if err != nil || icon.Bounds().Dx() != size || icon.Bounds().Dy() != size {
		t.Fatalf("%d.png: %v, %v", size, icon.Bounds(), err)
	}
	return icon
}
