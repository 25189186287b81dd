package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// ErrNone says that there is no such element.
var ErrNone = errors.New("no such element")

// Node is a node of a page.
type Node struct {
	page   *Page
	object runtime.RemoteObjectID
	// Name is the accessible name, of nodes that Named has found.
	Name string
}

// Find returns what the JavaScript expression gives, an element of the page. It is ErrNone if
// that is null.
func (p *Page) Find(expression string) (Node, error) {
	result, err := do(p, runtime.Evaluate, runtime.EvaluateParams{Expression: expression})
	if err != nil {
		return Node{}, err
	}
	if result.ExceptionDetails != nil {
		return Node{}, &chromedp.ExceptionError{ExceptionDetails: result.ExceptionDetails}
	}
	if result.Result.ObjectID == "" {
		return Node{}, fmt.Errorf("%s: %w", expression, ErrNone)
	}
	return Node{page: p, object: result.Result.ObjectID}, nil
}

// Shadow returns the element's shadow root, which may be closed.
func (n Node) Shadow() (Node, error) {
	described, err := do(n.page, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: n.object, Pierce: new(true)})
	if err != nil {
		return Node{}, err
	}
	if len(described.Node.ShadowRoots) == 0 {
		return Node{}, fmt.Errorf("a shadow root: %w", ErrNone)
	}
	return n.page.resolve(described.Node.ShadowRoots[0].BackendNodeID)
}

// Named returns the nodes below this one that assistive technology finds by role and
// accessible name, in the order of the page and in closed shadow roots too. An empty name
// stands for any.
func (n Node) Named(role, name string) ([]Node, error) {
	found, err := do(n.page, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: n.object, Role: role, AccessibleName: name})
	if err != nil {
		return nil, err
	}
	var nodes []Node
	for _, node := range found.Nodes {
		if node.Ignored || node.BackendDOMNodeID == 0 {
			continue
		}
		resolved, err := n.page.resolve(node.BackendDOMNodeID)
		if err != nil {
			return nil, err
		}
		if node.Name != nil {
			if err := json.Unmarshal(node.Name.Value, &resolved.Name); err != nil {
				return nil, err
			}
		}
		nodes = append(nodes, resolved)
	}
	return nodes, nil
}

func (p *Page) resolve(id cdp.BackendNodeID) (Node, error) {
	resolved, err := do(p, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id})
	if err != nil {
		return Node{}, err
	}
	return Node{page: p, object: resolved.Object.ObjectID}, nil
}

// CallOn calls the JavaScript function with the node as this and arguments that can be JSON,
// waits for its promise, and decodes its result, which can be JSON.
func CallOn[T any](n Node, function string, args ...any) (T, error) {
	var zero T
	if n.page == nil {
		return zero, ErrNone
	}
	params := runtime.CallFunctionOnParams{
		ObjectID: n.object, AwaitPromise: new(true), ReturnByValue: new(true), UserGesture: new(true),
		FunctionDeclaration: `async function (...args) { return JSON.stringify((await (` + function + `).apply(this, args)) ?? null); }`,
	}
	for _, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return zero, err
		}
		params.Arguments = append(params.Arguments, &runtime.CallArgument{Value: text})
	}
	result, err := do(n.page, runtime.CallFunctionOn, params)
	if err != nil {
		return zero, err
	}
	if result.ExceptionDetails != nil {
		return zero, &chromedp.ExceptionError{ExceptionDetails: result.ExceptionDetails}
	}
	var text string
	if err := json.Unmarshal(result.Result.Value, &text); err != nil {
		return zero, err
	}
	err = json.Unmarshal([]byte(text), &zero)
	return zero, err
}

// do sends a command to the page.
func do[P, R any](p *Page, command cdp.Command[P, R], params P) (R, error) {
	return chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (R, error) {
		return cdp.Call(ctx, t, command, params)
	})
}

// ChooseFiles gives files to the input element of this node, as a visitor chooses them.
func (n Node) ChooseFiles(paths ...string) error {
	_, err := do(n.page, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: n.object})
	return err
}

// Click presses the mouse at a point of the window.
func (p *Page) Click(x, y float64) error {
	return p.Do(chromedp.MouseClickXY(x, y))
}

// Tap touches a point of the window with a finger.
func (p *Page) Tap(x, y float64) error {
	for _, event := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		if _, err := do(p, input.DispatchTouchEvent, event); err != nil {
			return err
		}
	}
	return nil
}

// Wheel turns the mouse's wheel at a point of the window, until the page has gone so many
// pixels down, or to its end.
func (p *Page) Wheel(x, y, pixels float64) error {
	_, err := do(p, input.SynthesizeScrollGesture, input.SynthesizeScrollGestureParams{X: x, Y: y, YDistance: -pixels, GestureSourceType: input.GestureSourceTypeMouse})
	return err
}
