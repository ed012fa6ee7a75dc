package webtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"

	"meldhall/engine/testmode"
)

// chromium is one browser. Each tab has its own cookies and storage, like a tablet.
type chromium struct {
	t   *testing.T
	ctx context.Context
}

// startChromium returns the browser that all tests share and marks the test as parallel and long. Without a browser the
// test is skipped; in CI it fails. Under the race detector browser tests are skipped.
func startChromium(t *testing.T) *chromium {
	t.Helper()
	testmode.SkipUnlessLong(t)
	return startChromiumAlways(t)
}

// startChromiumAlways is startChromium for the few tests that also run in ordinary runs.
func startChromiumAlways(t *testing.T) *chromium {
	t.Helper()
	testmode.SkipUnderRace(t)
	t.Parallel()
	return sharedChromium(t)
}

// startChromiumTimed is startChromium for a test whose limits are well above what it measures. It runs alone only in
// long runs, which record its figures.
func startChromiumTimed(t *testing.T) *chromium {
	t.Helper()
	if long() {
		return startChromiumAlone(t)
	}
	return startChromium(t)
}

// startChromiumAlone is startChromium for a long test that measures time and therefore does not run in parallel.
func startChromiumAlone(t *testing.T) *chromium {
	t.Helper()
	testmode.SkipUnlessLong(t)
	testmode.SkipUnderRace(t)
	return sharedChromium(t)
}

func sharedChromium(t *testing.T) *chromium {
	t.Helper()
	ctx, err := browser()
	if errors.Is(err, exec.ErrNotFound) {
		testmode.SkipMissing(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &chromium{t, ctx}
}

// browser is the browser that all tests share. It starts when the first test needs it and ends with the tests. The
// headless shell has the same engine and takes half the time.
var browser = sync.OnceValues(func() (context.Context, error) {
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		path, err = exec.LookPath("chromium")
	}
	if err != nil {
		return nil, fmt.Errorf("apt-get install chromium-headless-shell: %w", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("touch-events", "enabled"))
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	endBrowser = stop
	ctx, _ := chromedp.NewContext(allocated)
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return ctx, nil
})

var endBrowser = func() {}

// TestMain runs twice as many tests in parallel as there are cores, unless a flag sets the number. Most tests spend
// half their time waiting for a browser's clock, animation or network.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // memory is plentiful, and time is not
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if !said {
		if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	endBrowser()
	os.Exit(code)
}

// ownFonts returns how many letters of an element are drawn with fonts that the page loads or names, and which other
// system fonts were needed.
func (p *tab) ownFonts(selector string) (own int, others []string) {
	p.t.Helper()
	check := func(err error) {
		p.t.Helper()
		if err != nil {
			p.t.Fatal(err)
		}
	}
	_, err := chromedp.Call(p.ctx, dom.Enable, dom.EnableParams{})
	check(err)
	_, err = chromedp.Call(p.ctx, css.Enable, cdp.Empty{})
	check(err)
	document, err := chromedp.Call(p.ctx, dom.GetDocument, dom.GetDocumentParams{})
	check(err)
	node, err := chromedp.Call(p.ctx, dom.QuerySelector, dom.QuerySelectorParams{NodeID: document.Root.NodeID,
		Selector: selector})
	check(err)
	used, err := chromedp.Call(p.ctx, css.GetPlatformFontsForNode,
		css.GetPlatformFontsForNodeParams{NodeID: node.NodeID})
	check(err)
	for _, f := range used.Fonts {
		if f.IsCustomFont {
			own += int(f.GlyphCount)
		} else {
			others = append(others, f.FamilyName)
		}
	}
	return own, others
}
