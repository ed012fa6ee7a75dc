package webtest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"meldhall/engine/testmode"
)

// webkit is a window of WebKit, the engine of iPads, driven over WebDriver. Its touches arrive as a mouse's.
type webkit struct {
	session string
	origin  string // of the page; cookies can only be set there
}

const miniBrowser = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"

// startWebKit opens a window on its own virtual screen. Without WebKit's driver the test is skipped; in CI it fails.
func startWebKit(t *testing.T) *tab {
	t.Helper()
	testmode.SkipUnlessLong(t)
	testmode.SkipUnderRace(t)
	t.Parallel()
	for _, program := range []string{"Xvfb", "WebKitWebDriver", miniBrowser} {
		if _, err := exec.LookPath(program); err != nil {
			testmode.SkipMissing(t, fmt.Errorf("install webkit2gtk-driver, xvfb and xauth: %w", err))
		}
	}
	p := &tab{t: t}
	displayOut, displayIn, err := os.Pipe()
	p.must(err)
	screen := exec.CommandContext(t.Context(), "Xvfb", "-displayfd", "3", "-screen", "0", "2100x2100x24")
	screen.ExtraFiles = []*os.File{displayIn}
	begin(t, screen)
	display := make([]byte, 8)
	n, err := displayOut.Read(display)
	p.must(err)
	config := t.TempDir()
	style := filepath.Join(config, "gtk-3.0", "gtk.css") // without it the window cannot be as narrow as a phone
	p.must(os.MkdirAll(filepath.Dir(style), 0o755))
	p.must(os.WriteFile(style, []byte("*{min-width:0;min-height:0;padding:0;margin:0;font-size:4px}"), 0o644))
	free, err := net.Listen("tcp", "127.0.0.1:0")
	p.must(err)
	address := free.Addr().String()
	free.Close()
	driver := exec.CommandContext(t.Context(), "WebKitWebDriver", "--port="+address[strings.LastIndex(address, ":")+1:])
	driver.Env = append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(string(display[:n])), "XDG_CONFIG_HOME="+config)
	console, err := driver.StdoutPipe()
	p.must(err)
	begin(t, driver)
	go func() {
		for lines := bufio.NewScanner(console); lines.Scan(); {
			if strings.Contains(lines.Text(), " ERROR ") {
				p.complain(lines.Text())
			}
		}
	}()
	w := &webkit{session: "http://" + address + "/session"}
	p.remote = w
	p.must(w.begin())
	return p
}

// begin starts the session as soon as the driver listens.
func (w *webkit) begin() error {
	var made struct {
		SessionID string `json:"sessionId"`
	}
	options := map[string]any{"binary": miniBrowser,
		"args": []string{"--automation", "--enable-write-console-messages-to-stdout=true"}}
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		err := w.do(http.MethodPost, "", map[string]any{"capabilities": map[string]any{
			"alwaysMatch": map[string]any{"webkitgtk:browserOptions": options}}}, &made)
		if err == nil || time.Now().After(end) {
			w.session += "/" + made.SessionID
			return err
		}
	}
}

// begin starts a program that ends with the test.
func begin(t *testing.T, program *exec.Cmd) {
	t.Helper()
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill(); _ = program.Wait() })
}

// do sends a command; into may be nil.
func (w *webkit) do(method, command string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, w.session+command, bytes.NewReader(text))
	if err != nil {
		return err
	}
	answer, err := (&http.Client{Timeout: patience}).Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var value struct{ Value json.RawMessage }
	if err := json.NewDecoder(answer.Body).Decode(&value); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", command, value.Value)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(value.Value, into)
}

func (w *webkit) size(width, height int64) error {
	return w.do(http.MethodPost, "/window/rect", map[string]int64{"x": 0, "y": 0, "width": width, "height": height},
		nil)
}

func (w *webkit) load(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	w.origin = u.Host
	return w.do(http.MethodPost, "/url", map[string]string{"url": address}, nil)
}

func (w *webkit) cookie(server *url.URL, name, value string) error {
	if w.origin != server.Host {
		if err := w.load(server.String() + "/healthz"); err != nil {
			return err
		}
	}
	if value == "" {
		return w.do(http.MethodDelete, "/cookie/"+name, nil, nil)
	}
	return w.do(http.MethodPost, "/cookie", map[string]any{"cookie": map[string]any{"name": name, "value": value,
		"path": "/", "httpOnly": true}}, nil)
}

func (w *webkit) evaluate(expression string) ([]byte, error) {
	var text *string
	err := w.do(http.MethodPost, "/execute/sync", map[string]any{"script": "return " + asJSON(expression),
		"args": []any{}}, &text)
	if err != nil || text == nil {
		return nil, err
	}
	return []byte(*text), nil
}

func (w *webkit) act(actions []map[string]any) error {
	return w.do(http.MethodPost, "/actions", map[string]any{"actions": []any{map[string]any{"type": "pointer",
		"id": "finger", "parameters": map[string]string{"pointerType": "touch"}, "actions": actions}}}, nil)
}

func (w *webkit) touch(kind input.DispatchTouchEventType, at *point, _ time.Time) error {
	if kind == input.DispatchTouchEventTypeTouchCancel {
		return errors.ErrUnsupported
	}
	return w.act(pointing(kind, at))
}

func (w *webkit) tap(at point, _ time.Time) error { return w.act(tapping(at)) }

func (w *webkit) picture() ([]byte, error) {
	var text string
	if err := w.do(http.MethodGet, "/screenshot", nil, &text); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(text)
}
