package webtest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/export"
	"meldhall/web/request"
)

// asked sends a request without cookies or redirects and returns the response and its body.
func (h *hall) asked(t *testing.T, method, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, h.http.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{Timeout: patience, CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return res, string(body)
}

// TestHeadOfEveryPage sends HEAD to every address that supports GET. The response has the status, type and length of
// GET and no body; for a stream it ends after the headers. Addresses that only accept POST have no HEAD.
func TestHeadOfEveryPage(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := cup(t)
	fill, streams, asked := e.addresses(t, e.round.Tables[0].Games[0].ID), 0, 0
	for _, route := range e.server.Routes() {
		if route.Method != http.MethodGet || strings.HasPrefix(route.Path, "/assets/") {
			continue
		}
		path := fill.Replace(strings.NewReplacer("/tournaments/:id", "/tournaments/:event", "/rounds/:id",
			"/rounds/:round").Replace(route.Path) + queries[route.Path])
		head, body := e.asked(t, http.MethodHead, path)
		if body != "" {
			t.Errorf("HEAD %s has a body: %.80s", path, body)
		}
		asked++
		if strings.HasPrefix(head.Header.Get("Content-Type"), "text/event-stream") {
			streams++
			continue
		}
		got, body := e.asked(t, http.MethodGet, path)
		if got.StatusCode != head.StatusCode || got.Header.Get("Content-Type") != head.Header.Get("Content-Type") {
			t.Errorf("HEAD %s: %d %s, GET: %d %s", path, head.StatusCode, head.Header.Get("Content-Type"),
				got.StatusCode, got.Header.Get("Content-Type"))
		}
		if got.Header.Get("ETag") != "" && head.ContentLength >= 0 && head.ContentLength != int64(len(body)) {
			t.Errorf("HEAD %s: %d bytes, GET: %d", path, head.ContentLength, len(body))
		}
	}
	if asked < 100 || streams < 8 {
		t.Errorf("%d heads, %d of streams", asked, streams)
	}
	if res, _ := e.asked(t, http.MethodHead, "/sign-out"); res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("of what can only be posted: %d", res.StatusCode)
	}
	if res, _ := e.asked(t, http.MethodHead, "/no-such-page"); res.StatusCode != http.StatusNotFound {
		t.Errorf("of what is not there: %d", res.StatusCode)
	}
}

// TestWhatIsOverIsSentOnce checks that pages, replays and files of an ended tournament have content-based ETags. A
// reader with a current copy gets 304; another language has another ETag, and changed content is sent again. Responses
// of a running tournament and to signed-in users are not cached.
func TestWhatIsOverIsSentOnce(t *testing.T) {
	t.Parallel()
	e := cup(t)
	game := e.round.Tables[0].Games[0].ID
	event, api := fmt.Sprintf("/events/%d", e.id), fmt.Sprintf("%s/tournaments/%d/export/", request.APIBase, e.id)
	paths := []string{event, event + "/crosstable", event + "/rounds", event + "/players", event + "/statistics",
		event + "/tables", event + "/why",
		fmt.Sprintf("%s/games/%d", event, game), fmt.Sprintf("%s/games/%d/export", request.APIBase, game)}
	for _, what := range export.Lists {
		paths = append(paths, api+what+".csv", api+what+".xlsx", api+what+".json")
	}
	for _, path := range []string{"/tournaments/%d", "/tournaments/%d/players", "/tournaments/%d/standings",
		"/tournaments/%d/regulations"} {
		paths = append(paths, request.APIBase+fmt.Sprintf(path, e.id))
	}
	for _, path := range []string{"/presets", "/tournaments", fmt.Sprintf("/rounds/%d", e.round.ID),
		fmt.Sprintf("/games/%d/turns/0", game), fmt.Sprintf("/games/%d/replay", game)} {
		paths = append(paths, request.APIBase+path)
	}
	tags := map[string]string{}
	for _, path := range paths {
		first, _ := e.asked(t, http.MethodGet, path)
		tag := first.Header.Get("ETag")
		if first.StatusCode != http.StatusOK || tag == "" ||
			strings.Contains(first.Header.Get("Cache-Control"), "no-store") {
			t.Errorf("%s: %d %v", path, first.StatusCode, first.Header)
			continue
		}
		tags[path] = tag
		for _, have := range []string{tag, `"x", ` + strings.TrimPrefix(tag, "W/"), "*"} {
			if again, body := e.asked(t, http.MethodGet, path, "If-None-Match",
				have); again.StatusCode != http.StatusNotModified || body != "" || again.Header.Get("ETag") != tag {
				t.Errorf("%s with %s: %d %.80s", path, have, again.StatusCode, body)
			}
		}
		if other, _ := e.asked(t, http.MethodGet, path, "If-None-Match", `"x"`); other.StatusCode != http.StatusOK {
			t.Errorf("%s with another's: %d", path, other.StatusCode)
		}
	}
	if it, _ := e.asked(t, http.MethodGet, event, "Accept-Language", "it", "If-None-Match",
		tags[event]); it.StatusCode != http.StatusOK {
		t.Errorf("in Italian: %d", it.StatusCode)
	}
	if res, _ := e.asked(t, http.MethodGet, api+"standings.csv", "Authorization", "Bearer "+e.referee.token,
		"If-None-Match", tags[api+"standings.csv"]); res.StatusCode != http.StatusOK ||
		res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("to an official: %d %v", res.StatusCode, res.Header)
	}
	standings := fmt.Sprintf("%s/tournaments/%d/standings", request.APIBase, e.id)
	if res, body := e.asked(t, http.MethodGet, standings, "Authorization", "Bearer "+e.referee.token, "If-None-Match",
		tags[standings]); res.StatusCode != http.StatusOK || res.Header.Get("ETag") != "" ||
		!strings.Contains(body, "rows") {
		t.Errorf("the standings to an official: %d %v", res.StatusCode, res.Header)
	}
	if res, body := e.asked(t, http.MethodGet, request.APIBase+"/tournaments/999", "If-None-Match",
		"*"); res.StatusCode != http.StatusNotFound || !strings.Contains(body, "err_tournament_not_found") ||
		res.Header.Get("ETag") != "" {
		t.Errorf("what is not there: %d %v %s", res.StatusCode, res.Header, body)
	}
	e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownHidden})
	if res, _ := e.asked(t, http.MethodGet, standings, "If-None-Match",
		tags[standings]); res.StatusCode != http.StatusOK {
		t.Errorf("the standings once hidden: %d", res.StatusCode)
	}
	if res, body := e.asked(t, http.MethodGet, api+"results.csv", "If-None-Match",
		tags[api+"results.csv"]); res.StatusCode != http.StatusOK || strings.Count(body, "\n") != 1 {
		t.Errorf("once the results are hidden: %d %s", res.StatusCode, body)
	}
	playing := newEvent(t, 4, nil)
	playing.start()
	if res, _ := playing.asked(t, http.MethodGet, fmt.Sprintf("/events/%d",
		playing.id)); res.Header.Get("ETag") != "" || res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("of an event in play: %v", res.Header)
	}
}

// TestOtherSitesReadWhatIsPublic checks that other sites' pages may read the API's public responses and nothing else:
// no response for officials or players, no change, no page.
func TestOtherSitesReadWhatIsPublic(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	open := 0
	for _, row := range e.routesTable(game, turn.Seat) {
		method, path, _ := strings.Cut(row.route, " ")
		if strings.HasSuffix(path, "/live") || strings.Contains(path, "openapi") || strings.Contains(path, "/live?") {
			continue
		}
		res, _ := e.asked(t, method, request.APIBase+path, "Origin", "https://club.example", "Sec-Fetch-Site",
			"cross-site")
		allowed, public := res.Header.Get("Access-Control-Allow-Origin"), method == http.MethodGet &&
			row.want[0] != http.StatusUnauthorized
		if want := map[bool]string{true: "*"}[public]; allowed != want ||
			res.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: allowed to %q, want %q", row.route, allowed, want)
		}
		if public {
			open++
		}
	}
	if open < 20 {
		t.Errorf("only %d answers are open", open)
	}
	preflight, _ := e.asked(t, http.MethodOptions, fmt.Sprintf("%s/tournaments/%d", request.APIBase, e.id), "Origin",
		"https://club.example", "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers",
		"authorization")
	if preflight.StatusCode < 400 || preflight.Header.Get("Access-Control-Allow-Headers") != "" {
		t.Errorf("a site that asks to send a token: %d %v", preflight.StatusCode, preflight.Header)
	}
	page, _ := e.asked(t, http.MethodGet, fmt.Sprintf("/events/%d", e.id), "Origin", "https://club.example")
	if slices.Contains(page.Header.Values("Access-Control-Allow-Origin"), "*") {
		t.Error("a page may be read by other sites")
	}
}
