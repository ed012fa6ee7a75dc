package webtest

import (
	"context"
	"net/url"
	"runtime"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// remote is a browser's protocol for what a reader does in a tab: devtools for Chromium, webkit and firefox.
type remote interface {
	size(width, height int64) error
	load(address string) error
	// cookie sets a cookie of a server, or deletes it if value is "".
	cookie(server *url.URL, name, value string) error
	// evaluate returns the value of an expression, after its promise, as JSON, or nothing if it is undefined.
	evaluate(expression string) ([]byte, error)
	// touch puts a finger down, moves it or lifts it.
	touch(kind input.DispatchTouchEventType, at *point, when time.Time) error
	tap(at point, when time.Time) error
	picture() ([]byte, error)
}

// devtools controls a tab of Chromium.
type devtools struct{ ctx context.Context }

// patience is how long a test waits for what must come, and a browser may take for one command. On a machine that is
// busy with other work, seconds mean nothing.
const patience = 2 * time.Minute

func (d devtools) do(action chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(d.ctx, patience)
	defer cancel()
	return chromedp.Do(ctx, action)
}

func (d devtools) size(width, height int64) error {
	turned := chromedp.EmulateLandscape
	if height > width {
		turned = chromedp.EmulatePortrait
	}
	return d.do(chromedp.EmulateViewport(width, height, chromedp.EmulateTouch, chromedp.EmulateMobile, turned))
}

func (d devtools) load(address string) error { return d.do(chromedp.Navigate(address)) }

func (d devtools) cookie(server *url.URL, name, value string) error {
	_, err := chromedp.Call(d.ctx, network.SetCookie, network.SetCookieParams{Name: name, Value: value,
		Domain: server.Hostname(), Path: "/", HTTPOnly: new(true)})
	return err
}

func (d devtools) evaluate(expression string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(d.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
}

func (d devtools) touch(kind input.DispatchTouchEventType, at *point, when time.Time) error {
	params := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{},
		Timestamp: input.TimeSinceEpoch(float64(when.UnixMicro()) / 1e6)}
	if at != nil {
		params.TouchPoints = []*input.TouchPoint{{X: at.X, Y: at.Y, RadiusX: new(6.0), RadiusY: new(6.0),
			Force: new(1.0), ID: new(0.0)}}
	}
	_, err := chromedp.Call(d.ctx, input.DispatchTouchEvent, params)
	return err
}

func (d devtools) tap(at point, when time.Time) error {
	down := make(chan error, 1)
	go func() { down <- d.touch(input.DispatchTouchEventTypeTouchStart, &at, when) }()
	runtime.Gosched()
	lifted := when.Add(2 * time.Millisecond)
	up := d.touch(input.DispatchTouchEventTypeTouchEnd, nil, lifted)
	if err := <-down; err != nil {
		return err
	}
	if up != nil { // it was sent before the touch had started
		return d.touch(input.DispatchTouchEventTypeTouchEnd, nil, lifted)
	}
	return nil
}

func (d devtools) picture() ([]byte, error) { return chromedp.Run(d.ctx, chromedp.CaptureScreenshot()) }

// pointing is the pointer actions of WebDriver and WebDriver BiDi for a touch.
func pointing(kind input.DispatchTouchEventType, at *point) []map[string]any {
	var actions []map[string]any
	if at != nil {
		actions = append(actions, map[string]any{"type": "pointerMove", "duration": 0, "x": int(at.X), "y": int(at.Y)})
	}
	switch kind {
	case input.DispatchTouchEventTypeTouchStart:
		actions = append(actions, map[string]any{"type": "pointerDown", "button": 0})
	case input.DispatchTouchEventTypeTouchEnd:
		actions = append(actions, map[string]any{"type": "pointerUp", "button": 0})
	}
	return actions
}

// tapping is the actions for a tap.
func tapping(at point) []map[string]any {
	return append(pointing(input.DispatchTouchEventTypeTouchStart, &at),
		pointing(input.DispatchTouchEventTypeTouchEnd, nil)...)
}

// asJSON returns an expression for the JSON of another, after its promise.
func asJSON(expression string) string {
	return "(async () => JSON.stringify(await (" + expression + ")))()"
}
