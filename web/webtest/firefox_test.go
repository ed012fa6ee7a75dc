package webtest

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"golang.org/x/net/websocket"

	"meldhall/engine/testmode"
)

// firefox is a window of Firefox with a touch screen, driven over WebDriver BiDi.
type firefox struct {
	socket  *websocket.Conn
	context string // the ID of the tab

	mu      sync.Mutex
	last    int // number of commands so far
	waiting map[int]chan reply
}

// reply is a reply to a command, or an event.
type reply struct {
	ID             int
	Method         string
	Result, Params json.RawMessage
	Error, Message string
}

// preferences give Firefox a touch screen and keep it from reaching for the internet.
const preferences = `user_pref("dom.w3c_touch_events.enabled", 1);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,none");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
`

// startFirefox opens a window without a screen. Without Firefox the test is skipped; in CI it fails.
func startFirefox(t *testing.T) *tab {
	t.Helper()
	testmode.SkipUnlessLong(t)
	testmode.SkipUnderRace(t)
	t.Parallel()
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		testmode.SkipMissing(t, fmt.Errorf("install firefox-esr: %w", err))
	}
	p := &tab{t: t}
	profile := t.TempDir()
	p.must(os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o644))
	const origin = "http://localhost"
	program := exec.CommandContext(t.Context(), path, "--headless", "--no-remote", "--profile", profile,
		"--remote-debugging-port=0", "--remote-allow-origins="+origin, "about:blank")
	program.Env = append(os.Environ(), "HOME="+profile, "MOZ_HEADLESS_WIDTH=1400", "MOZ_HEADLESS_HEIGHT=1400")
	said, err := program.StderrPipe()
	p.must(err)
	begin(t, program)
	address := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if _, at, ok := strings.Cut(lines.Text(), "WebDriver BiDi listening on "); ok {
				address <- at
			}
		}
	}()
	f := &firefox{waiting: map[int]chan reply{}}
	select {
	case at := <-address:
		f.socket, err = websocket.Dial(at+"/session", "", origin)
		p.must(err)
	case <-time.After(patience):
		t.Fatal("Firefox does not listen")
	}
	p.remote = f
	go f.read(p.complain)
	p.must(f.begin())
	return p
}

// begin starts a session with the one tab.
func (f *firefox) begin() error {
	if err := f.do("session.new", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		return err
	}
	if err := f.do("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil); err != nil {
		return err
	}
	var tabs struct{ Contexts []struct{ Context string } }
	if err := f.do("browsingContext.getTree", map[string]any{}, &tabs); err != nil {
		return err
	}
	f.context = tabs.Contexts[0].Context
	return nil
}

// read delivers the replies until the connection ends.
func (f *firefox) read(complain func(string)) {
	for {
		var r reply
		if err := websocket.JSON.Receive(f.socket, &r); err != nil {
			return
		}
		if r.Method == "log.entryAdded" {
			var entry struct{ Level, Text string }
			if err := json.Unmarshal(r.Params, &entry); err == nil && entry.Level == "error" {
				complain(entry.Text)
			}
			continue
		}
		f.mu.Lock()
		if waits := f.waiting[r.ID]; waits != nil {
			waits <- r
			delete(f.waiting, r.ID)
		}
		f.mu.Unlock()
	}
}

// do sends a command and waits for its reply; into may be nil.
func (f *firefox) do(method string, params map[string]any, into any) error {
	waits := make(chan reply, 1)
	f.mu.Lock()
	f.last++
	id := f.last
	f.waiting[id] = waits
	err := websocket.JSON.Send(f.socket, map[string]any{"id": id, "method": method, "params": params})
	f.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case r := <-waits:
		if r.Error != "" {
			return fmt.Errorf("%s: %s: %s", method, r.Error, r.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(r.Result, into)
	case <-time.After(patience):
		return fmt.Errorf("%s: no reply", method)
	}
}

func (f *firefox) size(width, height int64) error {
	return f.do("browsingContext.setViewport", map[string]any{"context": f.context,
		"viewport": map[string]int64{"width": width, "height": height}}, nil)
}

// load opens an address. Firefox does not reply if the page before is still loading, so load waits for that one first.
func (f *firefox) load(address string) error {
	loaded := `document.readyState === "complete" ||
		new Promise((done) => addEventListener("load", () => done(true), { once: true }))`
	if _, err := f.evaluate(loaded); err != nil {
		return err
	}
	return f.do("browsingContext.navigate", map[string]any{"context": f.context, "url": address, "wait": "complete"},
		nil)
}

func (f *firefox) cookie(server *url.URL, name, value string) error {
	if value == "" {
		return f.do("storage.deleteCookies", map[string]any{"filter": map[string]any{"name": name}}, nil)
	}
	return f.do("storage.setCookie", map[string]any{"cookie": map[string]any{"name": name, "domain": server.Hostname(),
		"path": "/", "httpOnly": true, "value": map[string]string{"type": "string", "value": value}}}, nil)
}

func (f *firefox) evaluate(expression string) ([]byte, error) {
	var got struct {
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	err := f.do("script.evaluate", map[string]any{"expression": asJSON(expression), "awaitPromise": true,
		"target": map[string]string{"context": f.context}, "userActivation": false}, &got)
	if err == nil && got.ExceptionDetails.Text != "" {
		err = errors.New(got.ExceptionDetails.Text)
	}
	return []byte(got.Result.Value), err
}

func (f *firefox) act(actions []map[string]any) error {
	return f.do("input.performActions", map[string]any{"context": f.context, "actions": []any{map[string]any{
		"type": "pointer", "id": "finger", "parameters": map[string]string{"pointerType": "touch"},
		"actions": actions}}}, nil)
}

func (f *firefox) touch(kind input.DispatchTouchEventType, at *point, _ time.Time) error {
	if kind == input.DispatchTouchEventTypeTouchCancel {
		return errors.ErrUnsupported
	}
	return f.act(pointing(kind, at))
}

func (f *firefox) tap(at point, _ time.Time) error { return f.act(tapping(at)) }

func (f *firefox) picture() ([]byte, error) {
	var got struct{ Data string }
	if err := f.do("browsingContext.captureScreenshot", map[string]any{"context": f.context}, &got); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(got.Data)
}
