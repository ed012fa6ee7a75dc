package webtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"meldhall/engine/testmode"
)

// webkit is a window of WebKit, the engine of iPads, driven over WebDriver.
type webkit struct {
	t       *testing.T
	session string
}

// startWebKit opens a window on its own virtual screen. Without WebKit's driver the test is skipped; in CI it fails.
func startWebKit(t *testing.T) *webkit {
	t.Helper()
	testmode.SkipUnlessLong(t)
	const browser = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
	for _, program := range []string{"Xvfb", "WebKitWebDriver", browser} {
		if _, err := exec.LookPath(program); err != nil {
			skipMissing(t, fmt.Errorf("install webkit2gtk-driver, xvfb and xauth: %w", err))
		}
	}
	displayOut, displayIn, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	screen := exec.CommandContext(t.Context(), "Xvfb", "-displayfd", "3", "-screen", "0", "2100x2100x24")
	screen.ExtraFiles = []*os.File{displayIn}
	begin(t, screen)
	display := make([]byte, 8)
	n, err := displayOut.Read(display)
	if err != nil {
		t.Fatal(err)
	}
	config := t.TempDir()
	style := filepath.Join(config, "gtk-3.0", "gtk.css")
	if err := os.MkdirAll(filepath.Dir(style), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(style, []byte("*{min-width:0;min-height:0;padding:0;margin:0;font-size:4px}"),
		0o644); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	driver := exec.CommandContext(t.Context(), "WebKitWebDriver", "--port="+address[strings.LastIndex(address, ":")+1:])
	driver.Env = append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(string(display[:n])), "XDG_CONFIG_HOME="+config)
	begin(t, driver)
	w := &webkit{t: t, session: "http://" + address + "/session"}
	var made struct {
		SessionID string `json:"sessionId"`
	}
	options := map[string]any{"binary": browser, "args": []string{"--automation"}}
	for end := time.Now().Add(30 * time.Second); ; <-time.After(50 * time.Millisecond) {
		err := w.try("",
			map[string]any{"capabilities": map[string]any{
				"alwaysMatch": map[string]any{"webkitgtk:browserOptions": options}}}, &made)
		if err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	w.session += "/" + made.SessionID
	return w
}

func begin(t *testing.T, program *exec.Cmd) {
	t.Helper()
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill(); _ = program.Wait() })
}

// try posts a command; into may be nil.
func (w *webkit) try(command string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	answer, err := http.Post(w.session+command, "application/json", bytes.NewReader(text))
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

func (w *webkit) do(command string, body any) {
	w.t.Helper()
	if err := w.try(command, body, nil); err != nil {
		w.t.Fatal(err)
	}
}

// open loads a page in a window of the given size. It sets a cookie first if one is named.
func (w *webkit) open(server, path, cookie, value string, width, height int) {
	w.t.Helper()
	w.do("/window/rect", map[string]int{"x": 0, "y": 0, "width": width, "height": height})
	if cookie != "" {
		w.do("/url", map[string]string{"url": server + "/healthz"})
		w.do("/cookie", map[string]any{"cookie": map[string]any{"name": cookie, "value": value, "path": "/",
			"httpOnly": true}})
	}
	w.do("/url", map[string]string{"url": server + path})
}

// wait waits until an expression is true in the page.
func (w *webkit) wait(expression string) {
	w.t.Helper()
	var ok bool
	for end := time.Now().Add(20 * time.Second); ; <-time.After(50 * time.Millisecond) {
		err := w.try("/execute/sync", map[string]any{"script": "return !!(" + expression + ")", "args": []any{}}, &ok)
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("never true: %s (%v)", expression, err)
		}
	}
}

// tap clicks the middle of an element.
func (w *webkit) tap(selector string) {
	w.t.Helper()
	var at point
	script := fmt.Sprintf(`const b = document.querySelector(%q).getBoundingClientRect();
		return { X: Math.round(b.left + b.width / 2), Y: Math.round(b.top + b.height / 2) }`, selector)
	if err := w.try("/execute/sync", map[string]any{"script": script, "args": []any{}}, &at); err != nil {
		w.t.Fatal(err)
	}
	moves := []map[string]any{{"type": "pointerMove", "x": int(at.X), "y": int(at.Y)},
		{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}}
	w.do("/actions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "finger",
		"actions": moves}}})
}

// TestWebKit plays on the tablet's page in WebKit and opens the referee's pages.
func TestWebKit(t *testing.T) {
	w := startWebKit(t)
	e, game := newPreparedTable(t, preparedRacks...)
	e.start()
	e.readyBut(0, game)
	w.open(e.http.URL, "/play/game", "meldhall-seat", e.at(0, 0).token, 1180, 820)
	w.wait(`document.getElementById("link").classList.contains("live") &&
		document.querySelector(".felt").getBoundingClientRect().height > 300`)
	for _, face := range []string{"O10", "O11", "O12"} {
		w.tap(fmt.Sprintf(`#rack [data-face=%s]`, face))
	}
	w.wait(heldAre("O10 O11 O12"))
	w.tap(cell(3))
	w.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
	w.wait(armed("#draw"))
	w.tap("#draw")
	w.wait(`document.querySelector("#sure[open]")`)
	w.wait(armed("#sure-no"))
	w.tap("#sure-no")
	w.wait(`!document.querySelector("#sure[open]")`)
	w.tap("#play")
	w.wait(`document.getElementById("game").dataset.mine === "false"`)

	table := fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[0].ID)
	w.open(e.http.URL, table, "meldhall-staff", e.referee.token, 1180, 820)
	w.wait(`document.querySelector("[popovertarget=more-game]")`)
	w.wait(`document.querySelector("#more-game:popover-open") || document.getElementById("more-game").showPopover()`)
	w.wait(`(([more, last]) => more.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom < 40)(
		[document.getElementById("more-game"), document.querySelector("#more-game > :last-child")])`)

	// The sums of a count stay within the page.
	count := `<ul class="counted"><li><h3>Player</h3><div>tiles</div>` +
		`<p class="sum"><span><small>points</small><b>-123</b></span></p></li></ul>`
	w.wait(fmt.Sprintf(`(document.querySelector("main").innerHTML = %q,
		document.querySelector(".sum b").getBoundingClientRect().right <= innerWidth)`, count))

	w.open(e.http.URL, "/check", "", "", 1180, 820)
	w.wait(`document.querySelector("#check-battery .mark.wait:not([hidden])")`)
	w.wait(`((top) => Math.abs(top(".prefs legend") - top(".prefs .btn")) < 12)(
		(selector) => document.querySelector(selector).getBoundingClientRect().top)`)
}
