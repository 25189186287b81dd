package binary

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// ShimScript is Shim as a module of the JavaScript library.
func ShimScript() []byte {
	var lines []string
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(Shim)), 100) {
		lines = append(lines, "'"+string(line)+"'")
	}
	return fmt.Appendf(nil, `// Generated from internal/wasm/kernel by %s; do not edit.

/**
 * The module between core and kernel. It is in a script, because bundlers would
 * turn a file of this length into a data: address, which strict policies do not
 * allow to be fetched.
 */
const base64 =
  %s;
export const shim = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
`, "`make core`", strings.Join(lines, " +\n  "))
}
