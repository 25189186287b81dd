package javascript

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// docs/faults.md lists all kinds with their codes.
func TestFaultsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fault.Table {
		var stream []string
		for _, c := range codes {
			if c.code.Kind() == f.Kind {
				stream = append(stream, "`"+c.name+"`")
			}
		}
		name := strings.ToUpper(string(f.Kind[:1])) + string(f.Kind[1:])
		row := fmt.Sprintf("| %s | %s | `vantage.Err%s` | `%s` | %d | %s | %d | %d |\n",
			f.Kind, f.Kind.Doc(), name, f.Class, f.Code, strings.Join(stream, ", "), f.HTTP, f.Exit)
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/faults.md lacks the row\n%s", row)
		}
	}
}
