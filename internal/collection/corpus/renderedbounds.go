package corpus

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/yuin/goldmark/ast"
)

// maxRendered is the number of bytes that a page in Markdown may have as HTML, where a quote takes six, and every link
// repeats the destination and the title that it refers to.
const maxRendered = 2 * MaxRecordBytes

// checkDestinations limits what links repeat. It runs before the page is rendered, because that goes through all of it.
func checkDestinations(page ast.Node) *InputError {
	repeated := 0
	ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Link:
				repeated += len(n.Destination) + len(n.Title)
			case *ast.Image:
				repeated += len(n.Destination) + len(n.Title)
			}
		}
		return ast.WalkContinue, nil
	})
	if repeated > maxRendered {
		return tooLongRendered()
	}
	return nil
}

// boundedBuffer fails if more than maxRendered bytes are written.
type boundedBuffer struct{ bytes.Buffer }

var errRendered = errors.New("long page")

func (b *boundedBuffer) Write(content []byte) (int, error) {
	if b.Len()+len(content) > maxRendered {
		return 0, errRendered
	}
	return b.Buffer.Write(content)
}

func tooLongRendered() *InputError {
	return &InputError{Problem: fmt.Sprintf("the page is longer than %d MB as HTML", maxRendered>>20),
		Remedy: "split it, shorten the addresses that many links refer to, or move it out of the folder"}
}
