package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/tournament"
)

// TestThreeHundredPlayersAreImported checks that a list of 300 players is previewed and imported within 10 s.
func TestThreeHundredPlayersAreImported(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEntered(t, "Open", "name\nFinn\n", nil)
	o, desk := e.signedIn("organizer"), fmt.Sprintf("/desk/%d", e.id)
	began := time.Now()
	look := o.get(t, desk+"/roster").submit("/roster/preview", "text", fiveScripts(300)).is(http.StatusOK).says("main",
		"Import 300 players")
	look.submit("/roster/import").is(http.StatusOK).says(".flash", "300 players")
	held(t, "looked at and entered", time.Since(began), 10*time.Second)
	players, err := tournament.Players(t.Context(), e.store, e.id)
	if err != nil || len(players) != 301 {
		t.Errorf("%d are entered, %v", len(players), err)
	}
	last := o.get(t, desk+"/roster").says("#last-list", "300 players")
	out := o.get(t, attr(last.inside("#last-list", "a")[0],
		"href")).is(http.StatusOK).submit("/people.undo").is(http.StatusOK).says(".flash", "Undone")
	if o.get(t, desk+"/roster").says(".title", "1 player").count("#last-list") != 0 || out.path != desk+"/people" {
		t.Errorf("taken back, on %s", out.path)
	}
}

// TestARulingIsToldInTheReadersLanguage checks that each player at the table reads a ruling's canned reason in their
// own language.
func TestARulingIsToldInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	e.begin(0)
	sheet := fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[0].ID)
	e.signedIn("referee").get(t, sheet).rule(t, "penalty", "seat=2", "tiles=3").submit("/penalty", "canned",
		"talked").is(http.StatusOK)
	player := e.reader()
	base, err := url.Parse(e.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	player.client.Jar.SetCookies(base, []*http.Cookie{{Name: "meldhall-seat", Value: e.at(0, 2).token, Path: "/"}})
	for language, want := range map[string]string{"en": "Talked about the game", "it": "Ha parlato della partita"} {
		player.post(t, "/look", url.Values{"lang": {language}})
		player.get(t, "/play/game").is(http.StatusOK).says("main", want)
	}
}

// TestARemovalAsksForTheName checks that irreversible actions are collapsed and require the name to be typed.
func TestARemovalAsksForTheName(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	o := e.signedIn("organizer")
	account := ""
	for _, a := range find(o.get(t, "/accounts").is(http.StatusOK).doc, "a") {
		if strings.HasPrefix(attr(a, "href"), "/accounts/") && strings.Contains(textOf(a), "referee") {
			account = attr(a, "href")
		}
	}
	page := o.get(t, account).is(http.StatusOK)
	if len(page.inside("details.ruling", "form[action=/actions/account.remove]")) != 1 {
		t.Fatal("the removal is not folded away")
	}
	page.submit("account.remove", "typed", "refer").says("main", "Nothing was done")
	o.get(t, account).is(http.StatusOK).submit("account.remove", "typed", "referee").is(http.StatusOK)
	if again := o.get(t, account); again.status != http.StatusNotFound {
		t.Errorf("removed, its page answers %d", again.status)
	}
}

// TestNothingIsHiddenUnderHover checks that hover styles change the look of elements, not their presence.
func TestNothingIsHiddenUnderHover(t *testing.T) {
	files, err := filepath.Glob("../assets/css/*.css")
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	hover, shows := regexp.MustCompile(`[^{}]*:hover[^{}]*\{[^{}]*\}`),
		regexp.MustCompile(`\b(display|visibility|opacity|position|clip-path|height|width|inset|transform|content-visibility)\s*:`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range hover.FindAllString(string(text), -1) {
			if found++; shows.MatchString(rule) {
				t.Errorf("%s: %s", file, strings.TrimSpace(rule))
			}
		}
	}
	if found < 10 {
		t.Errorf("%d rules for the mouse were found", found)
	}
}
