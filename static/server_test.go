package static

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestCheckServer(t *testing.T) {
	for address, want := range map[string]string{
		"./": "", "/encode/": "", "../": "", "https://encode.example.org": "", "http://127.0.0.1:8080/a/": "",
		"":                          "give https://HOST/",
		"encode.example.org":        "give https://HOST/",
		"//encode.example.org/":     "give https://HOST/",
		"wss://encode.example.org/": "give https://HOST/",
		"https://":                  "cannot name the host",
		"https://[::1]:8080/":       "cannot name the host",
		"https://ümlaut.example/":   "cannot name the host",
		"https://a.example; script": "invalid character",
		"https://a:b@c.example/":    "nothing but a host and a path",
		"https://a.example/?key=1":  "nothing but a host and a path",
	} {
		err := CheckServer(address)
		if got := errorText(err); (err == nil) != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A site with a server names it, may connect only to it, and includes and lists
// the module that speaks to it. A site without a server has none of that. The lab also
// opens collections of other hosts.
func TestPageWithServer(t *testing.T) {
	for _, test := range []struct{ server, config, connect string }{
		{"", `"server":""`, "connect-src 'self'"},
		{"./", `"server":"./"`, "connect-src 'self'"},
		{"https://encode.example:8443/a&b/", `"server":"https://encode.example:8443/a\u0026b/"`, "connect-src 'self' wss://encode.example:8443 https://encode.example:8443"},
	} {
		dir := t.TempDir()
		page := Page{Server: test.server}
		if err := page.Write(dir); err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, name := range []string{homePage, labPage, FilesList, "lib/server.js", "lib/transformers.js", "lib/thread.js", "lib/vantage.min.js", "lib/words.js"} {
			content, _ := os.ReadFile(filepath.Join(dir, name))
			files[name] = string(content)
		}
		home, lab, list := files[homePage], files[labPage], files[FilesList]
		if !strings.Contains(lab, test.config) || !strings.Contains(lab, test.connect+" http: https:;") || strings.Contains(lab, "never leave it") != (test.server == "") {
			t.Errorf("%q: %s", test.server, lab[:1500])
		}
		if !strings.Contains(home, test.config) || !strings.Contains(home, test.connect+";") {
			t.Errorf("%q: %s", test.server, home)
		}
		for name, wanted := range map[string]bool{"lib/server.js": test.server != "", "lib/transformers.js": false, "lib/thread.js": false, "lib/vantage.min.js": true, "lib/words.js": true} {
			if (files[name] != "") != wanted || strings.Contains(list, `"`+name+`"`) != wanted {
				t.Errorf("%q: %s is there: %v", test.server, name, files[name] != "")
			}
		}
		if plain, ours := Plain(os.DirFS(dir)); plain != (test.server == "") || ours != plain {
			t.Errorf("%q: plain: %v, ours: %v", test.server, plain, ours)
		}
	}
}

// Around makes a plain site the same as one that was written with the server.
func TestAround(t *testing.T) {
	dir, asking := t.TempDir(), t.TempDir()
	page := Page{Server: "./"}
	if err := (Page{}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := page.Write(asking); err != nil {
		t.Fatal(err)
	}
	around := page.Around(os.DirFS(dir))
	err := fs.WalkDir(os.DirFS(asking), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		want, err := os.ReadFile(filepath.Join(asking, name))
		if err != nil {
			return err
		}
		if got, err := fs.ReadFile(around, name); err != nil || string(got) != string(want) {
			t.Errorf("%s: %d bytes, want %d (%v)", name, len(got), len(want), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// Another page in the place of ours is not changed.
	for _, name := range []string{homePage, labPage} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("another page"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := fs.ReadFile(around, name); err != nil || string(got) != "another page" {
			t.Errorf("another page: %q %v", got, err)
		}
	}
	if err := (Page{}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "demo.css"), []byte("body{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if plain, ours := Plain(os.DirFS(dir)); !plain || ours {
		t.Errorf("changed by hand: plain: %v, ours: %v", plain, ours)
	}
	// A site with the owner's name and page is ours, until somebody changes that page.
	own, err := os.ReadFile("search/index.html")
	if err != nil {
		t.Fatal(err)
	}
	bare := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(string(own), "")
	for _, mine := range []Page{{Name: "Mine"}, {Name: "Mine", Examples: []string{"a"}, NoCredit: true, Template: bare, TemplateName: "mine.html"}} {
		dir := t.TempDir()
		if err := mine.Write(dir); err != nil {
			t.Fatal(err)
		}
		if plain, ours := Plain(os.DirFS(dir)); !plain || !ours {
			t.Errorf("%+v: plain: %v, ours: %v", mine.Name, plain, ours)
		}
		if app, err := os.ReadFile(filepath.Join(dir, appFile)); err != nil || !strings.Contains(string(app), `"name": "Mine"`) || !strings.Contains(string(app), "icon-maskable") {
			t.Errorf("%s: %s (%v)", appFile, app, err)
		}
		if home, err := fs.ReadFile(page.Around(os.DirFS(dir)), homePage); err != nil || !strings.Contains(string(home), `"server":"./"`) {
			t.Errorf("around: %s (%v)", home, err)
		}
		with := mine
		with.Server = page.Server
		want, err := with.lab()
		if err != nil {
			t.Fatal(err)
		}
		if lab, err := fs.ReadFile(page.Around(os.DirFS(dir)), labPage); err != nil || string(lab) != string(want) {
			t.Errorf("around the lab of %v: %.2000s (%v)", mine.Examples, lab, err)
		}
		for _, name := range owners {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), append(content, ' '), 0o666); err != nil {
				t.Fatal(err)
			}
			if plain, ours := Plain(os.DirFS(dir)); !plain || ours {
				t.Errorf("%s changed: plain: %v, ours: %v", name, plain, ours)
			}
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Before there was a search page, the lab was in its place.
	lab, err := Files.ReadFile("demo/lab.html")
	if err != nil {
		t.Fatal(err)
	}
	older := fstest.MapFS{homePage: {Data: lab}, FilesList: {Data: []byte("self.VANTAGE_FILES = {};")}}
	if plain, ours := Plain(older); !plain || ours {
		t.Errorf("an older site: plain: %v, ours: %v", plain, ours)
	}
	if home, err := fs.ReadFile(page.Around(older), homePage); err != nil || string(home) != string(lab) {
		t.Errorf("around an older site: %d bytes (%v)", len(home), err)
	}
	if plain, _ := Plain(fstest.MapFS{homePage: {Data: []byte("another page")}}); plain {
		t.Error("another page counts as one of ours")
	}
}
