package web

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// All of chromedp is in this file, in chromium_start_test.go and in reader_browser_test.go.

// tab is a page on a touch screen. It keeps what the page complained of, and counts what the finger did.
type tab struct {
	t           *testing.T
	ctx         context.Context
	taps, drags int

	mu       sync.Mutex
	problems []string
}

func (b *chromium) tab(t *testing.T, width, height int64) *tab {
	t.Helper()
	return b.newTab(t, width, height, chromedp.WithNewBrowserContext())
}

// beside opens another tab of the same device: the cookies and the store are shared.
func (b *chromium) beside(p *tab, width, height int64) *tab {
	p.t.Helper()
	return b.newTab(p.t, width, height, chromedp.WithExistingBrowserContext(chromedp.FromContext(p.ctx).BrowserContextID))
}

func (b *chromium) newTab(t *testing.T, width, height int64, option chromedp.ContextOption) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, option)
	p := &tab{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	console := chromedp.Console(ctx)
	var reading sync.WaitGroup
	reading.Go(func() {
		for m, err := range console {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException || m.Type == chromedp.ConsoleWarning {
				p.mu.Lock()
				p.problems = append(p.problems, fmt.Sprintf("%s %s (%s:%d)", m.Type, m.Text, m.URL, m.Line))
				p.mu.Unlock()
			}
		}
	})
	t.Cleanup(func() { cancel(); reading.Wait() })
	p.size(width, height)
	return p
}

// size turns or changes the screen.
func (p *tab) size(width, height int64) {
	p.t.Helper()
	turned := chromedp.EmulateLandscape
	if height > width {
		turned = chromedp.EmulatePortrait
	}
	p.do(chromedp.EmulateViewport(width, height, chromedp.EmulateTouch, chromedp.EmulateMobile, turned))
}

// still lets the tab ask for reduced motion: nothing is seen halfway.
func (p *tab) still() {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// within lets what a test made complain to one of its subtests, until that ends.
func within(t *testing.T, whose ...**testing.T) {
	for _, w := range whose {
		was := *w
		t.Cleanup(func() { *w = was })
		*w = t
	}
}

func (p *tab) open(address string) { p.t.Helper(); p.do(chromedp.Navigate(address)) }

func (p *tab) reload() { p.t.Helper(); p.do(chromedp.Reload()) }

// seat gives the tab the seat of a token, as joining does.
func (p *tab) seat(server, token string) {
	p.t.Helper()
	p.cookie(server, "meldhall-seat", token)
}

// cookie sets a cookie, or takes it back with "".
func (p *tab) cookie(server, name, value string) {
	p.t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := chromedp.Call(p.ctx, network.SetCookie, network.SetCookieParams{Name: name, Value: value,
		Domain: u.Hostname(), Path: "/", HTTPOnly: new(true)}); err != nil {
		p.t.Fatal(err)
	}
}

// eval evaluates an expression in a page.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 30*time.Second)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", short(expression), err)
	}
	return value
}

// wait waits until an expression is true in a page that is there whole, also while it goes to another one. It asks less often as time goes on: each
// question takes a millisecond of three processes.
func (p *tab) wait(expression string) {
	p.t.Helper()
	pause := 15 * time.Millisecond
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(pause) {
		pause = min(pause*4/3, 100*time.Millisecond)
		ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("document.readyState !== 'loading' && !!("+expression+")"))
		if ok && err == nil {
			return
		}
		if time.Now().After(end) {
			p.picture("failed")
			p.t.Fatalf("never true: %s (err %v) at %s\nthe page complained of: %v\n%s", short(expression), err, eval[string](p, "location.href"), p.complaints(),
				eval[string](p, "document.body.innerText.slice(0, 900)"))
		}
	}
}

func short(expression string) string { return expression[:min(len(expression), 300)] }

// keyCodes are the keys that tests press.
var keyCodes = map[string]int64{"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

// press presses keys one after the other, as "Tab", "Shift+Tab" or "Ctrl+ArrowRight".
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, name := range keys {
		key, held := name, int64(0)
		for modifier, bit := range map[string]int64{"Ctrl+": 2, "Shift+": 8} {
			if rest, ok := strings.CutPrefix(key, modifier); ok {
				key, held = rest, bit
			}
		}
		down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Code: key, WindowsVirtualKeyCode: keyCodes[key], Modifiers: held}
		if key == "Enter" {
			down.Text = "\r"
		}
		up := down
		up.Type, up.Text = input.DispatchKeyEventTypeKeyUp, ""
		for _, event := range []input.DispatchKeyEventParams{down, up} {
			if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, event); err != nil {
				p.t.Fatal(err)
			}
		}
	}
}

// write types a text where the focus is.
func (p *tab) write(text string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.t.Fatal(err)
	}
}

// slow makes the processor of the tab slower by a factor.
func (p *tab) slow(factor float64) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: factor}); err != nil {
		p.t.Fatal(err)
	}
}

// spent is how many ms of the processor the page's main thread has used so far for scripts, styles and layout, whatever else
// the machine does.
func (p *tab) spent() (ms float64) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
		p.t.Fatal(err)
	}
	found, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, m := range found.Metrics {
		switch m.Name {
		case "ScriptDuration", "LayoutDuration", "RecalcStyleDuration":
			ms += 1000 * m.Value
		}
	}
	return ms
}

// offline lets the browser believe that there is no network, and gives none; or the network again.
func (p *tab) offline(off bool) {
	p.t.Helper()
	conditions := []*network.Conditions{{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}}
	if _, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: conditions}); err != nil {
		p.t.Fatal(err)
	}
	if _, err := chromedp.Call(p.ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}); err != nil {
		p.t.Fatal(err)
	}
}

// mobile makes the network of the tab a slow mobile one: 1.6 Mbit/s, and 150 ms for each question and its answer.
func (p *tab) mobile() {
	p.t.Helper()
	conditions := []*network.Conditions{{Latency: 150, DownloadThroughput: 1.6e6 / 8, UploadThroughput: 750e3 / 8}}
	if _, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: conditions}); err != nil {
		p.t.Fatal(err)
	}
}

// freeze stops the page as a device does that sleeps, or wakes it.
func (p *tab) freeze(frozen bool) {
	p.t.Helper()
	state := page.SetWebLifecycleStateStateActive
	if frozen {
		state = page.SetWebLifecycleStateStateFrozen
	}
	if _, err := chromedp.Call(p.ctx, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: state}); err != nil {
		p.t.Fatal(err)
	}
	// A frozen page is hidden, and stays so when it goes on; this shows it.
	if _, err := chromedp.Call(p.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: !frozen}); err != nil {
		p.t.Fatal(err)
	}
}

// front brings the tab before the others of its device.
func (p *tab) front() {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, page.BringToFront, cdp.Empty{}); err != nil {
		p.t.Fatal(err)
	}
}

// atStart runs a script in every page that is opened from now on, before its own.
func (p *tab) atStart(script string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		p.t.Fatal(err)
	}
}

// traffic is what a tab has fetched: how many requests, and the bytes of the answers as they went over the wire.
type traffic struct {
	mu       sync.Mutex
	requests int
	bytes    float64
	part     map[network.RequestID]float64 // of answers that go on
}

func (p *tab) traffic() *traffic {
	p.t.Helper()
	heard := &traffic{part: map[network.RequestID]float64{}}
	if _, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{}); err != nil {
		p.t.Fatal(err)
	}
	err := chromedp.Listen(p.ctx, func(ev any) {
		heard.mu.Lock()
		defer heard.mu.Unlock()
		switch e := ev.(type) {
		case *network.EventRequestWillBeSent:
			if strings.HasPrefix(e.Request.URL, "http") {
				heard.requests++
			}
		case *network.EventResponseReceived:
			heard.part[e.RequestID] = e.Response.EncodedDataLength
		case *network.EventDataReceived:
			heard.part[e.RequestID] += float64(e.EncodedDataLength)
		case *network.EventLoadingFinished:
			heard.bytes += e.EncodedDataLength
			delete(heard.part, e.RequestID)
		}
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return heard
}

// sum is the requests and the bytes so far.
func (h *traffic) sum() (int, float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sum := h.bytes
	for _, n := range h.part {
		sum += n
	}
	return h.requests, sum
}

// picture writes what the page looks like into the folder that MELDHALL_PICTURES names, if it does.
func (p *tab) picture(name string) { p.t.Helper(); p.keep(name, chromedp.CaptureScreenshot()) }

// whole is picture of all of the page, what is below the screen too.
func (p *tab) whole(name string) { p.t.Helper(); p.keep(name, chromedp.FullScreenshot(100)) }

func (p *tab) keep(name string, look chromedp.Action[[]byte]) {
	p.t.Helper()
	folder := os.Getenv("MELDHALL_PICTURES")
	if folder == "" {
		return
	}
	image, err := chromedp.Run(p.ctx, look)
	if err != nil {
		p.t.Fatal(err)
	}
	file := strings.NewReplacer("/", "-", " ", "_").Replace(p.t.Name()+"-"+name) + ".png"
	if err := os.WriteFile(filepath.Join(folder, file), image, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// complaints are the errors and warnings of the page so far, a breach of the content policy among them.
func (p *tab) complaints() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.problems
}

// vision shows the page as somebody sees it who sees colours otherwise: none, achromatopsia, protanopia,
// deuteranopia or tritanopia.
func (p *tab) vision(kind string) {
	p.t.Helper()
	params := emulation.SetEmulatedVisionDeficiencyParams{Type: emulation.SetEmulatedVisionDeficiencyType(kind)}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedVisionDeficiency, params); err != nil {
		p.t.Fatal(err)
	}
}

// layouts is how often the browser has laid the page out since it counts.
func (p *tab) layouts() float64 {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		p.t.Fatal(err)
	}
	got, err := chromedp.Call(p.ctx, performance.GetMetrics, struct{}{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, m := range got.Metrics {
		if m.Name == "LayoutCount" {
			return m.Value
		}
	}
	p.t.Fatal("the browser does not count layouts")
	return 0
}

// heap is how many bytes the page's scripts hold and how many nodes it has, with what nobody holds any more taken away.
func (p *tab) heap() (bytes, nodes float64) {
	p.t.Helper()
	for range 3 {
		if _, err := chromedp.Call(p.ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
			p.t.Fatal(err)
		}
	}
	if _, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		p.t.Fatal(err)
	}
	got, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, m := range got.Metrics {
		switch m.Name {
		case "JSHeapUsedSize":
			bytes = m.Value
		case "Nodes":
			nodes = m.Value
		}
	}
	return bytes, nodes
}

// seeThrough takes a picture on a background that lets everything through.
func (p *tab) seeThrough() []byte {
	p.t.Helper()
	params := emulation.SetDefaultBackgroundColorOverrideParams{Color: &cdp.RGBA{A: 1e-9}} // none at all would be taken for all of it
	if _, err := chromedp.Call(p.ctx, emulation.SetDefaultBackgroundColorOverride, params); err != nil {
		p.t.Fatal(err)
	}
	image, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	return image
}
