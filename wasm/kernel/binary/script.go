package binary

import (
	"encoding/base64"
	"fmt"
)

// ShimScript is Shim as a module of the JavaScript library.
func ShimScript() []byte {
	return fmt.Appendf(nil, `// Generated from wasm/kernel by %s; do not edit.

/**
 * The module between core and kernel. In a script, because bundlers would make a
 * file of this length a data: address, which strict policies forbid to fetch.
 */
export const shim = Uint8Array.from(atob('%s'), (c) => c.charCodeAt(0));
`, "`make core`", base64.StdEncoding.EncodeToString(Shim))
}
