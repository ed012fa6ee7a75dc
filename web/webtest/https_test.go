package webtest

import (
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament/rights"
	"meldhall/web"
	"meldhall/web/guard"
)

// With an https address, cookies and headers keep a browser on https, and its cookies on this host and away from
// scripts.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	h := newHall(t, func(c *web.Config) { c.BaseURL = "https://hall.example" })
	h.account(rights.RoleReferee)
	body := strings.NewReader("name=referee&password=" + password)
	req, err := http.NewRequest(http.MethodPost, h.http.URL+"/sign-in", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	cookies := res.Cookies()
	for _, c := range cookies {
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode ||
			c.Path != "/" || c.Domain != "" {
			t.Errorf("got the cookie %s", c.Raw)
		}
	}
	if res.StatusCode != http.StatusSeeOther || len(cookies) < 2 {
		t.Errorf("got %d and %d cookies", res.StatusCode, len(cookies))
	}
	for _, path := range []string{"/", "/nothing", "/api/v1/tournaments", "/api/v1/accounts",
		h.server.View.Build + "/icon.svg"} {
		res, err := http.Get(h.http.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		all, pages := guard.Headers(true)
		maps.Copy(all, pages)
		for name, values := range all {
			if got := res.Header.Get(name); got != values[0] && name != "Cache-Control" {
				t.Errorf("%s: %s is %q, want %q", path, name, got, values[0])
			}
		}
		if kind := res.Header.Get("Content-Type"); !strings.Contains(kind, "charset=utf-8") &&
			!strings.HasPrefix(kind, "application/json") {
			t.Errorf("%s is %q", path, kind)
		}
		if allowed := res.Header.Get("Access-Control-Allow-Origin"); allowed != "" &&
			(allowed != "*" || !strings.HasPrefix(path, "/api/v1/")) {
			t.Errorf("%s allows %s", path, allowed)
		}
	}
}

// User input appears as text on a page, even if it looks like markup.
func TestTypedTextIsNoMarkup(t *testing.T) {
	t.Parallel()
	const typed = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`
	e := newPublished(t, typed, roster(3)+`"`+strings.ReplaceAll(typed, `"`, `""`)+"\",IT\n", nil)
	for _, path := range []string{"/", "/events/1", "/events/1/tables", "/desk/1", "/desk/1/roster", "/desk/1/log",
		"/referee/1"} {
		page := e.signedIn("organizer").get(t, path).is(http.StatusOK)
		if page.count("img[src=x]") > 0 || strings.Contains(page.text("script"), "alert(") {
			t.Errorf("%s runs what was typed", path)
		}
		if !strings.Contains(page.text("body"), "alert(1)") && path != "/referee/1" {
			t.Errorf("%s does not say it", path)
		}
	}
}

func TestTraceIsNoMethod(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	for _, path := range []string{"/", "/api/v1/tournaments"} {
		req, err := http.NewRequest(http.MethodTrace, h.http.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Told", "again and again")
		res, err := h.http.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusMethodNotAllowed ||
			strings.Contains(string(body), "again and again") {
			t.Errorf("%s: got %d %s, %v", path, res.StatusCode, body, err)
		}
	}
}
