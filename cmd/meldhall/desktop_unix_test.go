//go:build unix

package main

import (
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"meldhall/cmd/internal/client"
	"meldhall/engine/testmode"
)

// pages returns the addresses that the browser was told to open.
func (c *computer) pages() []string {
	text, _ := os.ReadFile(c.opened) // missing before the first
	return strings.Fields(string(text))
}

// read requests a page with a browser's client, and returns its status and text.
func read(t *testing.T, browser *http.Client, method, address string, header http.Header) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(req.Header, header)
	resp, err := browser.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestDoubleClick starts the program without arguments and without a terminal. It opens the page of the first organizer
// with the address for tablets. A second start opens the page of the first. Only that person can quit it.
func TestDoubleClick(t *testing.T) {
	testmode.SkipUnderRace(t)
	c := newComputer(t)
	i, ended := c.start(t)
	await(t, func() bool { return len(c.pages()) == 1 })
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	person := &http.Client{Jar: jar}
	status, page := read(t, person, "GET", c.pages()[0], nil)
	if status != 200 || !strings.Contains(page, `name="password"`) || !strings.Contains(page, "/computer/quit") ||
		!strings.Contains(page, `class="qr"`) && !strings.Contains(page, "in no network") {
		t.Errorf("the first page: %d\n%s", status, page)
	}
	if out, err := c.run(t); err != nil || len(c.pages()) != 2 || c.pages()[1] != c.pages()[0] {
		t.Errorf("the second start: %v, %s, opened %q", err, out, c.pages())
	}
	if _, err := client.SetUp(t.Context(), client.New(i.Address, client.NewTransport()), i.Token, "Ada",
		"a long enough password"); err != nil {
		t.Fatal(err)
	}
	if status, page := read(t, person, "GET", c.pages()[1], nil); status != 200 ||
		!strings.Contains(page, "Meldhall on this computer") {
		t.Errorf("the page with an account: %d\n%s", status, page)
	}
	quit := i.Address + "/computer/quit"
	own := http.Header{"Origin": {i.Address}}
	for name, try := range map[string]struct {
		client  *http.Client
		address string
		header  http.Header
		want    int
	}{
		"another browser":        {http.DefaultClient, quit, own, 404},
		"a wrong key":            {http.DefaultClient, i.Address + "/computer?key=x", own, 404},
		"a page of another site": {person, quit, http.Header{"Origin": {"http://elsewhere.example"}}, 403},
	} {
		method := "POST"
		if strings.Contains(try.address, "?") {
			method = "GET"
		}
		if status, _ := read(t, try.client, method, try.address, try.header); status != try.want {
			t.Errorf("%s: %d, want %d", name, status, try.want)
		}
	}
	if status, page := read(t, person, "GET", quit, nil); status != 200 || !strings.Contains(page, "Quit Meldhall?") {
		t.Errorf("the question: %d\n%s", status, page)
	}
	if status, page := read(t, person, "POST", quit, own); status != 200 || !strings.Contains(page, "has stopped") {
		t.Errorf("the end: %d\n%s", status, page)
	}
	<-ended
}

// TestDoubleClickShowsAProblem starts the program on a database that a server in a terminal has: a page says so. The
// record of that server must not count as one of the desktop.
func TestDoubleClickShowsAProblem(t *testing.T) {
	testmode.SkipUnderRace(t)
	c := newComputer(t)
	server := launch(t, c.db)
	defer func() { server.Kill() }()
	cmd := exec.Command(c.program)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	await(t, func() bool { return len(c.pages()) == 1 })
	status, page := read(t, http.DefaultClient, "GET", c.pages()[0], nil)
	if status != 200 || !strings.Contains(page, "did not start") || !strings.Contains(page, "is in use: process") {
		t.Errorf("%d %s", status, page)
	}
	if u, err := url.Parse(c.pages()[0]); err != nil || u.Hostname() != "127.0.0.1" {
		t.Errorf("the problem is at %v, %v", u, err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the program did not fail")
	}
}
