package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

const module = "github.com/vantage-search/vantage"

// A room is a row of the table in docs/architecture.md.
type room struct {
	folders   []string
	may       []string // folders that it may import
	all, code bool     // whether it may import everything, and whether it has Go code
}

// Packages import only what the table in docs/architecture.md allows, and every package has a room.
func TestRooms(t *testing.T) {
	rooms := readRooms(t)
	var helpers []string
	for _, r := range rooms {
		if r.code && !r.all && len(r.may) == 0 && slices.Contains(r.folders, "internal/lru") {
			helpers = append(r.folders, "internal/wasm/fault")
		}
	}
	if len(rooms) < 10 || helpers == nil {
		t.Fatalf("read %d rooms and the helpers %q from the table", len(rooms), helpers)
	}
	for _, p := range packages(t) {
		at := slices.IndexFunc(rooms, func(r room) bool { return within(p.folder, r.folders) })
		if at < 0 {
			t.Errorf("%s is in no room of docs/architecture.md", p.folder)
			continue
		}
		r := rooms[at]
		if r.all {
			continue
		}
		for _, imported := range p.imports {
			if !within(imported, r.folders) && !within(imported, r.may) && !within(imported, helpers) {
				t.Errorf("%s imports %s, which docs/architecture.md does not let %s import: change the import, or the table",
					p.folder, imported, strings.Join(r.folders, ", "))
			}
		}
	}
}

func within(folder string, rooms []string) bool {
	return slices.ContainsFunc(rooms, func(room string) bool {
		return folder == room || strings.HasPrefix(folder, room+"/")
	})
}

func readRooms(t *testing.T) []room {
	t.Helper()
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "| room | what it holds | may import |\n|---|---|---|\n")
	if !ok {
		t.Fatal("docs/architecture.md has no table of rooms")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	link, path := regexp.MustCompile(`\]\(\.\./([^)]+)\)`), regexp.MustCompile("`([^`]+)`")
	var rooms []room
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 {
			t.Fatalf("a row of %d cells: %s", len(cells), line)
		}
		r := room{all: strings.HasPrefix(cells[2], "everything"), code: !strings.HasPrefix(cells[2], "no Go")}
		for _, match := range link.FindAllStringSubmatch(cells[0], -1) {
			r.folders = append(r.folders, match[1])
		}
		for _, match := range path.FindAllStringSubmatch(cells[2], -1) {
			r.may = append(r.may, match[1])
		}
		rooms = append(rooms, r)
	}
	return rooms
}

type source struct {
	folder  string
	imports []string // of this module, as folders
}

// packages lists the module's packages and their imports, including the core's but not those of
// tests.
func packages(t *testing.T) []source {
	t.Helper()
	var all []source
	for pattern, environment := range map[string][]string{module + "/...": nil, module + "/internal/wasm/...": {"GOOS=js", "GOARCH=wasm"}} {
		for _, p := range tools.GoList(t, environment, pattern) {
			s := source{folder: strings.TrimPrefix(p.ImportPath, module+"/")}
			for _, imported := range p.Imports {
				if folder, ok := strings.CutPrefix(imported, module+"/"); ok {
					s.imports = append(s.imports, folder)
				}
			}
			if p.ImportPath != module { // the root package has its own test
				all = append(all, s)
			}
		}
	}
	return all
}
