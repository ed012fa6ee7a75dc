package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
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

// tab is a page on a touch screen. It records the page's errors and counts taps and drags.
type tab struct {
	t           *testing.T
	remote      remote
	ctx         context.Context // nil if the browser is not Chromium
	taps, drags int

	mu       sync.Mutex
	problems []string
}

func (b *chromium) tab(t *testing.T, width, height int64) *tab {
	t.Helper()
	return b.newTab(t, width, height, chromedp.WithNewBrowserContext())
}

// beside opens another tab of the same device, which shares its cookies and storage.
func (b *chromium) beside(p *tab, width, height int64) *tab {
	p.t.Helper()
	return b.newTab(p.t, width, height,
		chromedp.WithExistingBrowserContext(chromedp.FromContext(p.ctx).BrowserContextID))
}

func (b *chromium) newTab(t *testing.T, width, height int64, option chromedp.ContextOption) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, option)
	p := &tab{t: t, ctx: ctx, remote: devtools{ctx}}
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
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException ||
				m.Type == chromedp.ConsoleWarning {
				p.complain(fmt.Sprintf("%s %s (%s:%d)", m.Type, m.Text, m.URL, m.Line))
			}
		}
	})
	t.Cleanup(func() { cancel(); reading.Wait() })
	p.size(width, height)
	return p
}

// size resizes or rotates the screen.
func (p *tab) size(width, height int64) { p.t.Helper(); p.must(p.remote.size(width, height)) }

// still makes a tab of Chromium ask for reduced motion, so animations do not disturb checks.
func (p *tab) still() {
	p.t.Helper()
	if p.ctx == nil {
		return
	}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion",
			Value: "reduce"}}}); err != nil {
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

// within makes the objects' errors go to a subtest until it ends.
func within(t *testing.T, whose ...**testing.T) {
	for _, w := range whose {
		was := *w
		t.Cleanup(func() { *w = was })
		*w = t
	}
}

func (p *tab) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) open(address string) { p.t.Helper(); p.must(p.remote.load(address)) }

func (p *tab) reload() { p.t.Helper(); p.do(chromedp.Reload()) }

// seat gives the tab a seat by its token, as joining does.
func (p *tab) seat(server, token string) {
	p.t.Helper()
	p.cookie(server, "meldhall-seat", token)
}

// cookie sets a cookie, or deletes it if value is "".
func (p *tab) cookie(server, name, value string) {
	p.t.Helper()
	u, err := url.Parse(server)
	p.must(err)
	p.must(p.remote.cookie(u, name, value))
}

// eval evaluates an expression in a page.
func eval[T any](p *tab, expression string) (value T) {
	p.t.Helper()
	text, err := p.remote.evaluate(expression)
	if err != nil {
		p.t.Fatalf("%s: %v", short(expression), err)
	}
	if len(text) == 0 || string(text) == "null" {
		switch reflect.TypeFor[T]().Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
			return value
		}
	}
	if err := json.Unmarshal(text, &value); err != nil {
		p.t.Fatalf("%s is %s: %v", short(expression), text, err)
	}
	return value
}

// wait waits until an expression is true in a fully parsed page, across navigations. It polls less often as time
// passes, because each poll costs a millisecond in three processes.
func (p *tab) wait(expression string) {
	p.t.Helper()
	pause := 15 * time.Millisecond
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(pause) {
		pause = min(pause*4/3, 100*time.Millisecond)
		ok, err := p.remote.evaluate("document.readyState !== 'loading' && !!(" + expression + ")")
		if string(ok) == "true" && err == nil {
			return
		}
		if time.Now().After(end) {
			p.picture("failed")
			p.t.Fatalf("never true: %s (err %v) at %s\nthe page complained of: %v\n%s", short(expression), err,
				eval[string](p, "location.href"), p.complaints(),
				eval[string](p, "document.body.innerText.slice(0, 900)"))
		}
	}
}

func short(expression string) string { return expression[:min(len(expression), 300)] }

// keyCodes are the keys that tests press.
var keyCodes = map[string]int64{"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37,
	"ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

// press presses keys in order, such as "Tab", "Shift+Tab" or "Ctrl+ArrowRight".
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, name := range keys {
		key, held := name, int64(0)
		for modifier, bit := range map[string]int64{"Ctrl+": 2, "Shift+": 8} {
			if rest, ok := strings.CutPrefix(key, modifier); ok {
				key, held = rest, bit
			}
		}
		down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Code: key,
			WindowsVirtualKeyCode: keyCodes[key], Modifiers: held}
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

// write types a text at the focus.
func (p *tab) write(text string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.t.Fatal(err)
	}
}

// slow slows the tab's processor down by a factor.
func (p *tab) slow(factor float64) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetCPUThrottlingRate,
		emulation.SetCPUThrottlingRateParams{Rate: factor}); err != nil {
		p.t.Fatal(err)
	}
}

// spent returns the processor time in ms that the page's main thread has used for scripts, styles and layout,
// independent of the machine's load.
func (p *tab) spent() (ms float64) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, performance.Enable,
		performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
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

// offline switches the tab's network off or on, and lets the browser report it.
func (p *tab) offline(off bool) {
	p.t.Helper()
	conditions := []*network.Conditions{{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}}
	if _, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule,
		network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: conditions}); err != nil {
		p.t.Fatal(err)
	}
	if _, err := chromedp.Call(p.ctx, network.OverrideNetworkState,
		network.OverrideNetworkStateParams{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}); err != nil {
		p.t.Fatal(err)
	}
}

// mobile limits the tab to a slow mobile network: 1.6 Mbit/s and 150 ms latency per request.
func (p *tab) mobile() {
	p.t.Helper()
	p.network(150, 1.6e6)
}

// network limits the tab to a latency in milliseconds per request and to a number of bits per second.
func (p *tab) network(latency, bits float64) {
	p.t.Helper()
	conditions := []*network.Conditions{{Latency: latency, DownloadThroughput: bits / 8, UploadThroughput: bits / 16}}
	if _, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule,
		network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: conditions}); err != nil {
		p.t.Fatal(err)
	}
}

// freeze freezes the page, as a sleeping device does, or wakes it.
func (p *tab) freeze(frozen bool) {
	p.t.Helper()
	state := page.SetWebLifecycleStateStateActive
	if frozen {
		state = page.SetWebLifecycleStateStateFrozen
	}
	if _, err := chromedp.Call(p.ctx, page.SetWebLifecycleState,
		page.SetWebLifecycleStateParams{State: state}); err != nil {
		p.t.Fatal(err)
	}
	// A frozen page is hidden and stays so after it resumes; this shows it.
	if _, err := chromedp.Call(p.ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: !frozen}); err != nil {
		p.t.Fatal(err)
	}
}

// front brings the tab to the front of its device's tabs.
func (p *tab) front() {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, page.BringToFront, cdp.Empty{}); err != nil {
		p.t.Fatal(err)
	}
}

// atStart runs a script in every page that is opened from now on, before the page's own scripts.
func (p *tab) atStart(script string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		p.t.Fatal(err)
	}
}

// traffic is what a tab has fetched: the number of requests, and the bytes of the responses on the wire.
type traffic struct {
	mu       sync.Mutex
	requests int
	bytes    float64
	part     map[network.RequestID]float64 // responses in progress
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

// sum returns the requests and the bytes so far.
func (h *traffic) sum() (int, float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sum := h.bytes
	for _, n := range h.part {
		sum += n
	}
	return h.requests, sum
}

// picture saves a screenshot to the folder in MELDHALL_PICTURES, if that is set.
func (p *tab) picture(name string) { p.t.Helper(); p.keep(name, p.remote.picture) }

// whole is picture for the whole page of Chromium, including the part below the screen.
func (p *tab) whole(name string) {
	p.t.Helper()
	p.keep(name, func() ([]byte, error) { return chromedp.Run(p.ctx, chromedp.FullScreenshot(100)) })
}

func (p *tab) keep(name string, look func() ([]byte, error)) {
	p.t.Helper()
	folder := os.Getenv("MELDHALL_PICTURES")
	if folder == "" {
		return
	}
	image, err := look()
	p.must(err)
	file := strings.NewReplacer("/", "-", " ", "_").Replace(p.t.Name()+"-"+name) + ".png"
	if err := os.WriteFile(filepath.Join(folder, file), image, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) complain(problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, problem)
}

// complaints returns the page's errors and warnings so far, including violations of the content security policy.
func (p *tab) complaints() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.problems
}

// forgive forgets the complaints so far.
func (p *tab) forgive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = nil
}

// vision shows the page with a colour vision deficiency: none, achromatopsia, protanopia, deuteranopia or tritanopia.
func (p *tab) vision(kind string) {
	p.t.Helper()
	params := emulation.SetEmulatedVisionDeficiencyParams{Type: emulation.SetEmulatedVisionDeficiencyType(kind)}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedVisionDeficiency, params); err != nil {
		p.t.Fatal(err)
	}
}

// layouts returns how many layouts the browser has counted.
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

// heap returns the bytes that the page's scripts hold and its number of nodes, after garbage collection.
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

// seeThrough takes a screenshot with a transparent background.
func (p *tab) seeThrough() []byte {
	p.t.Helper()
	// a fully transparent colour would count as none
	params := emulation.SetDefaultBackgroundColorOverrideParams{Color: &cdp.RGBA{A: 1e-9}}
	if _, err := chromedp.Call(p.ctx, emulation.SetDefaultBackgroundColorOverride, params); err != nil {
		p.t.Fatal(err)
	}
	image, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	return image
}
