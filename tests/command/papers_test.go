package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

var (
	papersBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	papersPlain = regexp.MustCompile("(?m)^ {4,}vantage .*") // in an indented block
	papersSpan  = regexp.MustCompile("(?s)`(vantage .*?)`")
	papersWord  = regexp.MustCompile(`"([^"]*)"|(\S+)`)
	sharedData  = regexp.MustCompile(`\.\./shared/(\S+)`)
)

// argumentsOf divides a command line into the command's arguments.
func argumentsOf(line string) (args []string) {
	for _, m := range papersWord.FindAllStringSubmatch(line, -1)[1:] {
		args = append(args, m[1]+m[2])
	}
	return args
}

// The commands of docs/papers work: those in blocks run to their end, those within
// sentences and tables have flags and values that the command knows. Commands that need
// data beside the repository are skipped, by name, if the data are missing.
func TestPapers(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root(t), "docs", "papers", "*.md"))
	if err != nil || len(pages) < 5 {
		t.Fatal(pages, err)
	}
	// The commands begin in the repository's folder, where a test must not write.
	dir := filepath.Join(t.TempDir(), "repository")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root(t), "examples"), filepath.Join(dir, "examples")); err != nil {
		t.Fatal(err)
	}
	if data, ok := shared.Find(""); ok {
		if err := os.Symlink(data, filepath.Join(dir, "..", "shared")); err != nil {
			t.Fatal(err)
		}
	}
	ran, checked := 0, 0
	for _, page := range pages {
		text := read(t, page)
		for _, line := range papersPlain.FindAllString(text, -1) {
			t.Errorf("%s: no test runs %q: put it into a block that begins with ```sh", page, strings.TrimSpace(line))
		}
		for _, block := range papersBlock.FindAllStringSubmatch(text, -1) {
			for line := range strings.Lines(block[1]) {
				line = strings.TrimSpace(line)
				if strings.HasPrefix(line, "cp -r examples/") { // into the folder that the line above it made
					copying := exec.Command("cp", strings.Fields(line)[1:]...)
					copying.Dir = dir
					if out, err := copying.CombinedOutput(); err != nil {
						t.Errorf("%s: %s: %v\n%s", page, line, err, out)
					}
					continue
				}
				if !strings.HasPrefix(line, "vantage ") {
					t.Errorf("%s: %q is no command of ours", page, line)
					continue
				}
				ran++
				t.Run(filepath.Base(page)+": "+line, func(t *testing.T) {
					for _, m := range sharedData.FindAllStringSubmatch(line, -1) {
						shared.Path(t, m[1])
					}
					arguments := argumentsOf(line)
					if arguments[0] == "serve" { // it would never end; tests/browser serves examples/chat
						arguments = append(arguments, "--help")
					}
					if r := must(t, dir, arguments...); strings.TrimSpace(r.stdout+r.stderr) == "" {
						t.Error("it says nothing")
					}
				})
			}
		}
		for _, span := range papersSpan.FindAllStringSubmatch(papersBlock.ReplaceAllString(text, ""), -1) {
			checked++
			line := strings.Join(strings.Fields(span[1]), " ")
			// With --help, the command reads its flags and does nothing.
			must(t, dir, append(argumentsOf(line), "--help")...)
		}
	}
	if ran < 6 || checked < 15 {
		t.Errorf("only %d commands ran, and %d were checked", ran, checked)
	}
}
